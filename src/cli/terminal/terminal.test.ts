import { describe, expect, it } from 'vitest';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { BROKEN_FILE } from '../../trackers/local/broken-file.ts';
import { formatTold } from './format-told.ts';
import { tellLogLine } from './log-lines.ts';
import { NOTHING_TOLD, narrate } from './narrate.ts';
import { fitTo, plainLine, widthOf } from './text-width.ts';
import { wantsColor } from './tones.ts';
import { WorkerTerminal } from './worker-terminal.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');
const plain = { color: false, columns: 60 };

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['日本語', 6],
    ['👩‍💻 ok', 5],
    ['e\u0301', 1],
    ['🇩🇪', 2],
    ['한글', 4],
  ])('of %s is %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is never exceeded, and no character is cut in half', () => {
    const text = '修复👩‍💻登录页面 and the rest of a long title';
    for (let columns = 2; columns < 50; columns += 1) {
      const shown = fitTo(text, columns);
      expect(widthOf(shown)).toBeLessThanOrEqual(columns);
      expect(shown === text || shown.endsWith('…')).toBe(true);
      expect(shown).not.toContain('\u{FFFD}');
    }
  });
});

describe('a line', () => {
  it('is harmless whatever an agent says, and as wide as the terminal', () => {
    const text = 'x\u001B[2J\u001B]0;title\u0007\r\nnext \u202Eevil 日本'.repeat(20);
    const line = formatTold({ who: 'TASK-1\u001B[0m', text, tone: 'quiet' }, '12:00:00', plain);
    expect(line).toMatch(/^12:00:00 {2}TASK-1/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point of it
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/);
    expect(widthOf(line.slice(0, -1))).toBeLessThanOrEqual(60);
  });

  it('that needs attention goes on under itself instead of being cut', () => {
    const text = `${'word '.repeat(40)}the end`;
    const lines = formatTold({ who: null, text, tone: 'bad' }, '12:00:00', plain).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => widthOf(line) <= 60)).toBe(true);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('word the end');
  });

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    [{ TERM: 'dumb' }, true, false],
  ])('with %j on a terminal: %s has colours: %s', (environment, isTerminal, expected) => {
    expect(wantsColor(environment, isTerminal)).toBe(expected);
    const line = formatTold({ who: 'A', text: 'x', tone: 'good' }, '1', { color: expected, columns: null });
    expect(line.includes('\u001B[32m')).toBe(expected);
  });
});

describe('the log on a terminal', () => {
  const record = (level: string, fields: object): string =>
    JSON.stringify({ level, msg: 'it broke', ...fields });

  it('shows warnings and errors with their fix, and leaves events to the narration (R-13.1-c)', () => {
    const error = { type: 'AppError', message: 'no key', hint: 'Set it.', stack: 'at x' };
    expect(tellLogLine(record('warn', { error }), 'info')).toEqual({
      who: null,
      text: 'it broke: no key Set it.',
      tone: 'attention',
    });
    expect(tellLogLine(record('error', { issue_identifier: 'A', pid: 7 }), 'warn')).toEqual({
      who: 'A',
      text: 'it broke (pid=7)',
      tone: 'bad',
    });
    expect(tellLogLine(record('warn', { event: 'failed' }), 'info')).toBeNull();
    expect(tellLogLine(record('info', {}), 'info')).toBeNull();
    expect(tellLogLine(record('warn', {}), 'error')).toBeNull();
    expect(tellLogLine(record('info', { event: 'running' }), 'debug')?.tone).toBe('quiet');
    expect(tellLogLine('not json', 'debug')).toBeNull();
    const standing = { warning: 'push', problem: 'no answer', fix: 'Wait.' };
    expect(tellLogLine(record('warn', standing), 'info')?.text).toBe('it broke: no answer Fix: Wait.');
    expect(tellLogLine(record('info', { ...standing, fix: undefined, lasted_ms: 5 }), 'info')).toEqual({
      who: null,
      text: 'it broke: no answer',
      tone: 'good',
    });
  });
});

