import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli, startCli } from './cli.ts';
import { exists, type Fixture } from './fixture.ts';
import { branches } from './git.ts';
import { waitFor } from './wait.ts';
import { launchWorker, openFixture, parseLog, startWorker } from './worker-fixture.ts';

interface OnceReport {
  readonly poll: { readonly ok: boolean; readonly error: string | null; readonly candidates: number } | null;
  readonly runs: readonly { readonly issue_identifier: string; readonly outcome: string }[];
  readonly retrying: readonly { readonly issue_identifier: string; readonly kind: string }[];
  readonly blocked: readonly { readonly issue_identifier: string; readonly method: string }[];
  readonly waiting: readonly { readonly issue_identifier: string; readonly reason: string }[];
  readonly interrupted_by: string | null;
  readonly exit_code: number;
}

function once(fixture: Fixture, ...args: string[]): Promise<CliResult> {
  return runCli(['worker', '--once', ...args, fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
}

function reportOf({ stdout }: Pick<CliResult, 'stdout'>): OnceReport {
  return JSON.parse(stdout) as OnceReport;
}

it('delivers what fits, leaves the rest alone, and opens no port', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 2 } });
  await fixture.writeIssue('ONE-1', { priority: 1, mock: { behaviour: 'turns', turns: 2 } });
  await fixture.writeIssue('ONE-2', { priority: 2 });
  await fixture.writeIssue('ONE-3', { priority: 3 });

  const first = await once(fixture, '--json');
  expect([first.code, first.stderr.includes('"url":null')]).toEqual([0, true]);
  const report = reportOf(first);
  expect(report).toMatchObject({ poll: { ok: true, candidates: 3 }, interrupted_by: null, exit_code: 0 });
  expect(report.runs.map((run) => [run.issue_identifier, run.outcome]).sort()).toEqual([
    ['ONE-1', 'delivered'],
    ['ONE-2', 'delivered'],
  ]);
  expect(report.waiting).toEqual([
    { issue_id: 'ONE-3', issue_identifier: 'ONE-3', reason: 'this worker was asked for one poll only' },
  ]);
  expect(await fixture.issueState('ONE-3')).toBe('Todo');
  expect(branches(fixture.remote)).toEqual(['ai/ONE-1', 'ai/ONE-2', 'main']);
  expect(fixture.processes()).toEqual([]);

  const second = await once(fixture);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('1 issue is in an active state.\n');
  expect(second.stdout).toMatch(/ONE-3 +delivered/);
  expect((await once(fixture)).stdout).toBe('0 issues are in an active state.\nNo run was started.\n');
});

it('says by its exit code that a run failed, and leaves the retry to the next worker', async () => {
  const fixture = await openFixture({ agent: { max_retry_backoff_ms: 60_000 } });
  await fixture.writeIssue('BAD-1', { mock: { behaviour: 'fail', times: 1 } });
  const first = await once(fixture, '--json');
  expect(first.code).toBe(6);
  expect(reportOf(first)).toMatchObject({
    runs: [{ issue_identifier: 'BAD-1', outcome: 'failed' }],
    retrying: [{ issue_identifier: 'BAD-1', kind: 'failure' }],
    exit_code: 6,
  });
  const second = await once(fixture);
  expect(second.code).toBe(0);
  expect(second.stdout).toMatch(/Not now:\n {2}BAD-1 +failure run in \d+s \(attempt 1\)/);
  expect(await fixture.issueState('BAD-1')).toBe('Todo');
});

it('removes the workspaces of issues that became terminal, and asks for an answer only once', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('END-1');
  await fixture.writeIssue('ASK-1', { mock: { behaviour: 'ask' } });
  const first = await once(fixture, '--json');
  expect([first.code, reportOf(first).blocked.map((row) => row.issue_identifier)]).toEqual([0, ['ASK-1']]);
  expect(exists(fixture.workspace('END-1'))).toBe(true);
  await fixture.moveIssue('END-1', 'Done');
  const second = await once(fixture, '--json');
  expect(exists(fixture.workspace('END-1'))).toBe(false);
  expect(reportOf(second)).toMatchObject({
    runs: [],
    blocked: [{ issue_identifier: 'ASK-1' }],
    exit_code: 0,
  });
});

