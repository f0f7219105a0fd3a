import { expect, it } from 'vitest';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { Fixture, IssueSpec, WorkflowSections } from './fixture.ts';
import { branches, notes, workCommits } from './git.ts';
import { isRunning, peakMemory } from './processes.ts';
import { openFixture, startWorker, type WorkerProcess } from './worker-fixture.ts';

const MEGABYTE = 1024 * 1024;

async function startWith(
  mock: NonNullable<IssueSpec['mock']>,
  sections: WorkflowSections = {},
): Promise<{ fixture: Fixture; worker: WorkerProcess }> {
  const fixture = await openFixture(sections);
  await fixture.writeIssue('MOCK-1', { mock });
  return { fixture, worker: await startWorker(fixture) };
}

/** Waits for the hand-over and gives the finished runs, oldest first. */
async function untilDelivered(worker: WorkerProcess): Promise<readonly EndedRun[]> {
  const ended = await worker.until('MOCK-1 is delivered', (state) =>
    state.ended[0]?.outcome === 'delivered' ? state.ended : null,
  );
  return ended.toReversed();
}

async function expectHandedOver(fixture: Fixture, steps: number): Promise<void> {
  expect(await fixture.issueState('MOCK-1')).toBe('Human Review');
  expect(branches(fixture.remote)).toEqual(['ai/MOCK-1', 'main']);
  expect(workCommits(fixture.remote, 'ai/MOCK-1', 'MOCK-1')).toHaveLength(steps);
  const expected = Array.from({ length: steps }, (_, index) => `- [x] step ${index + 1}`);
  expect(notes(fixture.remote, 'ai/MOCK-1', 'MOCK-1').slice(1)).toEqual(expected);
}

it('succeed: one run, one commit, pushed and handed over with a comment', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'succeed' });
  const [run, ...others] = await untilDelivered(worker);
  expect(others).toEqual([]);
  expect(run).toMatchObject({ branch: 'ai/MOCK-1', commits: 1, new_commits: 1, pushed: true, turns: 1 });
  expect(run?.tokens.total_tokens).toBe(1500);
  await expectHandedOver(fixture, 1);
  const [head] = workCommits(fixture.remote, 'ai/MOCK-1', 'MOCK-1');
  expect(await fixture.issueText('MOCK-1')).toContain(`at ${head?.slice(0, 12)}.`);
  expect(await worker.client.issue('mock-1')).toMatchObject({ status: 'finished', state: 'Human Review' });
});

it('turns: several turns in one session', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'turns', turns: 3 });
  const runs = await untilDelivered(worker);
  expect(runs).toMatchObject([{ turns: 3, commits: 3, pushed: true }]);
  await expectHandedOver(fixture, 3);
});

it('fail: waits ten seconds before the first retry, in a row that says why', async () => {
  const before = Date.now();
  const { worker } = await startWith({ behaviour: 'fail' }, { agent: { max_retry_backoff_ms: 300_000 } });
  const row = await worker.until('a retry waits', ({ retrying }) => retrying[0] ?? null);
  expect(row).toMatchObject({ issue_identifier: 'MOCK-1', kind: 'failure', attempt: 1, state: 'Todo' });
  expect(row.error).toMatch(/failing, as the issue's mock block says/);
  const due = Date.parse(row.due_at);
  expect(due).toBeGreaterThan(before + 10_000);
  expect(due).toBeLessThanOrEqual(Date.now() + 10_000);
  const detail = await worker.client.issue('MOCK-1');
  expect(detail).toMatchObject({ status: 'retrying', retry: { due_at: row.due_at }, last_error: row.error });
});

it('fail: recovers after its retries, counting the attempts', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'fail', times: 2 });
  const runs = await untilDelivered(worker);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'delivered']);
  const { recent_events: events } = await worker.client.state();
  const started = events.filter(({ kind }) => kind === 'running').map(({ message }) => message);
  expect(started.toReversed()).toEqual([
    'first run started',
    'failure run (attempt 1) started',
    'failure run (attempt 2) started',
  ]);
  await expectHandedOver(fixture, 1);
});

it('hang: is found silent, ended and retried', async () => {
  const { fixture, worker } = await startWith(
    { behaviour: 'hang', times: 1 },
    { codex: { stall_timeout_ms: 3000 } },
  );
  const row = await worker.untilRunning('MOCK-1', ({ last_message }) => last_message === 'Going silent');
  const runs = await untilDelivered(worker);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['stalled', 'delivered']);
  expect(runs[0]?.summary).toMatch(/silent for \d+ s/);
  expect(isRunning(row.codex_app_server_pid ?? 0)).toBe(false);
  await expectHandedOver(fixture, 1);
});

