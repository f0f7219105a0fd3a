import type { Config } from '../config/config.ts';
import { type SchedulerSettings, schedulerSettings } from '../scheduler/settings.ts';
import type { Tracker } from '../trackers/tracker.ts';

/** One reading of the workflow: configuration, its tracker, and what the scheduler needs of them. */
export interface WorkflowSnapshot {
  readonly config: Config;
  /** Null when the tracker could not be made; `preflightErrors` then says why. */
  readonly tracker: Tracker | null;
  readonly settings: SchedulerSettings;
}

export function workflowSnapshot(
  config: Config,
  tracker: Tracker | null,
  preflightErrors: readonly string[] = [],
): WorkflowSnapshot {
  return { config, tracker, settings: schedulerSettings(config, preflightErrors) };
}
