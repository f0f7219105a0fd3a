import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRecord, recordPathOf, type WorkerRecord } from '../../../src/cli/record/worker-record.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { listen } from '../../../src/server/listen/listen.ts';
import { scriptedSource } from '../../integration/server/state-fixture.ts';
import { type CliProcess, type CliResult, runCli, startCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { waitFor } from './wait.ts';
import { openFixture } from './worker-fixture.ts';

/** Two projects of one user, with one state directory. */
async function twoProjects(): Promise<readonly [Fixture, Fixture]> {
  const [one, two] = [await openFixture(), await openFixture()];
  const shared = { XDG_STATE_HOME: join(one.directory, 'state') };
  return [
    { ...one, env: { ...one.env, ...shared } },
    { ...two, env: { ...two.env, ...shared } },
  ];
}

/** As a person starts it: in its folder, without a port. */
async function start(fixture: Fixture): Promise<{ process: CliProcess; record: WorkerRecord }> {
  const worker = startCli(['worker'], { cwd: fixture.directory, env: fixture.env });
  onTestFinished(async () => {
    worker.kill('SIGTERM');
    await worker.exited;
  });
  const record = await waitFor(
    'the worker is ready',
    async () =>
      worker.stderr().includes('"worker ready"') ? findRecord(fixture.workflowPath, fixture.env) : null,
    { describe: worker.stderr },
  );
  return { process: worker, record };
}

const cli = (fixture: Fixture, ...args: string[]): Promise<CliResult> =>
  runCli(args, { cwd: fixture.directory, env: fixture.env });

test('two workers of two folders run at once, and commands find the one of their folder', async () => {
  const [one, two] = await twoProjects();
  const first = await start(one);
  const second = await start(two);
  expect(first.record.url).not.toBe(second.record.url);
  for (const [fixture, { record }] of [
    [one, first],
    [two, second],
  ] as const) {
    const status = await cli(fixture, 'status');
    expect([status.code, status.stderr]).toEqual([
      0,
      `aiops: worker of ${fixture.workflowPath} at ${record.url} (pid ${record.pid})\n`,
    ]);
    const json = await cli(fixture, 'status', '--json');
    expect([JSON.parse(json.stdout).config.workflow_path, json.stderr]).toEqual([fixture.workflowPath, '']);
  }
  for (const args of [
    ['--workflow', two.directory, 'pause'],
    ['pause', '-w', two.workflowPath],
  ]) {
    const paused = await cli(one, ...args);
    expect([paused.code, paused.stderr]).toEqual([0, expect.stringContaining(two.workflowPath)]);
  }
  const state = async (fixture: Fixture) =>
    JSON.parse((await cli(fixture, 'status', '--json')).stdout).paused;
  expect([await state(one), await state(two)]).toEqual([false, true]);

  const elsewhere = await runCli(['status'], { cwd: one.env['HOME'] ?? '/', env: one.env });
  expect(elsewhere.code).toBe(3);
  expect(elsewhere.stderr).toContain(`${one.workflowPath} (pid ${first.record.pid}, ${first.record.url})`);
  expect(elsewhere.stderr).toContain('--workflow PATH');

  first.process.kill('SIGKILL');
  await first.process.exited;
  const gone = await cli(one, 'status');
  expect(gone.code).toBe(3);
  expect(gone.stderr).toContain(`no worker runs for ${one.workflowPath}`);
  expect(gone.stderr).toContain(`aiops worker --workflow ${one.workflowPath}`);
  expect(gone.stderr).toContain(`Running now: ${two.workflowPath}`);
  second.process.kill('SIGTERM');
  await second.process.exited;
  expect(await findRecord(two.workflowPath, two.env)).toBeNull();
}, 120_000);

test('a command refuses to act when another worker answers', async () => {
  const fixture = await openFixture();
  const { record } = await start(fixture);
  const other = createApp(scriptedSource(), { ownToken: record.token });
  const listener = await listen({ app: other, host: '127.0.0.1', port: 0, logger: silentLogger });
  onTestFinished(() => listener.close());
  // The record as it would be when somebody else got hold of the address.
  const path = recordPathOf(fixture.workflowPath, fixture.env);
  await writeFile(path, JSON.stringify({ ...record, url: listener.url }));
  const wrong = await cli(fixture, 'pause');
  expect([wrong.code, wrong.stdout]).toEqual([3, '']);
  expect(wrong.stderr).toMatch(/another worker answers at .*: it runs \/flows\/WORKFLOW\.md, not /);
  const named = await cli(fixture, 'status', '--url', listener.url, '--workflow', fixture.workflowPath);
  expect([named.code, named.stderr]).toEqual([3, expect.stringContaining('another worker answers')]);
  // An address alone is taken at its word.
  const explicit = await cli(fixture, 'status', '--url', listener.url);
  expect([explicit.code, explicit.stderr]).toEqual([0, expect.stringContaining('/flows/WORKFLOW.md')]);
});

test('an address that nobody asked for gives way, one that somebody did does not', async () => {
  const fixture = await openFixture();
  const blocker = createApp(scriptedSource());
  const taken = await listen({ app: blocker, host: '127.0.0.1', port: 0, logger: silentLogger });
  onTestFinished(() => taken.close());
  const asked = await cli(fixture, 'worker', '--port', String(taken.port));
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('the port is in use')]);
  expect(await findRecord(fixture.workflowPath, fixture.env)).toBeNull();
});

