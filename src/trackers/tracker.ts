import type { Issue, IssueId, RefreshOutcome } from '../domain/issue.ts';
import type { Survey } from '../domain/survey.ts';
import type { RequestBudget } from '../http/budget/request-budget.ts';
import type { RunTools } from '../tools/run-tools.ts';
import type { IssueEditor } from './issue-editor.ts';

/**
 * What the worker needs from a tracker: two reads. Calls are atomic (a broken page fails the whole call),
 * empty input makes no request, and failures are AppErrors with a `tracker_*` code.
 */
export interface Tracker {
  readonly kind: string;
  /** Issues of the configured scope in these states, undispatchable ones included, in provider order. */
  fetchIssuesByStates(
    states: readonly string[],
    signal: AbortSignal,
    options?: ListingOptions,
  ): Promise<readonly Issue[]>;
  /** One outcome per distinct requested id. */
  fetchIssuesByIds(
    ids: readonly IssueId[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<IssueId, RefreshOutcome>>;
  /** How many issues one request of `fetchIssuesByIds` can ask for; default 1. */
  readonly idsPerRequest?: number;
  /** The agent's tools; results carry failures, nothing throws. */
  readonly tools: RunTools;
  /** Calls back soon after something in scope may have changed; null when the tracker cannot tell. */
  readonly changes: ChangeSource | null;
  /** What is left of the token's allowance; absent or null when the tracker has none. */
  readonly budget?: RequestBudget | null;
  /** Tells what there is besides the issues in active states; absent when the tracker cannot. */
  readonly survey?: SurveySource;
  /** Lets people write issues through the worker; absent where the tracker has a page for that. */
  readonly editor?: IssueEditor;
}

/** For people who wonder why nothing runs; no decision hangs on it. */
export interface SurveySource {
  /** `none`: the last listing has seen it all already. `request`: each look is one more request. */
  readonly cost: 'none' | 'request';
  read(signal: AbortSignal): Promise<Survey>;
}

export interface ListingOptions {
  /** Nothing can start now: what would cost a request per issue stays as it was last learnt. Default false. */
  readonly brief?: boolean;
}

export interface ChangeSource {
  /** Starts watching; resolves when changes made from now on are seen. The returned function stops it. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}
