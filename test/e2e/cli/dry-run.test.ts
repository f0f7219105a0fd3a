import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from './cli.ts';
import type { Fixture } from './fixture.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

interface PlanJson {
  readonly poll: { readonly ok: boolean; readonly error: string | null } | null;
  readonly worker: { readonly pid: number } | null;
  readonly running: readonly { readonly issue_identifier: string }[];
  readonly would_start: readonly { readonly issue_identifier: string; readonly agent: string }[];
  readonly would_stop: readonly { readonly issue_identifier: string; readonly reason: string }[];
  readonly would_remove: readonly { readonly issue_identifier: string }[];
  readonly retrying: readonly { readonly issue_identifier: string; readonly kind: string }[];
  readonly blocked: readonly { readonly issue_identifier: string; readonly method: string }[];
  readonly waiting: readonly { readonly issue_identifier: string; readonly reason: string }[];
}

function dryRun(fixture: Fixture, ...args: string[]): Promise<CliResult> {
  return runCli(['worker', '--dry-run', ...args, fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
}

async function planOf(fixture: Fixture): Promise<PlanJson> {
  const { code, stdout, stderr } = await dryRun(fixture, '--json');
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as PlanJson;
}

/** Every file of the fixture with its content or size, but for what git and node keep for themselves. */
function everything(fixture: Fixture): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        files.set(path, 'folder');
        walk(path);
      } else if (entry.isFile()) {
        files.set(path, `${statSync(path).mtimeMs} ${readFileSync(path, 'base64')}`);
      }
    }
  };
  walk(fixture.directory);
  return files;
}

const ids = (rows: readonly { readonly issue_identifier: string }[]) =>
  rows.map((row) => row.issue_identifier);

it('says what would start in which order and what waits, on a machine that never had a worker', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 2 } });
  await fixture.writeIssue('DRY-1', { priority: 3 });
  await fixture.writeIssue('DRY-2', { priority: 1, labels: ['agent:gpt'] });
  await fixture.writeIssue('DRY-3', { priority: 2, blockedBy: ['DRY-1'] });
  await fixture.writeIssue('DRY-4', { priority: 4 });
  const before = everything(fixture);
  const { code, stdout, stderr } = await dryRun(fixture, '--once');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    [
      '4 issues are in an active state.',
      'Would start now, in this order:',
      '  1.  DRY-2  Todo  priority 1  first run  mock  Title of DRY-2',
      '  2.  DRY-1  Todo  priority 3  first run  mock  Title of DRY-1',
      '! DRY-2: label agent:gpt chooses no profile (agent.profiles is empty)',
      'Not now:',
      '  DRY-3  blocked by DRY-1 (Todo)',
      '  DRY-4  waiting for a slot (2 of 2 in use)',
      'This was a dry run: nothing was changed.',
      '',
    ].join('\n'),
  );
  expect(everything(fixture)).toEqual(before);
});

it('knows what earlier workers remembered, and changes none of it', async () => {
  const fixture = await openFixture({ agent: { max_retry_backoff_ms: 60_000 } });
  await fixture.writeIssue('MEM-1', { mock: { behaviour: 'fail', times: 1 } });
  await fixture.writeIssue('MEM-2', { mock: { behaviour: 'ask' } });
  await fixture.writeIssue('MEM-3');
  const { code } = await runCli(['worker', '--once', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  expect(code).toBe(6);
  await fixture.moveIssue('MEM-3', 'Done');
  const before = everything(fixture);
  const plan = await planOf(fixture);
  expect(everything(fixture)).toEqual(before);
  expect(plan).toMatchObject({ worker: null, running: [], would_start: [], would_stop: [], waiting: [] });
  expect(ids(plan.would_remove)).toEqual(['MEM-3']);
  expect(plan.retrying).toMatchObject([{ issue_identifier: 'MEM-1', kind: 'failure' }]);
  expect(ids(plan.blocked)).toEqual(['MEM-2']);
});

it('works beside a worker, whose runs take their slots and whose stops it foresees', async () => {
  const fixture = await openFixture({ agent: { max_concurrent_agents: 2 } });
  for (const id of ['LIVE-1', 'LIVE-2', 'LIVE-3'])
    await fixture.writeIssue(id, { mock: { behaviour: 'hang' } });
  const worker = await startWorker(fixture);
  await worker.untilRunning('LIVE-1');
  await worker.untilRunning('LIVE-2');
  const plan = await waitFor('the journal tells of both live runs', async () => {
    const seen = await planOf(fixture);
    return seen.running.length === 2 ? seen : null;
  });
  expect(plan).toMatchObject({ worker: { pid: worker.pid }, would_start: [], would_stop: [] });
  expect(ids(plan.running).sort()).toEqual(['LIVE-1', 'LIVE-2']);
  expect(plan.waiting).toMatchObject([
    { issue_identifier: 'LIVE-3', reason: 'waiting for a slot (2 of 2 in use)' },
  ]);

  // A worker that is held up does not see the change itself.
  worker.kill('SIGSTOP');
  onTestFinished(() => worker.kill('SIGCONT'));
  await fixture.moveIssue('LIVE-1', 'Backlog');
  const { stdout } = await dryRun(fixture);
  worker.kill('SIGCONT');
  expect(stdout).toContain(`A worker is at work: process ${worker.pid} on `);
  expect(stdout).toContain('Would be stopped:\n  LIVE-1  the issue is now Backlog\n');
  await worker.untilRunning('LIVE-3');
  expect(worker.log().filter(({ level }) => level === 'error')).toEqual([]);
});

it('takes a killed worker’s issues for free, and says why nothing starts when the tracker is away', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('KIL-1', { mock: { behaviour: 'ignore_sigterm' } });
  const old = await startWorker(fixture);
  await old.untilRunning('KIL-1', ({ last_message }) => last_message === 'Going silent');
  await old.end('SIGKILL');
  const agents = fixture.agents().map(({ pid }) => pid);
  expect(agents).not.toEqual([]);
  const plan = await planOf(fixture);
  expect(plan).toMatchObject({ worker: null, running: [] });
  expect(plan.would_start).toMatchObject([{ issue_identifier: 'KIL-1', agent: 'mock', attempt: 1 }]);
  expect(fixture.agents().map(({ pid }) => pid)).toEqual(agents);
  for (const { pid } of fixture.agents()) process.kill(pid, 'SIGKILL');
  await waitFor('its orphans are gone', () => fixture.processes().length === 0);

  await fixture.writeWorkflow({
    tracker: { kind: 'gitea', api_key: 'dummy', endpoint: 'http://127.0.0.1:9' },
    repo: { owner: 'team', name: 'project' },
  });
  const away = await dryRun(fixture);
  expect([away.code, away.stdout]).toEqual([7, expect.stringContaining('could not be polled')]);
});
