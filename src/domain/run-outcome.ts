import type { BudgetScope } from './spend.ts';

/** Facts about what a run left behind; every field is what was observed, null when it could not be. */
export interface RunEvidence {
  readonly branch: string | null;
  readonly headCommit: string | null;
  /** Commits on the work branch that the base branch lacks. */
  readonly commitsAhead: number | null;
  /** Commits made during this run. */
  readonly newCommits: number | null;
  /** True when the remote has the head commit. */
  readonly pushed: boolean | null;
  readonly filesChanged: number | null;
  readonly uncommittedFiles: number | null;
  readonly pullRequestUrl: string | null;
}

/** What git says of an issue's branch, whether or not a run is live. */
export type BranchStanding = Pick<RunEvidence, 'pushed' | 'commitsAhead'>;

export const UNKNOWN_STANDING: BranchStanding = { pushed: null, commitsAhead: null };

export const NO_EVIDENCE: RunEvidence = {
  branch: null,
  headCommit: null,
  commitsAhead: null,
  newCommits: null,
  pushed: null,
  filesChanged: null,
  uncommittedFiles: null,
  pullRequestUrl: null,
};

/** True when commits are known to be where nobody else can see them. What could not be observed is no reason to doubt. */
export function hasUnpushedCommits({ commitsAhead, pushed }: RunEvidence): boolean {
  return pushed === false && commitsAhead !== null && commitsAhead > 0;
}

/** True when files were changed and nothing was ever committed. */
export function hasEditsOnly({ commitsAhead, uncommittedFiles }: RunEvidence): boolean {
  return commitsAhead === 0 && uncommittedFiles !== null && uncommittedFiles > 0;
}

/** Why the scheduler told a run to stop. The first reason wins. */
export type StopReason =
  | { readonly kind: 'terminal'; readonly state: string }
  | { readonly kind: 'inactive'; readonly state: string }
  | { readonly kind: 'unroutable'; readonly detail: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'stalled'; readonly silentMs: number }
  | { readonly kind: 'budget'; readonly scope: BudgetScope; readonly detail: string }
  | { readonly kind: 'operator'; readonly by: string }
  | { readonly kind: 'shutdown' };

/** How a run ended, as the run itself saw it. */
export type RunEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'input_required'; readonly method: string; readonly question: string }
  | { readonly kind: 'quota'; readonly message: string; readonly resetAt: number | null }
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export interface RunResult {
  readonly end: RunEnd;
  /** Turns that completed. */
  readonly turns: number;
  readonly evidence: RunEvidence;
}

/** One outcome per run, derived from its end, the tracker and the evidence. */
export type OutcomeKind =
  | 'delivered'
  | 'progressed'
  | 'no_progress'
  | 'failed'
  | 'timed_out'
  | 'stalled'
  | 'canceled'
  | 'blocked';

export interface Outcome {
  readonly kind: OutcomeKind;
  /** One line a person can act on. */
  readonly summary: string;
}