describe('the narration', () => {
  const tell = (before: StateSnapshot, after: StateSnapshot, activityMs = 0) => {
    const first = narrate(before, NOTHING_TOLD, { activityMs });
    return narrate(after, first.told, { activityMs });
  };

  it('tells the exact command after a question, for the worker that was named', () => {
    const state = richState(NOW);
    const [row] = state.blocked;
    if (row === undefined) throw new Error('nobody is blocked');
    const { issue_id, issue_identifier } = row;
    const event = {
      at: state.generated_at,
      kind: 'input_blocked',
      message: 'it asks',
      issue_id,
      issue_identifier,
    };
    const asked = { ...state, blocked: [{ ...row, question: 'Which one?' }], recent_events: [event] };
    const told = narrate(asked, NOTHING_TOLD, { activityMs: 0, worker: { workflow: 'a b.md' } }).lines;
    const question = told.findIndex(({ text }) => text.includes('it asks'));
    expect(told[question + 1]).toEqual({
      who: issue_identifier,
      text: `  > aiops answer ${issue_identifier} 'YOUR ANSWER' --workflow 'a b.md'`,
      tone: 'attention',
    });
    const nobodyTypes = narrate(asked, NOTHING_TOLD, { activityMs: 0 }).lines;
    expect(nobodyTypes.map(({ text }) => text).join()).not.toContain('aiops answer');
  });

  it('tells everything once', () => {
    const rich = richState(NOW);
    expect(narrate(rich, NOTHING_TOLD, { activityMs: 0 }).lines.length).toBeGreaterThan(3);
    expect(tell(rich, rich).lines).toEqual([]);
  });

  it('thins what agents say, and says that there is more', () => {
    const rich = richState(NOW);
    const next = (ms: number, text: string): StateSnapshot => ({
      ...rich,
      generated_at: new Date(NOW + ms).toISOString(),
      running: rich.running.map((run) => ({ ...run, last_event: 'activity', last_message: text })),
    });
    const first = narrate(next(0, 'one'), NOTHING_TOLD, { activityMs: 2_000 });
    const second = narrate(next(500, 'two'), first.told, { activityMs: 2_000 });
    expect([second.lines, second.more]).toEqual([[], true]);
    const third = narrate(next(2_500, 'three'), second.told, { activityMs: 2_000 });
    expect(third.lines.map(({ text }) => text.includes('three'))).toContain(true);
    expect(third.more).toBe(false);
  });

  it('names the outcome of a run once', () => {
    const rich = richState(NOW);
    const at = rich.generated_at;
    const event = { at, issue_id: '1', issue_identifier: 'A-1' };
    const lines = narrate(
      {
        ...emptyState(NOW),
        recent_events: [
          { ...event, kind: 'failed', message: 'failed: it broke' },
          { ...event, kind: 'completed', message: 'delivered: handed over' },
          { ...event, kind: 'retry_scheduled', message: 'in 10 s' },
        ],
      },
      NOTHING_TOLD,
      { activityMs: 0 },
    ).lines;
    expect(lines.map(({ text }) => text)).toEqual([
      'retry scheduled: in 10 s',
      'delivered: handed over',
      'failed: it broke',
    ]);
  });

  it('says once that a file is no issue, also while something runs', () => {
    const rich = richState(NOW);
    const ignored = [{ name: 'bad.md', why: 'the front matter is not valid' }];
    const busy: StateSnapshot = {
      ...rich,
      queue: { seen: 1, complete: true, running: 1, ready: 0, groups: [], ignored, ignored_total: 1 },
    };
    const told = (lines: readonly { readonly text: string }[]) =>
      lines.filter(({ text }) => text.includes('bad.md')).map(({ text }) => text);
    expect(told(tell(rich, busy).lines)).toEqual(['ignored "bad.md": the front matter is not valid']);
    expect(told(tell(busy, busy).lines)).toEqual([]);
    expect(tellLogLine(JSON.stringify({ level: 'warn', msg: BROKEN_FILE }), 'info')).toBeNull();
    expect(tellLogLine(JSON.stringify({ level: 'warn', msg: BROKEN_FILE }), 'debug')).not.toBeNull();
  });

  it('explains an idle worker when that changes, and what is ignored', () => {
    const empty = emptyState(NOW);
    const poll = {
      at: empty.generated_at,
      duration_ms: 1,
      ok: true,
      candidates: 0,
      requests: null,
      not_modified: null,
    };
    const queue = {
      seen: 0,
      complete: true,
      running: 0,
      ready: 0,
      groups: [],
      ignored: [],
      ignored_total: 0,
    };
    const idle: StateSnapshot = { ...empty, last_poll: poll, queue };
    const ignored = [{ name: 'my feature.md', why: 'rename it' }];
    const other: StateSnapshot = { ...idle, queue: { ...queue, ignored, ignored_total: 1 } };
    expect(tell(idle, idle).lines).toEqual([]);
    expect(tell(idle, other).lines.map(({ text }) => text)).toEqual([
      '0 issues seen: 0 ready; ignored: "my feature.md"',
      'ignored "my feature.md": rename it',
    ]);
  });
});

describe('a worker’s terminal', () => {
  it('follows the worker, is thinned by a timer, and tells the rest at the end', () => {
    const written: string[] = [];
    const timers: (() => void)[] = [];
    let changed = (): void => {};
    let state = emptyState(NOW);
    const terminal = new WorkerTerminal({
      clock: {
        now: () => NOW,
        elapsed: () => NOW,
        paused: () => 0,
        setTimer(_ms, callback) {
          timers.push(callback);
          return () => void timers.splice(0);
        },
      },
      color: false,
      columns: () => 80,
      verbosity: 'info',
      write: (text) => written.push(text),
    });
    const stop = terminal.follow({
      snapshot: () => state,
      observe(onChange) {
        changed = onChange;
        return () => {
          changed = () => {};
        };
      },
      settled: () => true,
    });
    state = richState(NOW);
    for (let change = 0; change < 100; change += 1) changed();
    expect(timers).toHaveLength(1);
    const before = written.length;
    stop();
    expect(written.length).toBeGreaterThan(before);
    expect(plainLine(written.join(' '))).toContain('DEMO-');
    expect(timers).toEqual([]);
  });
});
