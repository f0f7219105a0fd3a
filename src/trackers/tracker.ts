import type { Issue, IssueId, RefreshOutcome } from '../domain/issue.ts';
import type { ToolCall, ToolResult, ToolSpec } from '../domain/tool.ts';

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
  /** The agent's tools; results carry failures, nothing throws. */
  readonly tools: TrackerTools;
  /** Calls back soon after something in scope may have changed; null when the tracker cannot tell. */
  readonly changes: ChangeSource | null;
  /** What is left of the token's allowance; absent or null when the tracker has none. */
  readonly budget?: TrackerBudget | null;
}

export interface ListingOptions {
  /** Nothing can start now: what would cost a request per issue stays as it was last learnt. Default false. */
  readonly brief?: boolean;
}

export interface TrackerBudget {
  read(): BudgetReading;
}

/** Instants are epoch milliseconds; null means the tracker has not said. */
export interface BudgetReading {
  readonly remaining: number | null;
  readonly limit: number | null;
  readonly resetAt: number | null;
  /** Sent since the worker started, answers without a body included. */
  readonly requests: number;
  readonly notModified: number;
  /** Set while nothing is sent because the tracker asked for silence. */
  readonly pausedUntil: number | null;
  /** Set while polls are put off, because of a pause or to make the allowance last until its reset. */
  readonly slowedUntil: number | null;
  /** Every allowance of the token; the scarcest one is what `remaining`, `limit` and `resetAt` tell of. */
  readonly allowances: readonly Allowance[];
}

/** One thing a token may use up, e.g. `core` and `graphql`, or `requests` and `complexity`. */
export interface Allowance {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export interface TrackerTools {
  readonly specs: readonly ToolSpec[];
  /** Names of environment variables that hold the tracker's credential: never given to an agent. */
  readonly secretEnvironmentNames: readonly string[];
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>;
}

/** The issue is the one the run was started for; a tool may touch no other. */
export interface ToolContext {
  readonly issue: Issue;
  readonly signal: AbortSignal;
}

export interface ChangeSource {
  /** Starts watching; resolves when changes made from now on are seen. The returned function stops it. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
}
