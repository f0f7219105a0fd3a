import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exists } from './fixture.ts';
import { branches, notes, workCommits } from './git.ts';
import { isRunning } from './processes.ts';
import { waitFor } from './wait.ts';
import { openFixture, startWorker } from './worker-fixture.ts';

/** Longer than what a waiting worker is silent for. */
const HOOK_S = 7;

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends agents, keeps their workspaces, and a restart goes on (R-2.1-c, R-7.4-d, R-17.7-e)',
  async (signal) => {
    const fixture = await openFixture();
    await fixture.writeIssue('SIG-1', { mock: { behaviour: 'turns', turns: 3, step_ms: 150 } });
    const first = await startWorker(fixture);
    const row = await first.untilRunning(
      'SIG-1',
      ({ turn_count, last_message }) => turn_count >= 2 && last_message !== '',
    );
    const pid = row.codex_app_server_pid ?? 0;
    expect(fixture.agents().map((agent) => agent.pid)).toContain(pid);

    expect(await first.end(signal)).toEqual({ code: 0, signal: null });
    expect(isRunning(pid)).toBe(false);
    expect(fixture.processes()).toEqual([]);
    expect(exists(fixture.workspace('SIG-1'))).toBe(true);
    expect(await fixture.issueState('SIG-1')).toBe('Todo');

    const second = await startWorker(fixture);
    await second.until('SIG-1 is delivered', ({ ended }) =>
      ended.some(({ outcome }) => outcome === 'delivered'),
    );
    expect(await fixture.issueState('SIG-1')).toBe('Human Review');
    expect(branches(fixture.remote)).toEqual(['ai/SIG-1', 'main']);
    expect(workCommits(fixture.remote, 'ai/SIG-1', 'SIG-1')).toHaveLength(3);
    expect(notes(fixture.remote, 'ai/SIG-1', 'SIG-1').slice(1)).toEqual([
      '- [x] step 1',
      '- [x] step 2',
      '- [x] step 3',
    ]);
  },
);

it('ends an agent that ignores SIGTERM while it drains', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('SIG-2', { mock: { behaviour: 'ignore_sigterm' } });
  const worker = await startWorker(fixture);
  const row = await worker.untilRunning('SIG-2', ({ last_message }) => last_message === 'Going silent');
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(isRunning(row.codex_app_server_pid ?? 0)).toBe(false);
  expect(fixture.processes()).toEqual([]);
});

it('a second signal ends the agents’ processes, then leaves at once', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('SIG-3', { mock: { behaviour: 'ignore_sigterm' } });
  const first = await startWorker(fixture);
  const row = await first.untilRunning('SIG-3', ({ last_message }) => last_message === 'Going silent');
  const orphan = row.codex_app_server_pid ?? 0;
  first.kill('SIGTERM');
  await waitFor('the worker drains', () => first.log().some(({ msg }) => msg === 'shutting down'));
  const exit = await first.end('SIGTERM');
  expect(exit).toEqual({ code: 130, signal: null });
  expect(isRunning(orphan)).toBe(false);
  expect(fixture.processes()).toEqual([]);
});

it('after_run has its time in a shutdown, which says what it waits for, and the run is recorded', async () => {
  const fixture = await openFixture({
    hooks: {
      after_run: `sleep ${HOOK_S}; touch "$AIOPS_WORKSPACE/../after-run-is-through"`,
      timeout_ms: 60_000,
    },
  });
  await fixture.writeIssue('SIG-4', { mock: { step_ms: 20 } });
  const worker = await startWorker(fixture);
  await worker.untilRunning('SIG-4', ({ phase }) => phase === 'Finishing');
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(exists(join(fixture.workspaces, 'after-run-is-through'))).toBe(true);
  expect(fixture.processes()).toEqual([]);
  const waiting = worker.log().filter(({ msg }) => msg === 'waiting for runs to end');
  expect(waiting[0]).toMatchObject({ limit_ms: 90_000, runs: ['SIG-4 (after_run)'] });
  const again = await startWorker(fixture);
  const { ended } = await again.client.state();
  expect(ended.map(({ issue_identifier, outcome }) => [issue_identifier, outcome])).toEqual([
    ['SIG-4', 'delivered'],
  ]);
});
