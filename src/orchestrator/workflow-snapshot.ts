import type { Config } from '../config/config.ts';
import { type SchedulerSettings, schedulerSettings } from '../scheduler/core/settings.ts';
import type { RunTools } from '../tools/run-tools.ts';
import type { Tracker } from '../trackers/tracker.ts';

/** One reading of the workflow: configuration, its tracker, and what the scheduler needs of them. */
export interface WorkflowSnapshot {
  readonly config: Config;
  /** Null when the tracker could not be made; `preflightErrors` then says why. */
  readonly tracker: Tracker | null;
  /** Every tool of a run: the tracker's, and those that deliver its work. Null without a tracker. */
  readonly tools: RunTools | null;
  readonly settings: SchedulerSettings;
}

export function workflowSnapshot(
  config: Config,
  tracker: Tracker | null,
  preflightErrors: readonly string[] = [],
  tools: RunTools | null = tracker?.tools ?? null,
): WorkflowSnapshot {
  // Half of a request: the other half is for those whose turn it is.
  const readAhead = Math.floor((tracker?.idsPerRequest ?? 1) / 2);
  return { config, tracker, tools, settings: schedulerSettings(config, preflightErrors, readAhead) };
}
