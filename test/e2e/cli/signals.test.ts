import { join } from 'node:path';
import { expect, it } from 'vitest';
import { branches, notes, workCommits } from './git.ts';
import { isRunning } from './processes.ts';
import { exists } from './stage.ts';
import { waitFor } from './wait.ts';
import { openStage, startWorker } from './worker-harness.ts';

/** Longer than what a waiting worker is silent for. */
const HOOK_S = 7;

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends agents, keeps their workspaces, and a restart goes on (R-2.1-c, R-7.4-d, R-17.7-e)',
  async (signal) => {
    const stage = await openStage();
    await stage.writeIssue('SIG-1', { mock: { behaviour: 'turns', turns: 3, step_ms: 150 } });
    const first = await startWorker(stage);
    const row = await first.untilRunning(
      'SIG-1',
      ({ turn_count, last_message }) => turn_count >= 2 && last_message !== '',
    );
    const pid = row.codex_app_server_pid ?? 0;
    expect(stage.agents().map((agent) => agent.pid)).toContain(pid);

    expect(await first.end(signal)).toEqual({ code: 0, signal: null });
    expect(isRunning(pid)).toBe(false);
    expect(stage.processes()).toEqual([]);
    expect(exists(stage.workspace('SIG-1'))).toBe(true);
    expect(await stage.issueState('SIG-1')).toBe('Todo');

    const second = await startWorker(stage);
    await second.until('SIG-1 is delivered', ({ ended }) =>
      ended.some(({ outcome }) => outcome === 'delivered'),
    );
    expect(await stage.issueState('SIG-1')).toBe('Human Review');
    expect(branches(stage.remote)).toEqual(['ai/SIG-1', 'main']);
    expect(workCommits(stage.remote, 'ai/SIG-1', 'SIG-1')).toHaveLength(3);
    expect(notes(stage.remote, 'ai/SIG-1', 'SIG-1').slice(1)).toEqual([
      '- [x] step 1',
      '- [x] step 2',
      '- [x] step 3',
    ]);
  },
);

it('ends an agent that ignores SIGTERM while it drains', async () => {
  const stage = await openStage();
  await stage.writeIssue('SIG-2', { mock: { behaviour: 'ignore_sigterm' } });
  const worker = await startWorker(stage);
  const row = await worker.untilRunning('SIG-2', ({ last_message }) => last_message === 'Going silent');
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(isRunning(row.codex_app_server_pid ?? 0)).toBe(false);
  expect(stage.processes()).toEqual([]);
});

it('a second signal ends the agents’ processes, then leaves at once', async () => {
  const stage = await openStage();
  await stage.writeIssue('SIG-3', { mock: { behaviour: 'ignore_sigterm' } });
  const first = await startWorker(stage);
  const row = await first.untilRunning('SIG-3', ({ last_message }) => last_message === 'Going silent');
  const orphan = row.codex_app_server_pid ?? 0;
  first.kill('SIGTERM');
  await waitFor('the worker drains', () => first.log().some(({ msg }) => msg === 'shutting down'));
  const exit = await first.end('SIGTERM');
  expect(exit).toEqual({ code: 130, signal: null });
  expect(isRunning(orphan)).toBe(false);
  expect(stage.processes()).toEqual([]);
});

it('after_run has its time in a shutdown, which says what it waits for, and the run is recorded', async () => {
  const stage = await openStage({
    hooks: {
      after_run: `sleep ${HOOK_S}; touch "$AIOPS_WORKSPACE/../after-run-is-through"`,
      timeout_ms: 60_000,
    },
  });
  await stage.writeIssue('SIG-4', { mock: { step_ms: 20 } });
  const worker = await startWorker(stage);
  await worker.untilRunning('SIG-4', ({ phase }) => phase === 'Finishing');
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(exists(join(stage.workspaces, 'after-run-is-through'))).toBe(true);
  expect(stage.processes()).toEqual([]);
  const waiting = worker.log().filter(({ msg }) => msg === 'waiting for runs to end');
  expect(waiting[0]).toMatchObject({ limit_ms: 90_000, runs: ['SIG-4 (after_run)'] });
  const again = await startWorker(stage);
  const { ended } = await again.client.state();
  expect(ended.map(({ issue_identifier, outcome }) => [issue_identifier, outcome])).toEqual([
    ['SIG-4', 'delivered'],
  ]);
});
