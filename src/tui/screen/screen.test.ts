import { describe, expect, it } from 'vitest';
import { NOW, screenOf, viewOf } from '../../../test/fakes/board-view.ts';
import { goState } from '../../../test/fakes/go-state.ts';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { readForeignState } from '../../contract/foreign-state.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { plainText } from '../text/paint.ts';
import { widthOf } from '../text/width.ts';
import { wholeBoard } from './screen.ts';

const rich = richState(NOW);
const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

/** The line that holds a text. */
function lineWith(lines: readonly string[], text: string): string {
  const found = lines.find((line) => line.includes(text));
  if (found === undefined) throw new Error(`no line says ${text}:\n${lines.join('\n')}`);
  return found;
}

function manyWaiting(count: number): StateSnapshot {
  const waiting = Array.from({ length: count }, (_, index) => ({
    issue_id: `w-${index}`,
    issue_identifier: `WAIT-${index}`,
    issue_url: null,
    title: `Title ${index}`,
    state: 'Todo',
    reason: 'all 3 agent slots are busy',
  }));
  return { ...rich, waiting, counts: { ...rich.counts, waiting: count } };
}

describe.each(SIZES)('a board of %d columns and %d rows', (columns, rows) => {
  it.each([
    ['in the middle of its work', rich],
    ['that has just started', emptyState(NOW)],
    ['with 500 rows', manyWaiting(500)],
    ['of a Go worker', readForeignState(goState(), NOW)],
    ['before anything was heard', null],
  ])('fills the screen %s, and nothing more', (_, state) => {
    const lines = screenOf(state, columns, rows);
    expect(lines).toHaveLength(rows);
    for (const text of lines) expect(widthOf(text), text).toBeLessThanOrEqual(columns);
  });

  it('shows every section with its first row and the facts of the worker', () => {
    const text = screenOf(rich, columns, rows).join('\n');
    for (const title of ['Running 3', 'Needs you', 'Waiting', 'In review', 'Retrying', 'Recent'])
      expect(text).toContain(`├─ ${title}`);
    for (const fact of [
      'Agents 3/3',
      'Throughput 1,842 tps',
      'Runtime',
      'Tokens',
      'DEMO-11',
      'DEMO-14',
      '● live',
    ])
      expect(text).toContain(fact);
    if (rows >= 24)
      for (const fact of ['Next poll in 26s', 'Rate limits', 'Workflow', 'Page http'])
        expect(text).toContain(fact);
  });

  it('says why an issue waits and what one needs, at least in its beginning', () => {
    const lines = screenOf(rich, columns, rows);
    expect(lineWith(lines, 'DEMO-14')).toContain('all 3 agent slots');
    expect(lineWith(lines, '↻ DEMO-10')).toMatch(/in 1s +goes on/);
  });

  it('keeps the selected row in sight, wherever it is', () => {
    const state = manyWaiting(500);
    const key = 'waiting:w-321';
    const lines = screenOf(state, columns, rows, { ui: { selected: { key, issueId: 'w-321', index: 0 } } });
    expect(lineWith(lines, '▸').slice(0, 14)).toContain('WAIT-321');
    for (const title of ['Running', 'Needs you', 'Recent'])
      expect(lineWith(lines, `├─ ${title}`)).toBeTruthy();
  });
});

