import type { Issue, IssueId } from '../../domain/issue.ts';
import type { RetryKind, RunId, RunPhase, TurnDecision } from '../../domain/run-event.ts';
import type { Outcome, StopReason } from '../../domain/run-outcome.ts';
import type { Spend } from '../../domain/spend.ts';
import type { FollowUps, ToolEffect } from '../../domain/tool.ts';
import type { TokenUsage } from '../../domain/usage.ts';
import type { Agent } from './profile.ts';

/** Everything the scheduler knows. Only `transition` makes a new one. */
export interface SchedulerState {
  /** Makes run ids unique across restarts. */
  readonly bootId: string;
  readonly serial: number;
  readonly paused: boolean;
  /** Shutting down: nothing is dispatched any more. */
  readonly draining: boolean;
  readonly intake: Intake;
  /** Issues that must not be dispatched afresh, each in exactly one phase. */
  readonly claims: ReadonlyMap<IssueId, Claim>;
  /** One entry per live run; its claim is in phase `running`. */
  readonly live: ReadonlyMap<RunId, LiveRun>;
  /** What is remembered of an issue over all its runs. Durable. */
  readonly records: ReadonlyMap<IssueId, IssueRecord>;
  /** The last complete listing of active issues. */
  readonly candidates: ReadonlyMap<IssueId, Issue>;
  /** Candidates that a look before somebody else's start told of since the last listing. */
  readonly justRead: { readonly at: number; readonly ids: ReadonlySet<IssueId> };
  /** Unclaimed issues whose workspace still exists: watched for a terminal state. */
  readonly held: ReadonlyMap<IssueId, string>;
  readonly cleaning: ReadonlyMap<IssueId, Cleaning>;
  /** Branches that the worker is pushing because an operator asked. */
  readonly pushing: ReadonlyMap<IssueId, PushUnderWay>;
  readonly pending: ReadonlyMap<string, PendingRefresh>;
  readonly tick: TickState;
  readonly lastPoll: LastPoll | null;
  readonly totals: { readonly usage: TokenUsage; readonly runtimeMs: number; readonly costUsd: number };
  /** Booked on the current UTC day and in this worker's life, over all issues. */
  readonly spent: { readonly day: number; readonly today: Spend; readonly worker: Spend };
}

/**
 * `open` takes new issues for as long as the worker lives; `one_poll` until its first poll has been answered. `closed`
 * takes none: what runs goes on, and polls only look after that.
 */
export type Intake = 'open' | 'one_poll' | 'closed';

export type Claim = CheckingClaim | RunningClaim | RetryingClaim | BlockedClaim;

/** A slot is reserved while the issue is read once more before its run starts. */
export interface CheckingClaim {
  readonly phase: 'checking';
  readonly issue: Issue;
  /** The retry this check is for; null for a candidate. */
  readonly retry: RetryingClaim | null;
}

export interface RunningClaim {
  readonly phase: 'running';
  readonly runId: RunId;
}

export interface RetryingClaim {
  readonly phase: 'retrying';
  readonly issue: Issue;
  readonly kind: RetryKind;
  readonly attempt: number;
  readonly dueAt: number;
  /** How long the wait was to be; unknown in records from before it was kept. */
  readonly delayMs?: number | null | undefined;
  readonly error: string | null;
  /** What a person answered to the question the issue was blocked on. */
  readonly answer: string | null;
}

export type BlockedMethod = string;

export interface BlockedClaim {
  readonly phase: 'blocked';
  readonly issue: Issue;
  /** `continuation_budget`, `budget_exceeded`, `no_progress`, `not_pushed`, `operator`, or the agent's own request method. */
  readonly method: BlockedMethod;
  readonly error: string;
  readonly question: string | null;
  readonly blockedAt: number;
  readonly runId: RunId | null;
  /** Of a hand-over that was not pushed: its head, when it is not on the work branch. */
  readonly commit?: string | null;
}

export interface LiveRun {
  readonly runId: RunId;
  readonly issue: Issue;
  readonly stateAtStart: string;
  /** As it was chosen at the start; nothing changes it while the run lives. */
  readonly agent: Agent;
  readonly agentReason: string | null;
  readonly attempt: number | null;
  readonly retryKind: RetryKind | null;
  readonly maxTurns: number;
  readonly startedAt: number;
  /** Time since then that nobody is charged for: the worker could not work. */
  readonly pausedMs: number;
  readonly phase: RunPhase;
  readonly workspacePath: string | null;
  readonly branch: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly turnsStarted: number;
  readonly turnsCompleted: number;
  /** The stall clock: null until the agent itself has started. */
  readonly lastAgentEventAt: number | null;
  readonly usage: TokenUsage;
  readonly costUsd: number | null;
  /** How much of the above is already booked in the issue's record. */
  readonly settled: { readonly usage: TokenUsage; readonly costUsd: number; readonly at: number };
  /** Tool calls under way, and when the last of them began. */
  readonly toolCalls: { readonly open: number; readonly since: number };
  readonly effects: readonly { readonly effect: ToolEffect; readonly at: number }[];
  /** Where the issue was given out of the agent's hands, by a tool or as the end of a turn found it. */
  readonly handOver: { readonly state: string; readonly byTool: boolean } | null;
  /** The one extra turn for pushing has been given. */
  readonly pushAsked: boolean;
  /** Set once: the first reason to stop wins. */
  readonly stopping: StopReason | null;
  /** The last answer given to "may I go on?". */
  readonly decision: TurnDecision | null;
}

