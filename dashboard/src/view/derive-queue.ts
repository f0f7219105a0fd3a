import type { WireRetryKind } from '../../../src/contract/claim-rows.ts';
import { formatCountdown } from '../../../src/contract/format.ts';
import { describeQueue } from '../../../src/contract/queue.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveIssue, type IssueView, lastRunOf } from './derive-issue.ts';

export interface WaitingView {
  readonly key: string;
  readonly issue: IssueView;
  readonly state: string;
  readonly reason: string;
}

export interface RetryView {
  readonly key: string;
  readonly issue: IssueView;
  readonly kind: string;
  readonly isFailure: boolean;
  readonly attempt: string;
  readonly due: string;
  /** Why it has not started although it is due, else what went wrong last. */
  readonly error: string | null;
}

/** A file or record that nobody can run, and why. */
export interface IgnoredView {
  readonly name: string;
  readonly why: string;
}

const KINDS: Readonly<Record<WireRetryKind, string>> = {
  failure: 'After a failure',
  continuation: 'More turns',
  quota_backoff: 'Waiting for quota',
};

export function deriveWaiting(snapshot: StateSnapshot): readonly WaitingView[] {
  return snapshot.waiting.map((row) => ({
    key: row.issue_id,
    issue: deriveIssue(row),
    state: row.state,
    reason: row.reason,
  }));
}

/** Why there is something to do, or nothing; null when the worker does not tell. */
export function deriveQueue({ queue }: StateSnapshot): string | null {
  return queue === undefined ? null : describeQueue(queue);
}

export function deriveIgnored({ queue }: StateSnapshot): readonly IgnoredView[] {
  return queue?.ignored ?? [];
}

/** The one that is due first comes first. */
export function deriveRetrying(snapshot: StateSnapshot, workerNow: number): readonly RetryView[] {
  return snapshot.retrying
    .toSorted((a, b) => Date.parse(a.due_at) - Date.parse(b.due_at))
    .map((row) => ({
      key: row.issue_id,
      issue: deriveIssue(row, lastRunOf(snapshot, row.issue_id)),
      kind: KINDS[row.kind],
      isFailure: row.kind === 'failure',
      attempt: `attempt ${row.attempt}`,
      due: formatCountdown((Date.parse(row.due_at) - workerNow) / 1000),
      error: row.reason ?? row.error,
    }));
}
