import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { type CliResult, runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { branches, git } from './git.ts';
import { openFixture, startWorker, type WorkerProcess } from './worker-fixture.ts';

function aiops(fixture: Fixture, ...args: string[]): Promise<CliResult> {
  return runCli(args, { cwd: fixture.directory, env: fixture.env });
}

async function writeHook(fixture: Fixture, script: string): Promise<void> {
  const hook = join(fixture.remote, 'hooks', 'pre-receive');
  await writeFile(hook, `#!/bin/sh\n${script}\n`);
  await chmod(hook, 0o755);
}

async function untilHeld(worker: WorkerProcess, id: string) {
  return worker.until(
    `${id} is held`,
    ({ blocked }) =>
      blocked.find((row) => row.issue_identifier === id && row.method === 'not_pushed') ?? null,
  );
}

const ended = (worker: WorkerProcess, id: string) =>
  worker.until(
    `${id} has ended`,
    ({ ended: rows }) => rows.find((row) => row.issue_identifier === id) ?? null,
  );

it('an agent that forgets to push is told so, pushes, and has delivered', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('FORGOT-1', { mock: { forgets_push: 'until_told' } });
  const once = await aiops(fixture, 'worker', '--once', '--json', fixture.workflowPath);
  expect(once.code).toBe(0);
  expect(JSON.parse(once.stdout)).toMatchObject({
    runs: [{ issue_identifier: 'FORGOT-1', outcome: 'delivered', turns: 2 }],
    blocked: [],
  });
  expect(branches(fixture.remote)).toEqual(['ai/FORGOT-1', 'main']);
  expect(await fixture.issueState('FORGOT-1')).toBe('Human Review');
});

it('work that is never pushed makes `--once` fail, and says what to do', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('NEVER-1', { mock: { forgets_push: 'always', state: 'Done' } });
  const once = await aiops(fixture, 'worker', '--once', fixture.workflowPath);
  expect(once.code).toBe(6);
  expect(once.stdout).toContain('not pushed');
  expect(once.stdout).toContain('aiops push NEVER-1');
  expect(once.stdout).not.toContain('delivered');
  expect(branches(fixture.remote)).toEqual(['main']);
  expect(git(fixture.workspace('NEVER-1'), 'log', '--format=%s', '-1')).toContain('NEVER-1:');
});

it.each(['git', 'tool'] as const)(
  'a push by %s that the remote refuses is in the run’s timeline, once, with the words of the remote',
  async (how) => {
    const fixture = await openFixture();
    await writeHook(fixture, 'echo "Lint failed in a.txt:" >&2\necho "  line 7 is too long" >&2\nexit 1');
    await fixture.writeIssue('LINT-1', { mock: { push: how } });
    const once = await aiops(fixture, 'worker', '--once', '--json', fixture.workflowPath);
    const [{ run_id: run }] = JSON.parse(once.stdout).runs;
    const shown = await aiops(fixture, 'runs', 'show', run);
    expect(shown.code).toBe(0);
    expect(shown.stdout.match(/ {2}push {2,}failed \(rejected\): /g)).toHaveLength(1);
    expect(shown.stdout).toMatch(/^ +remote: Lint failed in a\.txt:\n +remote: +line 7 is too long$/m);
    const logs = await aiops(fixture, 'logs', 'LINT-1');
    expect(logs.stdout).toMatch(/push_failed .*remote: Lint failed in a\.txt: remote: line 7 is too long/);
    expect(branches(fixture.remote)).toEqual(['main']);
  },
);

it('an operator has it pushed: refused by the remote it stays held with its words, then it is delivered', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('NEVER-2', { mock: { forgets_push: 'always' } });
  const worker = await startWorker(fixture);
  const row = await untilHeld(worker, 'NEVER-2');
  expect(row).toMatchObject({ state: 'Human Review', branch: 'ai/NEVER-2' });
  expect((await ended(worker, 'NEVER-2')).outcome).toBe('blocked');
  expect(branches(fixture.remote)).toEqual(['main']);

  await writeHook(fixture, 'echo "Branches are frozen until Monday." >&2\nexit 1');
  const refused = await aiops(fixture, 'push', 'never-2', '--url', worker.url, '--by', 'ada');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Branches are frozen until Monday.');
  expect((await untilHeld(worker, 'NEVER-2')).error).toContain('Branches are frozen until Monday.');
  const { run_id: run } = await ended(worker, 'NEVER-2');
  const { events } = await worker.client.runEvents(run);
  expect(events.filter(({ kind }) => kind === 'push_failed')).toMatchObject([
    { detail: { code: 'rejected', remote_lines: ['Branches are frozen until Monday.'] } },
  ]);

  await writeHook(fixture, 'exit 0');
  const pushed = await aiops(fixture, 'push', 'NEVER-2', '--url', worker.url, '--by', 'ada');
  expect(pushed.code).toBe(0);
  expect(pushed.stderr).toMatch(/^aiops: worker of \S+WORKFLOW\.md at \S+ \(pid \d+\)\n$/);
  expect(pushed.stdout).toMatch(/^NEVER-2: ai\/NEVER-2 at [0-9a-f]{12} is pushed\n$/);
  expect(branches(fixture.remote)).toEqual(['ai/NEVER-2', 'main']);
  await worker.until('the hold is gone', ({ blocked }) => blocked.length === 0);
  const detail = await worker.client.issue('NEVER-2');
  expect(detail).toMatchObject({ status: 'finished', last_outcome: { outcome: 'delivered' } });
  expect(await fixture.issueState('NEVER-2')).toBe('Human Review');

  const again = await aiops(fixture, 'push', 'NEVER-2', '--url', worker.url, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    message: expect.stringContaining('was on the remote already'),
  });
});

it('the hold outlives the worker, and ends when somebody else pushes', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('NEVER-3', { mock: { forgets_push: 'always' } });
  const first = await startWorker(fixture);
  await untilHeld(first, 'NEVER-3');
  await first.end('SIGKILL');
  const second = await startWorker(fixture);
  await untilHeld(second, 'NEVER-3');
  // As a person would from elsewhere: by an address that no setting of the workspace leads to the worker.
  const remote = pathToFileURL(fixture.remote).href;
  git(fixture.workspace('NEVER-3'), 'push', '-q', remote, 'HEAD:refs/heads/ai/NEVER-3');
  await second.client.refresh();
  await second.until('the hold is gone', ({ blocked }) => blocked.length === 0);
});

it('does not apply where the agent pushes by itself, and names the setting', async () => {
  const fixture = await openFixture({ repo: { push: 'agent' } });
  await fixture.writeIssue('NEVER-4', { mock: { forgets_push: 'always' } });
  const worker = await startWorker(fixture);
  await untilHeld(worker, 'NEVER-4');
  const refused = await aiops(fixture, 'push', 'NEVER-4', '--url', worker.url);
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain('repo.push');
});