/** Counters of the current episode (since a person last put the issue into an active state) and lifetime sums. */
export interface IssueRecord {
  readonly issueId: IssueId;
  readonly identifier: string;
  readonly runs: number;
  /** Turns started: counted before they cost anything, failed ones included. */
  readonly turns: number;
  readonly usage: TokenUsage;
  readonly runtimeMs: number;
  readonly costUsd: number;
  readonly noProgressRuns: number;
  readonly quotaWaits: number;
  readonly lifetime: { readonly runs: number; readonly usage: TokenUsage; readonly runtimeMs: number };
  /** What the issue used on one UTC day; an older day counts as nothing. */
  readonly today: { readonly day: number; readonly spend: Spend } | null;
  readonly lastOutcome: Outcome | null;
  /** The last conversation, and who led it: nobody else can go on with it. */
  readonly session: {
    readonly runner: string;
    readonly profile: string | null;
    readonly sessionId: string;
  } | null;
  readonly operatorStop: OperatorStop | null;
  /** Of all episodes; left out while there are none. */
  readonly followUps?: FollowUps | undefined;
  /** True once the issue was seen outside the active states; the next dispatch begins a new episode. */
  readonly leftActive: boolean;
  /** The run that is live, as it was last written down: what a killed worker leaves of it. */
  readonly underWay?: RunUnderWay | null | undefined;
  /** The claim to restore after a restart. */
  readonly claim: RetryingClaim | BlockedClaim | null;
  /** When it last changed; left out in records from before it was kept. */
  readonly savedAt?: number | undefined;
}

/** What is kept of a run, while it lives and when it is over. */
export interface RunFacts {
  readonly runId: RunId;
  readonly title: string;
  readonly url: string | null;
  readonly attempt: number | null;
  readonly startedAt: number;
  /** Time since then in which the worker could not work. */
  readonly pausedMs: number;
  readonly stateBefore: string;
  readonly usage: TokenUsage;
  readonly costUsd: number | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly runner: string;
  /** Null for `agent.default`. */
  readonly profile: string | null;
  readonly workspacePath: string | null;
}

export interface RunUnderWay extends RunFacts {
  /** When it was last written down. */
  readonly seenAt: number;
  readonly turns: number;
  readonly handOver: LiveRun['handOver'];
  /** Its issue as the next life found it; never written down. */
  readonly foundIn?: Issue;
  /** Looks at its branch that found nothing out. */
  readonly looks?: number;
}

export interface OperatorStop {
  readonly state: string;
  readonly stoppedAt: number;
  /** Set when the issue turned active again while its run was still ending: not a person's doing. */
  readonly latched: boolean;
  /** Polls that listed the issue as active and did not start it. */
  readonly suppressed: number;
  readonly firstSuppressed: { readonly at: number; readonly state: string; readonly reason: string } | null;
}

export interface Cleaning {
  readonly identifier: string;
  readonly attempts: number;
}

export interface PushUnderWay {
  readonly identifier: string;
  /** Who asked. */
  readonly by: string;
}

export type RefreshPurpose =
  | { readonly kind: 'reconcile' }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'dispatch' }
  | { readonly kind: 'turn'; readonly runId: RunId; readonly turn: number }
  | { readonly kind: 'cleanup' };

export interface PendingRefresh {
  readonly purpose: RefreshPurpose;
  readonly ids: readonly IssueId[];
  /** Asked a second time, because the first answer had them gone. */
  readonly confirms?: boolean;
}

export interface TickState {
  readonly phase: 'idle' | 'refreshing' | 'listing';
  readonly startedAt: number;
  /** When the next tick is due; null while one is under way. */
  readonly dueAt: number | null;
  /** Somebody asked for another tick while this one was under way. */
  readonly again: boolean;
  readonly heldCheckedAt: number;
  /** The listing under way does not look into single issues. */
  readonly brief?: boolean;
}

export interface LastPoll {
  readonly at: number;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly error: string | null;
  readonly candidates: number;
  /** When the first of the failed polls ended that this one is the last of; null when it succeeded. */
  readonly failingSince: number | null;
}
