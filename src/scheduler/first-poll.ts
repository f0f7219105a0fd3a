import type { Issue } from '../domain/issue.ts';
import { explainWaiting } from './explain.ts';
import { initialState } from './initial-state.ts';
import { compareForDispatch } from './order.ts';
import type { SchedulerSettings } from './settings.ts';
import { transition } from './transition.ts';

export interface ListedIssue {
  readonly issue: Issue;
  /** Null for an issue that would start at once. */
  readonly reason: string | null;
}

/** What a worker that remembers nothing and has every slot free makes of a listing, best first. */
export function explainListing(
  issues: readonly Issue[],
  settings: SchedulerSettings,
  now: number,
): readonly ListedIssue[] {
  const [listing] = transition(
    initialState('foreseen'),
    { type: 'started', records: [], workspaces: [] },
    now,
    settings,
  );
  const [state] = transition(listing, { type: 'candidates_listed', issues }, now, settings);
  const reasons = new Map(
    explainWaiting(state, settings, now).map(({ issue, reason }) => [issue.id, reason]),
  );
  return [...state.candidates.values()]
    .sort(compareForDispatch)
    .map((issue) => ({ issue, reason: reasons.get(issue.id) ?? null }));
}
