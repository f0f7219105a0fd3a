import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from './cli.ts';
import type { Fixture, WorkflowSections } from './fixture.ts';
import { launchWorker, openFixture, startWorker } from './worker-fixture.ts';

/** A failure a person can act on: one line on standard error, with the exit code, and nothing else. */
function expectOneLine(result: CliResult, code: number, parts: readonly (string | RegExp)[]): void {
  expect(result).toMatchObject({ code, signal: null, stdout: '' });
  expect(result.stderr).toMatch(/^aiops: [^\n]+\n$/);
  for (const part of parts) expect(result.stderr).toMatch(part);
  expect(result.stderr).not.toMatch(/\n? +at |internal error|node:internal/);
}

async function runOn(fixture: Fixture, ...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { cwd: fixture.directory, env: fixture.env });
}

/** For command lines that touch nothing: no fixture is needed. */
function runAnywhere(...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '' } });
}

async function runWorkerWith(sections: WorkflowSections): Promise<CliResult> {
  const fixture = await openFixture(sections);
  return runOn(fixture, 'worker', '--port', '0');
}

it('names a workflow file that is not there (R-17.7-a, R-17.7-c, R-17.7-f)', async () => {
  const fixture = await openFixture();
  const result = await runOn(fixture, 'worker', 'nothing.md');
  expectOneLine(result, 1, [join(fixture.directory, 'nothing.md'), 'does not exist', /Check the path/]);
});

it('names the WORKFLOW.md that a directory lacks', async () => {
  const fixture = await openFixture();
  const result = await runOn(fixture, 'worker', 'home');
  expectOneLine(result, 1, [join(fixture.directory, 'home', 'WORKFLOW.md'), 'does not exist']);
});

it('says what to do where neither an argument nor a WORKFLOW.md is given (R-17.7-b, R-17.7-c)', async () => {
  const fixture = await openFixture();
  await rm(fixture.workflowPath);
  const result = await runOn(fixture, 'worker');
  expectOneLine(result, 1, [fixture.workflowPath, /give its path as an argument/, /AIOPS_WORKFLOW_PATH/]);
});

it.each(['worker', 'demo'])('names what holds a busy port: aiops %s', async (command) => {
  const fixture = await openFixture();
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void holder.close());
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const result = await runOn(fixture, command, '--port', String(port));
  expectOneLine({ ...result, stdout: '' }, 1, [`127.0.0.1:${port}`, `pid ${process.pid}`, /--port N/]);
  expect(await readdir(join(fixture.directory, 'tmp'))).toEqual([]);
});

it.each([
  ['root', 'workspace.root'],
  ['mirror_root', 'workspace.mirror_root'],
])('names a workspace.%s that cannot be written', async (key, name) => {
  const fixture = await openFixture({ workspace: { [key]: 'README/below' } });
  await writeFile(join(fixture.directory, 'README'), 'a file, so nothing can be below it\n');
  const result = await runOn(fixture, 'worker', '--port', '0');
  expectOneLine(result, 1, [`${name} ${fixture.directory}/README/below cannot be written`, `Set ${name}`]);
});