it('crash: says how the process ended, and a commit made before it is pushed once', async () => {
  const mock = { behaviour: 'crash', when: 'after_commit', exit_code: 3, times: 1 };
  const { fixture, worker } = await startWith(mock);
  const runs = await untilDelivered(worker);
  expect(runs[0]).toMatchObject({ outcome: 'failed', commits: 1, new_commits: 1, pushed: false });
  expect(runs[0]?.summary).toMatch(/exited with code 3/);
  expect(runs[1]).toMatchObject({ outcome: 'delivered', commits: 1, new_commits: 0, pushed: true });
  await expectHandedOver(fixture, 1);
});

it('crash: by a signal, before the session is open', async () => {
  const { worker } = await startWith({ behaviour: 'crash', when: 'start', signal: 'SIGKILL', times: 1 });
  const runs = await untilDelivered(worker);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'delivered']);
  expect(runs[0]?.summary).toMatch(/ended by SIGKILL/);
});

it('flood: the work is done and the memory of the worker stays bounded', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'flood', megabytes: 200 });
  const before = peakMemory(worker.pid);
  await untilDelivered(worker);
  expect(peakMemory(worker.pid) - before).toBeLessThan(100 * MEGABYTE);
  await expectHandedOver(fixture, 1);
});

it('ask: blocks the issue and shows the question', async () => {
  const question = 'Shall the greeting be formal?';
  const { fixture, worker } = await startWith({ behaviour: 'ask', question });
  const row = await worker.until('the issue is blocked', ({ blocked }) => blocked[0] ?? null);
  expect(row).toMatchObject({ issue_identifier: 'MOCK-1', question, state: 'Todo' });
  expect(row.error).toContain(question);
  const detail = await worker.client.issue('MOCK-1');
  expect(detail).toMatchObject({ status: 'blocked', blocked: { question }, last_error: row.error });
  expect(fixture.agents()).toEqual([]);
});

it('quota: waits until the quota is back', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'quota', reset_in_s: 3 });
  const row = await worker.until('the quota is waited for', ({ retrying }) => retrying[0] ?? null);
  expect(row).toMatchObject({ kind: 'quota_backoff', error: 'the mock quota is used up' });
  const left = Date.parse(row.due_at) - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(3_000);
  const runs = await untilDelivered(worker);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['blocked', 'delivered']);
  expect(Date.parse(runs[1]?.ended_at ?? '')).toBeGreaterThan(Date.parse(row.due_at));
  await expectHandedOver(fixture, 1);
});

it('never_finish: is blocked by its turn budget after exactly that many turns', async () => {
  const { fixture, worker } = await startWith(
    { behaviour: 'never_finish', commits: true, step_ms: 10 },
    { agent: { max_turns: 2, max_continuation_turns: 5 } },
  );
  const row = await worker.until('the budget is spent', ({ blocked }) => blocked[0] ?? null);
  expect(row).toMatchObject({ method: 'continuation_budget', state: 'Todo', branch: 'ai/MOCK-1' });
  expect(row.error).toMatch(/5 of 5 turns used.*raise agent\.\S+ to go on/);
  const { ended } = await worker.client.state();
  expect(ended.map(({ turns }) => turns).toReversed()).toEqual([2, 2, 1]);
  expect(workCommits(fixture.remote, 'ai/MOCK-1', 'MOCK-1')).toHaveLength(5);
});

it('never_finish without a result: is blocked for lack of progress before the budget is spent', async () => {
  const { worker } = await startWith(
    { behaviour: 'never_finish', step_ms: 10 },
    { agent: { max_turns: 1, max_continuation_turns: 50, no_progress_runs: 2 } },
  );
  const row = await worker.until('the issue is blocked', ({ blocked }) => blocked[0] ?? null);
  expect(row).toMatchObject({ method: 'no_progress' });
  expect(row.error).toMatch(/2 runs in a row/);
});

it('grandchild: a process the agent left in a session of its own is gone after the run', async () => {
  const { fixture, worker } = await startWith({ behaviour: 'grandchild', step_ms: 250 });
  const row = await worker.untilRunning('MOCK-1', ({ last_message }) =>
    last_message.startsWith('Left process'),
  );
  const grandchild = Number(/\d+/.exec(row.last_message)?.[0]);
  expect(isRunning(grandchild)).toBe(true);
  await untilDelivered(worker);
  expect(isRunning(grandchild)).toBe(false);
  expect(fixture.agents()).toEqual([]);
  await expectHandedOver(fixture, 1);
});

it.each(['garbage', 'unknown_tool'])('%s: the work is done all the same', async (behaviour) => {
  const { fixture, worker } = await startWith({ behaviour });
  expect(await untilDelivered(worker)).toHaveLength(1);
  await expectHandedOver(fixture, 1);
});

it('an invalid mock block: fails the run and lists what is valid', async () => {
  const { worker } = await startWith({ behaviour: 'dance' }, { agent: { max_retry_backoff_ms: 300_000 } });
  const row = await worker.until('a retry waits', ({ retrying }) => retrying[0] ?? null);
  expect(row.error).toMatch(/behaviour.*succeed/s);
});
