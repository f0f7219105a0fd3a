import type { IssueDetail } from '../contract/issue-detail.ts';
import type { StateSnapshot } from '../contract/state.ts';

/** What the HTTP surface needs from the worker. Reads are cheap and synchronous; nothing here can block a poll. */
export interface StateSource {
  snapshot(): StateSnapshot;
  /** The same as JSON in UTF-8, ready to be sent; it may be a moment old, as `generated_at` says. */
  snapshotBody(): Uint8Array<ArrayBuffer>;
  /** An issue the worker has seen, by id or identifier, whatever the case; null when it has not. */
  issue(idOrIdentifier: string): IssueDetail | null;
  /** Asks for a poll and a reconcile as soon as possible. */
  requestRefresh(): { readonly coalesced: boolean };
  /** `reason` says what the worker waits for while it is not ready. */
  readiness(): { readonly ready: boolean; readonly reason: string };
}
