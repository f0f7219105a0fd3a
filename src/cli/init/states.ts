import type { TrackerPlan } from './plan.ts';

/** How a tracker names the steps of the work. */
export interface WorkStates {
  readonly active: readonly string[];
  readonly inactive: readonly string[];
  readonly terminal: readonly string[];
  /** Where a person puts an issue that an agent shall take. */
  readonly ready: string;
  /** Sent back by a reviewer; null where there is no such state. */
  readonly rework: string | null;
  /** Where the agent puts it when its work is done. */
  readonly review: string;
}

const NAMED = { ready: 'Todo', review: 'Human Review' };

/** What `aiops init` sets up where the tracker has no states of its own yet. */
export const WORK_STATES: Readonly<Record<TrackerPlan['kind'], WorkStates>> = {
  github: {
    active: ['aiops/todo', 'aiops/rework'],
    inactive: ['aiops/human-review'],
    terminal: ['closed'],
    ready: 'aiops/todo',
    rework: 'aiops/rework',
    review: 'aiops/human-review',
  },
  gitea: {
    ...NAMED,
    active: ['Todo', 'In Progress', 'Rework'],
    inactive: ['Human Review', 'Merging'],
    terminal: ['Done', 'Canceled'],
    rework: 'Rework',
  },
  linear: {
    ...NAMED,
    active: ['Todo', 'In Progress'],
    inactive: ['Backlog', 'In Review'],
    terminal: ['Done', 'Canceled', 'Duplicate'],
    review: 'In Review',
    rework: null,
  },
  local: {
    ...NAMED,
    active: ['Todo', 'In Progress', 'Rework'],
    inactive: ['Backlog', 'Human Review'],
    terminal: ['Done', 'Closed', 'Cancelled', 'Duplicate'],
    rework: 'Rework',
  },
};

export function statesOf(tracker: TrackerPlan): WorkStates {
  return tracker.kind === 'linear' ? tracker.states : WORK_STATES[tracker.kind];
}