it('says by its exit code that the tracker cannot be polled', async () => {
  const server = createServer(({ headers }, response) =>
    response.writeHead(503).end(JSON.stringify({ message: `down ${headers.authorization}` })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fixture = await openFixture({
    tracker: { kind: 'gitea', api_key: 'dummy-key-13579', endpoint: `http://127.0.0.1:${port}` },
    repo: { owner: 'team', name: 'project' },
  });
  const result = await once(fixture, '--json');
  expect([result.code, reportOf(result).exit_code]).toEqual([7, 7]);
  expect(reportOf(result)).toMatchObject({ poll: { ok: false }, runs: [] });
  expect(reportOf(result).poll?.error).toContain('503');
  const text = await once(fixture);
  expect(text.stdout).toMatch(/^The tracker could not be polled: .*503.*\nNo run was started\.\n$/);
  const dryRun = await once(fixture, '--dry-run', '--json');
  expect([dryRun.code, reportOf(dryRun).poll?.ok]).toEqual([7, false]);
  for (const { stdout, stderr } of [result, text, dryRun])
    expect(`${stdout}${stderr}`).not.toContain('dummy-key-13579');
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends its agents and keeps their work at %s', async (signal, code) => {
  const fixture = await openFixture();
  await fixture.writeIssue('INT-1', { mock: { behaviour: 'hang' } });
  const cli = startCli(['worker', '--once', '--json', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  onTestFinished(() => cli.kill('SIGKILL'));
  await waitFor('its agent is at work', () => fixture.agents().length > 0, { describe: cli.stderr });
  cli.kill(signal);
  expect(await cli.exited).toEqual({ code, signal: null });
  expect(reportOf({ stdout: cli.stdout() })).toMatchObject({
    runs: [{ issue_identifier: 'INT-1', outcome: 'canceled' }],
    interrupted_by: signal,
    exit_code: code,
  });
  expect(fixture.processes()).toEqual([]);
  expect(exists(fixture.workspace('INT-1'))).toBe(true);
});

it('stops a run whose issue a person closes meanwhile', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('GONE-1', { mock: { behaviour: 'hang' } });
  const cli = startCli(['worker', '--once', '--json', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  onTestFinished(() => cli.kill('SIGKILL'));
  await waitFor('its agent is at work', () => fixture.agents().length > 0, { describe: cli.stderr });
  await fixture.writeIssue('LATE-1', { priority: 1 });
  await fixture.moveIssue('GONE-1', 'Done');
  expect(await cli.exited).toEqual({ code: 0, signal: null });
  expect(reportOf({ stdout: cli.stdout() })).toMatchObject({
    runs: [{ issue_identifier: 'GONE-1', outcome: 'canceled' }],
  });
  expect(exists(fixture.workspace('GONE-1'))).toBe(false);
  expect(await fixture.issueState('LATE-1')).toBe('Todo');
});

it('is a worker like any other: refused beside one, and heir of one that was killed', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('OLD-1', { mock: { behaviour: 'turns', turns: 2, step_ms: 200 } });
  const { process: old } = launchWorker(fixture);
  onTestFinished(() => old.kill('SIGKILL'));
  await waitFor('its agent is at work', () => fixture.agents().length > 0, { describe: old.stderr });
  const refused = await once(fixture);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('is already running');
  old.kill('SIGKILL');
  await old.exited;
  const heir = await once(fixture, '--json');
  expect(heir.code).toBe(0);
  expect(reportOf(heir).runs).toMatchObject([
    { issue_identifier: 'OLD-1', outcome: 'canceled', summary: 'the worker was killed' },
    { issue_identifier: 'OLD-1', outcome: 'delivered', attempt: 1 },
  ]);
  expect(fixture.processes()).toEqual([]);
});

it('has a page and API when a port is given, and refuses --json for a worker that goes on', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('WEB-1', { mock: { behaviour: 'hang' } });
  const worker = await startWorker(fixture, ['--once']);
  await worker.untilRunning('WEB-1');
  expect(await worker.end('SIGTERM')).toEqual({ code: 143, signal: null });
  const { code, stderr } = await runCli(['worker', '--json'], { cwd: fixture.directory, env: fixture.env });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--json goes with --once, --dry-run or --doctor'),
  ]);
  expect(parseLog(worker.stderr()).some(({ msg }) => msg === 'stopped')).toBe(true);
  expect(await readFile(fixture.workflowPath, 'utf8')).toContain('kind: local');
});
