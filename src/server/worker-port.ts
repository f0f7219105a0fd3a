import type { ActionLog, ActionResult, OperatorAction } from '../contract/actions.ts';
import type { History } from '../contract/history.ts';
import type { IssueDetail } from '../contract/issue-detail.ts';
import type { RunDetail, RunDiff, RunList, TimelinePage } from '../contract/runs.ts';
import type { StateSnapshot } from '../contract/state.ts';
import type { RunMessage } from '../contract/stream.ts';
import type { WorkerIdentity } from '../contract/worker.ts';
import type { RunQuery } from '../orchestrator/snapshot/run-pages.ts';
import type { IssueEditor } from '../trackers/issue-editor.ts';
import type { MetricsInput } from './metrics.ts';

/**
 * What the HTTP surface needs from the worker. Reads are cheap; nothing here can block a poll. Calls that name an issue
 * or a run the worker does not know throw an AppError that says so.
 */
export interface WorkerPort {
  /** Which worker this is. */
  identity(): Omit<WorkerIdentity, 'may_act'>;
  snapshot(): StateSnapshot;
  /** The same as JSON in UTF-8, ready to be sent; it may be a moment old, as `generated_at` says. */
  snapshotBody(): Uint8Array<ArrayBuffer>;
  /** An issue the worker has seen, by id or identifier, whatever the case; null when it has not. */
  issue(idOrIdentifier: string): IssueDetail | null;
  /** Asks for a poll and a reconcile as soon as possible. */
  requestRefresh(): { readonly coalesced: boolean };
  /** Does what an operator asks; `from` is the address the request came from. A push is waited for. */
  act(action: OperatorAction, from: string | null): Promise<ActionResult>;
  /** Who asked for what, newest first. */
  actions(limit: number): ActionLog;
  runs(query: RunQuery): RunList;
  run(idOrPrefix: string): RunDetail;
  runEvents(
    idOrPrefix: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<TimelinePage>;
  runDiff(idOrPrefix: string, signal: AbortSignal): Promise<RunDiff>;
  history(bucket: History['bucket'], points: number): History;
  /** Writes issues of the tracker in force; null where that has a page for it. */
  issueEditor(): IssueEditor | null;
  metrics(): MetricsInput;
  /** Tells of every change until the returned function is called. */
  subscribe(listener: WorkerListener): () => void;
  /** `reason` says what the worker waits for while it is not ready. */
  readiness(): { readonly ready: boolean; readonly reason: string };
}

export interface WorkerListener {
  /** Something in the snapshot may have changed. Called often; must return at once. */
  changed(): void;
  /** A live run reported something. Called often; must return at once. `message` makes the costly part when wanted. */
  runEvent(runId: string, message: () => RunMessage): void;
}
