import type { IssueId } from '../domain/issue.ts';
import type { Draft } from './draft.ts';
import type { RefreshPurpose } from './state.ts';

/** Asks the tracker for these ids; the answer finds its purpose again by the request id. */
export function requestRefresh(draft: Draft, ids: readonly IssueId[], purpose: RefreshPurpose): void {
  const requestId = draft.nextId();
  draft.pending.set(requestId, { purpose, ids });
  draft.emit({ type: 'refresh_issues', requestId, ids });
}
