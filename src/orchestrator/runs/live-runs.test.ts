import { expect, it } from 'vitest';
import { pushNowhere } from '../../../test/fakes/no-remote.ts';
import { makeIssue } from '../../../test/fakes/scheduler-fixture.ts';
import type { RunResult } from '../../domain/run-outcome.ts';
import { NO_FOLLOW_UPS } from '../../domain/tool.ts';
import type { RunSpec } from '../../run/protocol.ts';
import type { SchedulerEvent } from '../../scheduler/core/events.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { crashResult, LiveRuns } from './live-runs.ts';

const COMPLETED: RunResult = { ...crashResult(new Error('x')), end: { kind: 'completed' }, turns: 1 };

it('ends only the run whose event the worker could not take, as failed and with the reason', async () => {
  const ended = new Map<string, RunResult>();
  const stopped: string[] = [];
  const runs = new LiveRuns(
    async ({ runId }, channel) => {
      await Promise.resolve();
      channel.stop.addEventListener('abort', () => stopped.push(runId));
      channel.emit({ type: 'phase', phase: 'PreparingWorkspace', detail: runId });
      channel.emit({ type: 'phase', phase: 'PreparingWorkspace', detail: 'again' });
      return COMPLETED;
    },
    (event: SchedulerEvent) => {
      if (event.type === 'run_ended') ended.set(event.runId, event.result);
    },
    (runId) => {
      if (runId === 'bad') throw new RangeError('Maximum call stack size exceeded');
    },
    () => NO_FOLLOW_UPS,
  );
  for (const runId of ['bad', 'good']) runs.start(specOf(runId), {} as RunTools, pushNowhere);
  await runs.settled();
  expect(stopped).toEqual(['bad']);
  expect(ended.get('good')).toEqual(COMPLETED);
  expect(ended.get('bad')?.end).toEqual({
    kind: 'failed',
    code: 'internal_error',
    message: 'the run crashed: Maximum call stack size exceeded',
  });
});

function specOf(runId: string): RunSpec {
  return { runId, issue: makeIssue(runId) } as RunSpec;
}
