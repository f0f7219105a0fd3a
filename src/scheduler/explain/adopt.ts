import type { Issue } from '../../domain/issue.ts';
import type { RunId } from '../../domain/run-event.ts';
import { Draft } from '../core/draft.ts';
import { newLiveRun } from '../core/live-run.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { SchedulerState } from '../core/state.ts';

/** A run that somebody else executes. */
export interface RunElsewhere {
  readonly runId: RunId;
  readonly issue: Issue;
  readonly startedAt: number;
}

/** The same state with these runs live, for seeing what a worker that has them would do. */
export function adoptRuns(
  state: SchedulerState,
  runs: readonly RunElsewhere[],
  now: number,
  settings: SchedulerSettings,
): SchedulerState {
  const draft = new Draft(state, now, settings);
  for (const { runId, issue, startedAt } of runs) {
    const run = newLiveRun(draft, issue, { attempt: null, retryKind: null }, 0);
    draft.live.set(runId, { ...run, runId, startedAt });
    draft.claims.set(issue.id, { phase: 'running', runId });
  }
  return draft.finish()[0];
}
