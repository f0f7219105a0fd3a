import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { exists, type Fixture, type IssueSpec } from './fixture.ts';
import { branches, notes, reachableCommits, workCommits } from './git.ts';
import { readProcess } from './processes.ts';
import { waitFor } from './wait.ts';
import { launchWorker, openFixture, startWorker } from './worker-fixture.ts';

const KILLS = 5;
/** `AIOPS_E2E_SEEDS=7,8,9 npm run test:e2e -- killed` tries other instants. */
const SEEDS = (process.env['AIOPS_E2E_SEEDS'] ?? '1,2').split(',').map(Number);
/** Turns each issue may start. A turn that a kill interrupts counts, so there is one to spare for each kill. */
const TURN_BUDGET = 10;

/** The demo's six, and what becomes of each in a worker that nobody kills. */
const ISSUES: Readonly<Record<string, IssueSpec & { readonly ends: string; readonly commits: number }>> = {
  'KILL-1': { priority: 1, mock: { step_ms: 100 }, ends: 'Done', commits: 1 },
  'KILL-2': { priority: 1, blockedBy: ['KILL-1'], mock: { step_ms: 60 }, ends: 'Human Review', commits: 1 },
  'KILL-3': {
    priority: 2,
    mock: { behaviour: 'turns', turns: 4, step_ms: 80 },
    ends: 'Human Review',
    commits: 4,
  },
  'KILL-4': { priority: 2, mock: { behaviour: 'fail', step_ms: 60 }, ends: 'Human Review', commits: 1 },
  'KILL-5': {
    priority: 3,
    mock: { behaviour: 'never_finish', commits: true, step_ms: 60 },
    ends: 'Todo',
    commits: TURN_BUDGET,
  },
  'KILL-6': { priority: 4, mock: { step_ms: 80 }, ends: 'Human Review', commits: 1 },
};
const IDS = Object.keys(ISSUES);

/** Notes every commit that can be seen now, in the remote and in the workspaces. */
async function noteCommits(fixture: Fixture, seen: Map<string, string>): Promise<void> {
  for (const commit of reachableCommits(fixture.remote)) seen.set(commit, 'remote');
  for (const id of IDS) {
    if (!exists(fixture.workspace(id))) continue;
    for (const commit of reachableCommits(fixture.workspace(id))) seen.set(commit, id);
  }
}

/** Plays the reviewer, so that the issue that waits for this one can start. */
async function approveFirst(fixture: Fixture): Promise<void> {
  if ((await fixture.issueState('KILL-1')) === 'Human Review') await fixture.moveIssue('KILL-1', 'Done');
}

/** Says nothing of the endless issue, whose file stays as it was: that one is seen in the API. */
async function areHandedOver(fixture: Fixture): Promise<boolean> {
  for (const id of IDS) if ((await fixture.issueState(id)) !== ISSUES[id]?.ends) return false;
  return true;
}

/**
 * One life of the worker: started, left alone for a while, killed. The while is counted from the first sight of an
 * agent at work, or from the worker's own start, when it may be killed before it is ready.
 */
async function liveAndDie(fixture: Fixture, random: Random, atWork: boolean): Promise<void> {
  const { process: worker, ready } = launchWorker(fixture);
  onTestFinished(() => worker.kill('SIGKILL'));
  if (atWork) {
    await ready;
    expectNoOrphans(fixture, worker.pid);
    await waitFor('an agent is at work', () => fixture.agents().length > 0, { describe: worker.stderr });
  }
  await delay(atWork ? random.between(0, 1_000) : random.between(20, 700));
  worker.kill('SIGKILL');
  await worker.exited;
}

/** Whatever belongs to a run must have been started by this worker, not by an earlier life. */
function expectNoOrphans(fixture: Fixture, workerPid: number): void {
  const bornAt = readProcess(workerPid)?.startedAt ?? Number.POSITIVE_INFINITY;
  expect(fixture.agents().filter(({ startedAt }) => startedAt < bornAt)).toEqual([]);
}

async function expectAsWithoutKills(fixture: Fixture): Promise<void> {
  expect(branches(fixture.remote)).toEqual([...IDS.map((id) => `ai/${id}`), 'main']);
  for (const id of IDS) {
    const steps = notes(fixture.remote, `ai/${id}`, id).filter((line) => line.startsWith('- [x]'));
    expect(steps).toEqual(steps.map((_, index) => `- [x] step ${index + 1}`));
    expect(workCommits(fixture.remote, `ai/${id}`, id)).toHaveLength(steps.length);
    if (id !== 'KILL-5') expect([id, steps.length]).toEqual([id, ISSUES[id]?.commits]);
  }
  const endless = workCommits(fixture.remote, 'ai/KILL-5', 'KILL-5').length;
  expect(endless).toBeLessThanOrEqual(TURN_BUDGET);
  expect(endless).toBeGreaterThanOrEqual(TURN_BUDGET - KILLS);
}

it.each(SEEDS)('finishes the work of a worker that is killed again and again (seed %i)', async (seed) => {
  const random = new Random(seed);
  const fixture = await openFixture({
    agent: { max_turns: 3, max_continuation_turns: TURN_BUDGET, max_retry_backoff_ms: 1_000 },
  });
  const seen = new Map<string, string>();
  for (const id of IDS) await fixture.writeIssue(id, ISSUES[id]);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await liveAndDie(fixture, random, kill !== 3);
    await noteCommits(fixture, seen);
    await approveFirst(fixture);
  }

  const last = await startWorker(fixture);
  expectNoOrphans(fixture, last.pid);
  await waitFor(
    'all issues are in their last state',
    async () => {
      await approveFirst(fixture);
      return areHandedOver(fixture);
    },
    { withinMs: 60_000, describe: last.stderr },
  );
  const state = await last.until('nothing runs any more', (now) =>
    now.running.length + now.retrying.length === 0 && now.blocked.length === 1 ? now : null,
  );
  expect(state.blocked).toMatchObject([{ issue_identifier: 'KILL-5', method: 'continuation_budget' }]);
  await last.until(
    'the workspace of the finished issue is removed',
    () => !exists(fixture.workspace('KILL-1')),
  );
  await noteCommits(fixture, seen);
  expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null });

  await expectAsWithoutKills(fixture);
  const kept = new Set([fixture.remote, ...IDS.map(fixture.workspace)].flatMap(reachableCommits));
  expect([...seen].filter(([commit]) => !kept.has(commit))).toEqual([]);
  expect(seen.size).toBeGreaterThan(IDS.length);
  expect(await readdir(join(fixture.workspaces, '.aiops', 'rescue')).catch(() => [])).toEqual([]);
  expect(fixture.processes()).toEqual([]);
});
