import { expect, it } from 'vitest';
import { branches, notes, workCommits } from './git.ts';
import { isRunning } from './processes.ts';
import { exists } from './stage.ts';
import { waitFor } from './wait.ts';
import { openStage, startWorker } from './worker-harness.ts';

it.each(['SIGTERM', 'SIGINT'] as const)(
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

it('ends at once at the second signal; the next start ends the agent that was left', async () => {
  const stage = await openStage();
  await stage.writeIssue('SIG-3', { mock: { behaviour: 'ignore_sigterm' } });
  const first = await startWorker(stage);
  const row = await first.untilRunning('SIG-3', ({ last_message }) => last_message === 'Going silent');
  const orphan = row.codex_app_server_pid ?? 0;
  first.kill('SIGTERM');
  await waitFor('the worker drains', () => first.log().some(({ msg }) => msg === 'shutting down'));
  const exit = await first.end('SIGTERM');
  expect(exit).toEqual({ code: 130, signal: null });
  expect(isRunning(orphan)).toBe(true);

  await stage.moveIssue('SIG-3', 'Backlog');
  const second = await startWorker(stage);
  expect(isRunning(orphan)).toBe(false);
  expect(stage.agents()).toEqual([]);
  const line = second.log().find(({ msg }) => msg === 'ended agents left by an earlier worker');
  expect(line).toMatchObject({ level: 'warn', pids: expect.arrayContaining([orphan]) });
});
