import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { registerHistoryCommand } from '../../../src/cli/history/command.ts';
import { reportError } from '../../../src/cli/report-error.ts';
import { registerRunsCommand } from '../../../src/cli/runs/command.ts';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { loadSqlite } from '../../../src/store/sqlite/open-database.ts';
import { bundledProgram } from './bundled-program.ts';
import { journalFixture } from './fixture.ts';
import { EVERY_RUN_EVENT, sampleEvent, sampleRun, T0 } from './record-fixtures.ts';

const fixture = journalFixture();
const program = bundledProgram('busy-journal.ts');

async function aiops(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  let code = 0;
  const io = {
    stdout: (text: string) => {
      out += text;
    },
    stderr: (text: string) => {
      err += text;
    },
    environment: {},
    cwd: fixture.folder,
  };
  const command = new Command('aiops')
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr });
  const finish = (exitCode: number): void => {
    code = exitCode;
  };
  registerHistoryCommand(command, io, finish);
  registerRunsCommand(command, io, finish);
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = error instanceof CommanderError ? error.exitCode : reportError(error, io.stderr);
  }
  return { code, out, err };
}

const keep = { retention: () => ({ keepDays: 0 }) };

async function writeRuns(): Promise<void> {
  const journal = await fixture.open(keep);
  journal.recordRun(sampleRun());
  journal.recordRun(
    sampleRun({
      runId: 'r1-2',
      identifier: 'ENG-2',
      issueId: 'id-2',
      startedAt: T0,
      endedAt: T0 + 3_725_000,
      attempt: 2,
      stateAfter: 'Todo',
      handedOff: false,
      costUsd: null,
      outcome: { kind: 'failed', summary: 'the agent \u001b[31mcrashed\u0007\nand burned' },
      result: {
        end: { kind: 'failed', code: 'port_exit', message: 'exit code 7' },
        turns: 1,
        evidence: NO_EVIDENCE,
      },
    }),
  );
  EVERY_RUN_EVENT.forEach((event, index) => {
    journal.appendRunEvent('r1-1', T0 + index * 1000, event);
  });
  await journal.close();
}

describe('aiops history', () => {
  it('shows runs as a table, newest first, with nothing that steers the terminal', async () => {
    await writeRuns();
    const { code, out, err } = await aiops('history', '--root', '.', '--utc');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines[0]).toMatch(
      /^RUN +ISSUE +OUTCOME +ENDED \(UTC\) +TOOK +TURNS +TOKENS +COST +TITLE +SUMMARY$/,
    );
    expect(lines[1]).toMatch(
      /^r1-2 +ENG-2 +failed +2026-11-14 10:02:05 +1h 02m +1 +1,200 +- +Make it work +the agent/,
    );
    expect(lines[2]).toMatch(
      /^r1-1 +ENG-1 +delivered +2026-11-14 09:01:30 +1m 30s +3 +1,200 +\$0\.12 +Make it work +moved to Done/,
    );
    expect(lines).toHaveLength(4);
    for (const control of ['\u001b', '\u0007']) expect(out).not.toContain(control);
  });

  it('takes an issue in any case, a limit, and prints JSON', async () => {
    await writeRuns();
    const byIssue = await aiops('history', '--root', '.', '--issue', 'eng-1', '--json');
    const { runs } = JSON.parse(byIssue.out) as { runs: Record<string, unknown>[] };
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      run_id: 'r1-1',
      issue_identifier: 'ENG-1',
      outcome: 'delivered',
      ended_at: '2026-11-14T09:01:30.000Z',
      runtime_seconds: 90,
      tokens: { input_tokens: 1000, output_tokens: 200, total_tokens: 1200 },
      cost_usd: 0.12,
      new_commits: 2,
    });
    expect((await aiops('history', '--root', '.', '--limit', '1')).out.split('\n')).toHaveLength(3);
    expect((await aiops('history', '--root', '.', '--issue', 'NOPE')).out).toBe(
      'No run of NOPE has ended yet.\n',
    );
    expect((await aiops('history', '--root', '.', '--limit', 'all')).err).toContain('whole number');
  });

  it('finds the journal through the workflow file', async () => {
    await writeRuns();
    mkdirSync(join(fixture.folder, 'issues'));
    writeFileSync(
      join(fixture.folder, 'WORKFLOW.md'),
      '---\ntracker:\n  kind: local\n  path: issues\nworkspace:\n  root: .\n---\nDo it.\n',
    );
    const { err, out } = await aiops('history');
    expect(err).toBe('');
    expect(out).toContain('r1-2');
  });

  it('says what is wrong and what to do when there is nothing to read', async () => {
    const missing = await aiops('history', '--root', 'nowhere');
    expect(missing.code).toBe(1);
    expect(missing.err).toMatch(
      /There is no journal at .*nowhere.*It appears when the worker has started once/,
    );

    mkdirSync(dirname(fixture.path), { recursive: true });
    writeFileSync(fixture.path, 'garbage '.repeat(1000));
    const garbage = await aiops('history', '--root', '.');
    expect(garbage.code).toBe(1);
    expect(garbage.err).toContain('not a SQLite database');
  });

  it('refuses a journal of another version without touching it', async () => {
    await (await fixture.open()).close();
    const open = await loadSqlite();
    for (const [version, words] of [
      [99, 'reads up to'],
      [1, 'brings it up to date'],
    ] as const) {
      const database = open(fixture.path);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      const { code, err } = await aiops('history', '--root', '.');
      expect(code).toBe(1);
      expect(err).toContain(words);
    }
  });

  it('leaves out a row that cannot be read, and says so', async () => {
    await writeRuns();
    const open = await loadSqlite();
    const database = open(fixture.path);
    database.exec(`UPDATE runs SET payload = '{}' WHERE run_id = 'r1-1'`);
    database.close();
    const { code, out, err } = await aiops('history', '--root', '.');
    expect(code).toBe(0);
    expect(out).not.toContain('r1-1');
    expect(err).toContain('1 row(s)');
  });
});

