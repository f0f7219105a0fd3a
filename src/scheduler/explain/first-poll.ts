import type { Issue } from '../../domain/issue.ts';
import { initialState } from '../core/initial-state.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { SchedulerState } from '../core/state.ts';
import { compareForDispatch } from '../rules/order.ts';
import { transition } from '../transition.ts';
import { explainWaiting, type WaitingIssue } from './explain.ts';

export interface ListedIssue {
  readonly issue: Issue;
  /** Null for an issue that would start at once. */
  readonly reason: string | null;
}

export interface FirstPoll {
  /** Best first. */
  readonly issues: readonly ListedIssue[];
  readonly waiting: readonly WaitingIssue[];
  readonly state: SchedulerState;
}

/** What a worker that remembers nothing and has every slot free makes of a listing, best first. */
export function explainListing(
  issues: readonly Issue[],
  settings: SchedulerSettings,
  now: number,
): FirstPoll {
  const [listing] = transition(
    initialState('dry-run'),
    { type: 'started', records: [], workspaces: [] },
    now,
    settings,
  );
  const [state] = transition(listing, { type: 'candidates_listed', issues }, now, settings);
  const waiting = explainWaiting(state, settings, now);
  const reasons = new Map(waiting.map(({ issue, reason }) => [issue.id, reason]));
  const listed = [...state.candidates.values()]
    .sort(compareForDispatch)
    .map((issue) => ({ issue, reason: reasons.get(issue.id) ?? null }));
  return { issues: listed, waiting, state };
}
