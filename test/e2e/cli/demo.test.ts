import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { type CliProcess, startCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { branches, gitLines, workCommits } from './git.ts';
import type { LiveProcess } from './processes.ts';
import { waitFor } from './wait.ts';
import { openFixture } from './worker-fixture.ts';

interface SummaryRow {
  readonly mark: string;
  readonly id: string;
  readonly state: string;
  readonly branch: string;
  readonly commits: number;
}

interface Summary {
  readonly rows: readonly SummaryRow[];
  readonly branches: number;
  readonly commits: number;
  readonly remote: string;
  readonly directory: string;
}

const DEMO_IDS = ['DEMO-1', 'DEMO-2', 'DEMO-3', 'DEMO-4', 'DEMO-5', 'DEMO-6'];
/** `agent.max_continuation_turns` of the demo; its endless issue makes one commit a turn. */
const TURN_BUDGET = 6;

function startDemo(fixture: Fixture, ...args: readonly string[]): CliProcess {
  const demo = startCli(['demo', ...args], { cwd: fixture.directory, env: fixture.env });
  onTestFinished(async () => {
    demo.kill('SIGTERM');
    await demo.exited;
  });
  return demo;
}

function readSummary(stdout: string): Summary {
  const totals = /^(\d+) branches and (\d+) commits are in the remote/m.exec(stdout);
  const rows = stdout.matchAll(/^(ok|!!) {2}(DEMO-\d) +(\S.*?) {2,}(\S+) +(\d+) {2}/gm);
  return {
    rows: [...rows].map(([, mark = '', id = '', state = '', branch = '', commits]) => ({
      mark,
      id,
      state,
      branch,
      commits: Number(commits),
    })),
    branches: Number(totals?.[1]),
    commits: Number(totals?.[2]),
    remote: /^ {2}git -C (\S+) log/m.exec(stdout)?.[1] ?? '',
    directory: /rm -rf (\S+)$/m.exec(stdout)?.[1] ?? '',
  };
}

/** Compares every figure of the summary with the remote and the issue files. */
async function expectTrue(summary: Summary): Promise<void> {
  expect(summary.rows.map(({ mark, id }) => [mark, id])).toEqual(DEMO_IDS.map((id) => ['ok', id]));
  expect(branches(summary.remote)).toEqual([...DEMO_IDS.map((id) => `ai/${id}`), 'main']);
  expect(summary.branches).toBe(DEMO_IDS.length);
  for (const row of summary.rows) {
    expect(row.branch).toBe(`ai/${row.id}`);
    expect(workCommits(summary.remote, row.branch, row.id)).toHaveLength(row.commits);
    const text = await readFile(join(summary.directory, 'issues', `${row.id}.md`), 'utf8');
    expect(/^state: (.*)$/m.exec(text)?.[1]).toBe(row.state.replace(', blocked', ''));
  }
  expect(summary.commits).toBe(gitLines(summary.remote, 'log', '--all', '--format=%H', '--', 'notes').length);
  expect(summary.rows.map(({ state }) => state)).toEqual([
    'Done',
    ...Array.from({ length: 3 }, () => 'Human Review'),
    'Todo, blocked',
    'Human Review',
  ]);
}

function workerOf(fixture: Fixture, demo: CliProcess): LiveProcess | undefined {
  return fixture
    .processes()
    .find(({ parentPid, command }) => parentPid === demo.pid && command.includes(' worker --port '));
}

async function expectNothingLeft(fixture: Fixture): Promise<void> {
  expect(fixture.processes()).toEqual([]);
  expect(await readdir(join(fixture.directory, 'tmp'))).toEqual([]);
}

it('ends well, and its summary is what the remote and the issue files say', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture);
  expect(await demo.exited).toEqual({ code: 0, signal: null });
  expect(demo.stderr()).toBe('');
  const summary = readSummary(demo.stdout());
  await expectTrue(summary);
  expect(summary.rows.map(({ commits }) => commits)).toEqual([1, 1, 3, 1, TURN_BUDGET, 1]);
  expect(demo.stdout()).toMatch(/DEMO-5 +continuation budget blocked: 6 of 6 turns used/);
  expect(demo.stdout()).toMatch(/DEMO-4 +retry scheduled: failure run in 10 s/);
  expect(demo.stdout()).toMatch(/DEMO-2 +waiting: blocked by DEMO-1/);
  expect(gitLines(summary.remote, 'branch', '--contains', 'ai/DEMO-1')).toContain('* main');
  expect(fixture.processes()).toEqual([]);
  expect(join(fixture.directory, 'tmp')).toBe(join(summary.directory, '..'));
});