it.each([
  [['worker', '--port', '0'], 8],
  [['demo'], 1],
])('says that git is missing: aiops %j', async (args, code) => {
  const fixture = await openFixture();
  const bin = join(fixture.directory, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  const result = await runCli(args, { cwd: fixture.directory, env: { ...fixture.env, PATH: bin } });
  expect(result).toMatchObject({ code, signal: null });
  expect(result.stderr).toContain('git was not found');
  expect(result.stderr).toMatch(/Install git/);
});

it('lists the trackers there are for one that does not exist (R-6.3-a, R-6.3-b, R-13.2-a, R-17.6-a, R-17.7-d, R-17.7-f)', async () => {
  const result = await runWorkerWith({ tracker: { kind: 'jira' } });
  expectOneLine(result, 1, [/WORKFLOW\.md:\d+/, 'tracker.kind "jira" is not supported', /local/]);
});

it('says which key an agent needs that has no command of its own', async () => {
  const result = await runWorkerWith({ agent: { default: 'acp' } });
  expectOneLine(result, 1, [/WORKFLOW\.md/, 'acp.command']);
});

it('lists the agents there are for one that does not exist', async () => {
  const result = await runWorkerWith({ agent: { default: 'wizard' } });
  expectOneLine(result, 1, [/WORKFLOW\.md:\d+/, 'agent.default', '"wizard"', /mock/]);
});

it('names the line of broken YAML', async () => {
  const fixture = await openFixture();
  await writeFile(fixture.workflowPath, '---\ntracker:\n  kind: "local\n---\nDo it.\n');
  const result = await runOn(fixture, 'worker', '--port', '0');
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(/^aiops: .*WORKFLOW\.md:\d+: /);
  expect(result.stderr).not.toMatch(/\n +at /);
});

it('refuses a second worker on the same root and names the first, which goes on', async () => {
  const fixture = await openFixture();
  const first = await startWorker(fixture);
  const result = await runOn(fixture, 'worker', '--port', '0');
  expectOneLine(result, 1, [
    'already running',
    `process ${first.pid}`,
    `kill ${first.pid}`,
    fixture.workflowPath,
  ]);
  await expect(first.client.state()).resolves.toMatchObject({ preflight: { ok: true } });
});

it('refuses a second worker on the same issues under another root, and names the first and the way out', async () => {
  const fixture = await openFixture();
  const other = await openFixture({ tracker: { kind: 'local', path: 'linked' } });
  await symlink(join(fixture.directory, 'issues'), join(other.directory, 'linked'));
  const first = await startWorker(fixture);
  const shared = {
    XDG_STATE_HOME: fixture.env['XDG_STATE_HOME'] ?? join(fixture.env['HOME'] ?? '', '.local', 'state'),
  };
  const env = { ...other.env, ...shared };
  const result = await runCli(['worker', '--port', '0'], { cwd: other.directory, env });
  expectOneLine(result, 8, [
    'on the same issues',
    `kill ${first.pid}`,
    fixture.workflowPath,
    'required_labels',
  ]);
  await expect(first.client.state()).resolves.toMatchObject({ preflight: { ok: true } });
});

it('leaves nothing behind when it cannot start: the next start works (R-17.7-e)', async () => {
  const fixture = await openFixture({ tracker: { kind: 'jira' } });
  expect((await runOn(fixture, 'worker', '--port', '0')).code).toBe(1);
  await fixture.writeWorkflow();
  const { ready, process: worker } = launchWorker(fixture);
  const { url } = await ready;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  worker.kill('SIGTERM');
  expect(await worker.exited).toEqual({ code: 0, signal: null });
});

it.each<[readonly string[], readonly (string | RegExp)[]]>([
  [
    ['worker', '--port', 'abc'],
    ['--port', "'abc'", /whole number from -1 to 65535/],
  ],
  [
    ['worker', '--port', '65536'],
    ['--port', "'65536'", /whole number/],
  ],
  [
    ['worker', '--port'],
    ['--port', /argument missing/],
  ],
  [['wroker'], ["'wroker'", /Did you mean worker\?/, /aiops --help/]],
  [
    ['worker', '--prot', '1'],
    ["'--prot'", /Did you mean --port\?/, /--help/],
  ],
  [['--nonsense'], ["'--nonsense'", /--help/]],
  [
    ['worker', 'one', 'two'],
    [/too many arguments/, /--help/],
  ],
])('is a usage error: aiops %j', async (args, parts) => {
  expectOneLine(await runAnywhere(...args), 2, parts);
});

it.each<[readonly string[], RegExp]>([
  [['--version'], /^\d+\.\d+\.\d+\n$/],
  [['--help'], /^Usage: aiops [\s\S]*worker[\s\S]*demo/],
  [['-h'], /^Usage: aiops /],
  [['help', 'worker'], /^Usage: aiops worker /],
  [['worker', '--help'], /^Usage: aiops worker [\s\S]*--port <number>[\s\S]*SIGTERM/],
  [['demo', '--help'], /^Usage: aiops demo [\s\S]*--keep-running/],
])('prints on standard output and succeeds: aiops %j', async (args, expected) => {
  const result = await runAnywhere(...args);
  expect(result).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(result.stdout).toMatch(expected);
});

it('shows the help on standard error when it is told nothing', async () => {
  const result = await runAnywhere();
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^Usage: aiops /);
});
