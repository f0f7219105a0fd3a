import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exists, type Fixture } from './fixture.ts';
import { branches, git, gitLines, workCommits } from './git.ts';
import { isRunning } from './processes.ts';
import { openFixture, startWorker, type WorkerProcess } from './worker-fixture.ts';

interface Scene {
  readonly fixture: Fixture;
  readonly worker: WorkerProcess;
  readonly agentPid: number;
  /** The commit the agent made and did not push. */
  readonly commit: string;
}

/** An agent that has committed, has not pushed, and now does nothing any more. */
async function startStuckRun(): Promise<Scene> {
  const fixture = await openFixture();
  await fixture.writeIssue('MOVE-1', { mock: { behaviour: 'hang', when: 'after_commit', times: 1 } });
  const worker = await startWorker(fixture);
  const row = await worker.untilRunning('MOVE-1', ({ last_message }) => last_message.startsWith('Committed'));
  expect(exists(fixture.workspace('MOVE-1'))).toBe(true);
  const commit = git(fixture.workspace('MOVE-1'), 'rev-parse', 'HEAD');
  return { fixture, worker, agentPid: row.codex_app_server_pid ?? 0, commit };
}

async function expectCanceled({ fixture, worker, agentPid }: Scene, summary: RegExp): Promise<void> {
  const run = await worker.until('the run is over', ({ ended }) => ended[0] ?? null);
  expect(run).toMatchObject({ outcome: 'canceled', summary: expect.stringMatching(summary), pushed: false });
  expect(isRunning(agentPid)).toBe(false);
  expect(fixture.agents()).toEqual([]);
}

/** Nobody takes the issue up again: a further poll, begun after this call, starts nothing. */
async function expectLeftAlone({ worker }: Scene): Promise<void> {
  const { last_poll: before } = await worker.client.refresh().then(() => worker.client.state());
  await worker.until('a further poll', ({ last_poll }) => (last_poll?.at ?? '') > (before?.at ?? ''));
  const state = await worker.client.state();
  expect([...state.running, ...state.retrying, ...state.blocked]).toEqual([]);
  expect(state.ended).toHaveLength(1);
}

it('moved to Done: stops the run, saves what was not pushed, then removes the workspace (R-14.4-b)', async () => {
  const scene = await startStuckRun();
  const { fixture, worker, commit } = scene;
  await fixture.moveIssue('MOVE-1', 'Done');
  await expectCanceled(scene, /moved to Done/);
  await worker.until('the workspace is removed', ({ recent_events }) =>
    recent_events.some(({ kind }) => kind === 'workspace_removed'),
  );
  expect(exists(fixture.workspace('MOVE-1'))).toBe(false);
  const line = worker.log().find(({ msg }) => msg === 'unpushed work was saved before removal');
  expect(line).toMatchObject({ issue_identifier: 'MOVE-1' });
  const [bundle] = (await readdir(String(line?.['rescued_to']))).filter((name) => name.endsWith('.bundle'));
  const refs = gitLines(
    fixture.remote,
    'bundle',
    'list-heads',
    join(String(line?.['rescued_to']), bundle ?? ''),
  );
  expect(refs.map((ref) => ref.split(' ')[0])).toContain(commit);
  await expectLeftAlone(scene);
});

it('moved to Backlog: stops the run and keeps the workspace; back in Todo, the work goes on (R-14.4-b, R-2.1-c)', async () => {
  const scene = await startStuckRun();
  const { fixture, worker, commit } = scene;
  await fixture.moveIssue('MOVE-1', 'Backlog');
  await expectCanceled(scene, /moved to Backlog/);
  await expectLeftAlone(scene);
  expect(git(fixture.workspace('MOVE-1'), 'rev-parse', 'HEAD')).toBe(commit);
  expect(branches(fixture.remote)).toEqual(['main']);

  await fixture.moveIssue('MOVE-1', 'Todo');
  await worker.until('MOVE-1 is delivered', ({ ended }) => ended[0]?.outcome === 'delivered');
  expect(workCommits(fixture.remote, 'ai/MOVE-1', 'MOVE-1')).toEqual([commit]);
});

it('deleted: stops the run and keeps the workspace, also over a restart', async () => {
  const scene = await startStuckRun();
  const { fixture, worker, commit } = scene;
  await rm(fixture.issuePath('MOVE-1'));
  await expectCanceled(scene, /no longer in the tracker/);
  await expectLeftAlone(scene);
  expect(git(fixture.workspace('MOVE-1'), 'rev-parse', 'HEAD')).toBe(commit);

  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const next = await startWorker(fixture);
  await next.until('the first poll', ({ last_poll }) => last_poll?.ok === true);
  expect(git(fixture.workspace('MOVE-1'), 'rev-parse', 'HEAD')).toBe(commit);
});

it('saved while the worker runs: a new issue is taken up without waiting for the poll', async () => {
  const fixture = await openFixture({ polling: { interval_ms: 600_000 } });
  const worker = await startWorker(fixture);
  await worker.until('the first poll', ({ last_poll }) => last_poll?.ok === true);
  await fixture.writeIssue('MOVE-2');
  await worker.until('MOVE-2 is delivered', ({ ended }) => ended[0]?.outcome === 'delivered');
});