test('the token is for the user alone: in no log, no environment, no command line, no workspace', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('TASK-1', { mock: { behaviour: 'hang' } });
  const { process: worker, record } = await start(fixture);
  expect(statSync(recordPathOf(fixture.workflowPath, fixture.env)).mode & 0o777).toBe(0o600);
  await waitFor('an agent runs', async () => fixture.agents().length > 0, { describe: worker.stderr });
  for (const { pid } of [...fixture.agents(), { pid: worker.pid }]) {
    const facts = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
    expect(facts.join('')).not.toContain(record.token);
  }
  const link = await cli(fixture, 'open', '--print');
  expect([link.code, link.stdout]).toEqual([0, `${record.url}/#token=${record.token}\n`]);
  expect(worker.stderr() + worker.stdout()).not.toContain(record.token);
  const holders = readdirSync(fixture.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git/objects'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').includes(record.token));
  expect(holders).toEqual([recordPathOf(fixture.workflowPath, fixture.env)]);
  const refused = await fetch(`${record.url}/api/v1/actions/pause`, {
    method: 'POST',
    headers: { 'X-AIOPS-Refresh': 'true' },
  });
  expect(refused.status).toBe(401);
  expect((await cli(fixture, 'stop', 'TASK-1')).code).toBe(0);
});

test('`aiops open` gives the browser a link that works once and holds no token', async () => {
  const fixture = await openFixture();
  const { record } = await start(fixture);
  const tools = join(fixture.directory, 'tools');
  await mkdir(tools);
  const seen = join(fixture.directory, 'seen');
  await writeFile(join(tools, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${seen}\n`, { mode: 0o755 });
  const env = { ...fixture.env, PATH: `${tools}:${fixture.env['PATH']}` };
  const opened = await runCli(['open'], { cwd: fixture.directory, env });
  expect([opened.code, opened.stdout]).toEqual([0, 'Opened in your browser.\n']);
  const link = await readFile(seen, 'utf8');
  expect(link.startsWith(`${record.url}/#code=`)).toBe(true);
  expect(link).not.toContain(record.token);
  const exchange = () =>
    fetch(`${record.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'X-AIOPS-Refresh': 'true' },
      body: JSON.stringify({ code: link.split('=')[1] }),
    });
  expect(await (await exchange()).json()).toEqual({ token: record.token });
  expect((await exchange()).status).toBe(403);
});

test('`aiops logs` reads the journal when no worker runs', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('TASK-1', {});
  const once = await cli(fixture, 'worker', '--once');
  expect(once.code).toBe(0);
  const logs = await cli(fixture, 'logs', 'task-1');
  expect([logs.code, logs.stderr]).toEqual([0, expect.stringContaining('no worker runs for this workflow')]);
  expect(logs.stdout).toMatch(/turn_started\s+turn 1 started/);
  const unknown = await cli(fixture, 'logs', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('aiops history')]);
});