describe('the board', () => {
  it('gets by with a tiny terminal', () => {
    for (const [columns, rows] of [
      [1, 1],
      [10, 3],
      [20, 8],
    ] as const) {
      const lines = screenOf(rich, columns, rows);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(screenOf(rich, columns, rows, { ui: { help: true } }).length).toBeLessThanOrEqual(
        Math.max(rows, 1),
      );
    }
  });

  it('has facts beside each other where they fit, with titles that line up', () => {
    const lines = screenOf(rich, 200, 60);
    expect(lineWith(lines, 'ID ')).toMatch(/TITLE +STAGE +AGE +TURN +TOKENS +AGENT +PID +SESSION +LATEST/);
    const titles = ['Parse durations', 'Add a --json flag', 'Cache the dependency'].map((title) =>
      lineWith(lines, title).indexOf(title),
    );
    expect(new Set(titles).size).toBe(1);
  });

  it('goes on counting between two messages, and stops while the worker is away', () => {
    const later = { now: NOW + 10_000 };
    expect(lineWith(screenOf(rich, 120, 40, later), 'DEMO-11')).toContain('3m 23s');
    const away = {
      connection: { kind: 'away' as const, problem: 'No answer from its address.', since: NOW },
    };
    const lines = screenOf(rich, 120, 40, { ...later, view: away });
    expect(lineWith(lines, 'DEMO-11')).toContain('3m 13s');
    expect(lineWith(lines, 'went away')).toContain('10s ago');
    expect(lineWith(lines, 'No answer')).toBeTruthy();
    expect(lines[0]).toContain('○ worker away');
  });

  it('says what it waits for before the first answer', () => {
    const problem = 'no worker runs for /srv/demo/WORKFLOW.md. Start it with `aiops worker`.';
    const lines = screenOf(null, 80, 24, { view: { connection: { kind: 'away', problem, since: NOW } } });
    expect(lines.join(' ')).toContain('no worker runs');
    expect(lineWith(lines, 'Waiting for it')).toContain('q leaves');
  });

  it('puts troubles where they are seen, the worst first', () => {
    const state: StateSnapshot = {
      ...rich,
      paused: true,
      preflight: {
        ok: false,
        errors: [{ code: 'x', message: 'no repository', hint: 'Set repo.clone_url.' }],
      },
      config: { ...rich.config, reload_error: 'line 3' },
    };
    const lines = screenOf(state, 120, 40);
    expect(lines.slice(0, 8).filter((text) => text.startsWith('│ ! '))).toEqual([
      '│ ! nothing starts: no repository. Set repo.clone_url.',
      '│ ! paused: no new run starts until you resume with p',
      '│ ! the last edit of the workflow is not in use: line 3',
    ]);
    expect(lines[0]).toContain('PAUSED');
    expect(screenOf(state, 80, 24).join('\n')).toContain('2 more troubles');
  });

  it('shows only rows with the words of the filter', () => {
    const text = screenOf(rich, 120, 40, { ui: { filter: 'json REPORT' } }).join('\n');
    expect(text).toContain('DEMO-14');
    expect(text).not.toContain('DEMO-15');
    expect(text).toContain('Nothing that runs matches the filter.');
    expect(text).toContain('filter: json REPORT (esc clears)');
  });

  it('explains its keys on 80 columns without a cut', () => {
    const lines = screenOf(rich, 80, 24, { ui: { help: true } });
    expect(lines).toHaveLength(24);
    for (const text of lines) expect(widthOf(text.trimEnd()), text).toBeLessThanOrEqual(80);
    expect(lineWith(lines, '✗ failed')).toContain('● runs');
  });

  it('shows the log of a worker in the same terminal below', () => {
    const log = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const lines = screenOf(rich, 120, 40, { view: { log } });
    expect(lines).toHaveLength(40);
    expect(lines.slice(-8, -1)).toEqual([
      expect.stringContaining('├─ Log'),
      ...log.slice(-6).map((text) => `│ ${text}`),
    ]);
  });

  it('is harmless whatever a title says', () => {
    const [first, ...others] = rich.running;
    if (first === undefined) throw new Error('nothing runs in the sample');
    const hostile = '\u001B[2J\u001B[1;1Hpwned\u0007\u009B31m\u202E 🚀👩‍💻日本語\u0300\u0300\u0300\u0300';
    const row = {
      ...first,
      title: hostile,
      last_message: `${hostile}\n${hostile}`,
      issue_identifier: `X\u001B]0;x\u0007`,
      state: hostile,
    };
    for (const [columns, rows] of SIZES) {
      for (const text of screenOf({ ...rich, running: [row, ...others] }, columns, rows)) {
        expect(text).not.toMatch(/[\p{Cc}\u202E]/u);
        expect(widthOf(text)).toBeLessThanOrEqual(columns);
      }
    }
  });
});

describe('the board of a Go worker', () => {
  const state = readForeignState(goState(), NOW);

  it('has no blank where something should be', () => {
    const lines = screenOf(state, 200, 60);
    expect(lineWith(lines, 'Agents')).toMatch(
      /Agents 2\/4 +Throughput \S+ tps +Runtime \S.* Tokens in 120k out 4\.5k total 125k +Cost n\/a/,
    );
    expect(lineWith(lines, 'Next poll')).toMatch(
      /Next poll every 30s +Rate limits codex \| primary 41% used reset 30m 00s \| credits unlimited/,
    );
    expect(lineWith(lines, 'ENG-41')).toMatch(
      /In Progress +12m 00s +3 +125k +codex-app-server gpt-5 +4242 +thre…turn-3 +turn completed/,
    );
    expect(lineWith(lines, '● d4')).toMatch(/Todo +2s +0 +125k .*waiting for the first sign of life/);
    expect(lineWith(lines, 'ENG-7')).toMatch(/30m 00s +the agent asks which colour/);
    expect(lineWith(lines, 'ENG-9')).toMatch(/failure +try 2 +in 12s +workspace: clone failed/);
    expect(lineWith(lines, 'ENG-3')).toContain('closed by hand');
    expect(lineWith(lines, 'ENG-1 ')).toMatch(/delivered +25m ago/);
  });
});

describe('wholeBoard', () => {
  it('prints every row, without a frame that ends in nothing', () => {
    const state = manyWaiting(500);
    const lines = wholeBoard(viewOf(state), state, 100, NOW).map(plainText);
    expect(lines.filter((text) => text.includes('WAIT-'))).toHaveLength(500);
    expect(lines.at(-1)?.trim()).not.toBe('│');
  });
});