it('--json prints what came of it for a program, and the rest to standard error', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture, '--json');
  expect(await demo.exited).toEqual({ code: 0, signal: null });
  const told = JSON.parse(demo.stdout());
  expect(told).toMatchObject({ ok: true, directory: expect.stringContaining(fixture.directory) });
  for (const { issue_identifier: id, branch, commits, problem } of told.issues) {
    expect([id, branch, problem]).toEqual([id, `ai/${id}`, null]);
    expect(workCommits(told.remote, branch, id)).toHaveLength(commits);
  }
  expect(told.issues).toHaveLength(DEMO_IDS.length);
  expect(demo.stderr()).toContain('Watch it live');
});

it('--keep-running leaves the page up until Ctrl-C, which leaves nothing', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture, '--keep-running');
  await demo.printed('Still running');
  const url = /Watch it live: (\S+)\//.exec(demo.stdout())?.[1] ?? '';
  const state = await createClient({ baseUrl: url, fetch }).state();
  expect(state.blocked).toMatchObject([{ issue_identifier: 'DEMO-5', method: 'continuation_budget' }]);
  expect(state.running).toEqual([]);
  expect((await fetch(`${url}/`)).headers.get('content-type')).toMatch(/^text\/html/);
  await expectTrue(readSummary(demo.stdout()));

  demo.kill('SIGINT');
  expect(await demo.exited).toEqual({ code: 130, signal: null });
  await expectNothingLeft(fixture);
});

it.each([
  ['SIGINT', 'Creating a project'],
  ['SIGINT', 'Committed on'],
  ['SIGTERM', 'Committed on'],
] as const)('%s after "%s" leaves nothing', async (signal, text) => {
  const fixture = await openFixture();
  const demo = startDemo(fixture);
  await demo.printed(text);
  demo.kill(signal);
  expect(await demo.exited).toEqual({ code: 130, signal: null });
  expect(demo.stdout()).toMatch(/Stopped\. The worker has ended and the scratch directory is gone\.\n$/);
  await expectNothingLeft(fixture);
});

it('SIGINT while its worker is starting leaves nothing', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture);
  await waitFor('the worker is started', () => workerOf(fixture, demo) ?? null);
  demo.kill('SIGINT');
  expect(await demo.exited).toEqual({ code: 130, signal: null });
  await expectNothingLeft(fixture);
});

it('a second, impatient Ctrl-C leaves nothing either', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture);
  await demo.printed('Committed on');
  demo.kill('SIGINT');
  await demo.printed('Stopping');
  demo.kill('SIGINT');
  expect(await demo.exited).toEqual({ code: 130, signal: null });
  await expectNothingLeft(fixture);
});

it('finishes the work when its worker is killed in the middle', async () => {
  const fixture = await openFixture();
  const demo = startDemo(fixture);
  await demo.printed('DEMO-3       turn 2:');
  const worker = workerOf(fixture, demo);
  process.kill(worker?.pid ?? 0, 'SIGKILL');
  await demo.printed('starting it again');
  await waitFor('no agent of the first worker is left', () =>
    fixture.agents().every(({ startedAt }) => startedAt > (worker?.startedAt ?? 0)),
  );
  expect(await demo.exited).toEqual({ code: 0, signal: null });
  const summary = readSummary(demo.stdout());
  await expectTrue(summary);
  const turns = summary.rows.find(({ id }) => id === 'DEMO-5')?.commits ?? 0;
  // The turn that the kill interrupted counts, whether its commit was made or not.
  expect(turns).toBeGreaterThanOrEqual(TURN_BUDGET - 1);
  expect(turns).toBeLessThanOrEqual(TURN_BUDGET);
  expect(fixture.processes()).toEqual([]);
});
