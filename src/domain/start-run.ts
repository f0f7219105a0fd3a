import type { Issue } from './issue.ts';
import type { RetryKind, RunId } from './run-event.ts';

/** What the scheduler decides about a run that is to start. */
export interface StartRun {
  readonly runId: RunId;
  readonly issue: Issue;
  /** Null on the first run of an issue, 1-based after that. */
  readonly attempt: number | null;
  readonly retryKind: RetryKind | null;
  /** Turns this run may take. */
  readonly maxTurns: number;
  readonly resumeSessionId: string | null;
  /** The profile it runs under; null for `agent.default`. */
  readonly profile: string | null;
  /** A person's answer to the question the last run ended with. */
  readonly answer: string | null;
}