describe('aiops runs show', () => {
  it('shows outcome, evidence, cost and a line for every kind of event', async () => {
    await writeRuns();
    const { code, out, err } = await aiops('runs', 'show', 'r1-1', '--root', '.', '--utc');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const line of [
      /^Issue +ENG-1 {2}Make it work$/m,
      /^Outcome +delivered: moved to Done with 2 new commits$/m,
      /^State +Todo -> Done \(moved by the agent\)$/m,
      /^Time +2026-11-14 09:00:00 to 2026-11-14 09:01:30 UTC \(1m 30s\)$/m,
      /^Agent +mock, mock-1, session s-1, 3 turns completed$/m,
      /^Tokens +1,200 \(1,000 in, 200 out\)$/m,
      /^Cost +\$0\.12$/m,
      /^Evidence +branch aiops\/eng-1, 2 new commits, 2 ahead of the base, 4 files changed$/m,
      /^09:00:00 +\+0s +phase +PreparingWorkspace$/m,
      /^09:00:06 +\+6s +command +npm test$/m,
      /^09:00:07 +\+7s +tool call +issue_move ok: moved to Done$/m,
      /^09:00:15 +\+15s +question +Which\? \(ask\)$/m,
      /^09:00:18 +\+18s +turn +1 completed$/m,
      /^09:00:19 +\+19s +turn +2 completed, 1,050 tokens$/m,
    ]) {
      expect(out).toMatch(line);
    }
    const timeline = out.slice(out.indexOf('TIME (UTC)'));
    expect(timeline.trimEnd().split('\n')).toHaveLength(EVERY_RUN_EVENT.length + 1);
  });

  it('prints everything as JSON', async () => {
    await writeRuns();
    const { out } = await aiops('runs', 'show', 'r1-1', '--root', '.', '--json');
    const shown = JSON.parse(out) as { run: object; timeline: { events: object[]; reported: number } };
    expect(shown.run).toMatchObject({ run_id: 'r1-1', end: { kind: 'completed' } });
    expect(shown.timeline.reported).toBe(EVERY_RUN_EVENT.length);
    expect(shown.timeline.events[0]).toEqual({
      seq: 1,
      at: '2026-11-14T09:00:00.000Z',
      type: 'phase',
      phase: 'PreparingWorkspace',
      detail: null,
    });
  });

  it('takes the beginning of an id, and helps with one that fits none or several', async () => {
    await writeRuns();
    const several = await aiops('runs', 'show', 'r1', '--root', '.');
    expect(several.code).toBe(2);
    expect(several.err).toContain('r1-1, r1-2');
    const none = await aiops('runs', 'show', 'zzz\u001b[2J', '--root', '.');
    expect(none.code).toBe(1);
    expect(none.err).toContain('aiops history');
    expect(none.err).not.toContain('\u001b');
    expect((await aiops('runs', 'show', 'r1-2', '--root', '.')).out).toContain(
      'failed (port_exit): exit code 7',
    );
  });

  it('shows a run of a worker that is writing at this moment', async () => {
    let child: ChildProcess | null = null;
    try {
      child = spawn(process.execPath, [program.path, fixture.path, 'live'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (child.stdout === null) throw new Error('the child has no output');
      let said = '';
      child.stdout.on('data', (data) => {
        said += data;
      });
      while (!said.includes('run live-')) await once(child.stdout, 'data');
      for (let round = 0; round < 5; round += 1) {
        const { code, out } = await aiops('history', '--root', '.');
        expect({ code, rows: out.includes('live-') }).toEqual({ code: 0, rows: true });
      }
      const deadline = performance.now() + 10_000;
      let shown = { out: '', err: 'not asked yet' };
      while (!shown.out.includes('step 5 ')) {
        if (performance.now() > deadline) throw new Error(`the live run is not shown: ${shown.err}`);
        await delay(50);
        shown = await aiops('runs', 'show', 'live', '--root', '.', '--json');
      }
      expect(JSON.parse(shown.out)).toMatchObject({ run_id: 'live', run: null });
    } finally {
      child?.kill('SIGKILL');
    }
  });

  it('says so when there is no timeline, or a run has no end', async () => {
    const journal = await fixture.open(keep);
    journal.recordRun(sampleRun());
    journal.appendEvent(sampleEvent({ runId: 'lost-1', identifier: 'ENG-8' }));
    await journal.close();
    expect((await aiops('runs', 'show', 'r1-1', '--root', '.')).out).toContain('No timeline was kept');
    const lost = await aiops('runs', 'show', 'lost-1', '--root', '.');
    expect(lost.out).toMatch(/^Issue +ENG-8$/m);
    expect(lost.out).toContain('none recorded');
  });
});
