import type { IssueId, RefreshOutcome } from '../../domain/issue.ts';
import type { ReadUrgency } from '../core/commands.ts';
import type { Draft } from '../core/draft.ts';
import type { PendingRefresh, RefreshPurpose } from '../core/state.ts';

/** Asks the tracker for these ids; the answer finds its purpose again by the request id. */
export function requestRefresh(
  draft: Draft,
  ids: readonly IssueId[],
  purpose: RefreshPurpose,
  urgency?: ReadUrgency,
): void {
  const requestId = draft.nextId();
  draft.pending.set(requestId, { purpose, ids, ...(urgency === 'alone' ? { confirms: true } : {}) });
  draft.emit({ type: 'refresh_issues', requestId, ids, ...(urgency === undefined ? {} : { urgency }) });
}

const DOUBTED: ReadonlySet<RefreshPurpose['kind']> = new Set(['reconcile', 'turn', 'dispatch']);

/**
 * A short page looks the same as an issue that is gone. So whoever would lose a run or a claim for being absent is asked
 * for once more, alone; the ids returned are those whose answer is still to come.
 */
export function doubtAbsences(
  draft: Draft,
  { purpose, ids, confirms = false }: PendingRefresh,
  outcomeOf: (id: IssueId) => RefreshOutcome,
): ReadonlySet<IssueId> {
  if (confirms || !DOUBTED.has(purpose.kind)) return new Set();
  const doubted = ids.filter((id) => outcomeOf(id).kind === 'absent' && isAtStake(draft, id));
  for (const id of doubted) requestRefresh(draft, [id], purpose, 'alone');
  return new Set(doubted);
}

function isAtStake(draft: Draft, issueId: IssueId): boolean {
  const claim = draft.claims.get(issueId);
  if (claim === undefined) return false;
  if (claim.phase === 'checking') return claim.retry !== null;
  return claim.phase !== 'running' || draft.live.get(claim.runId)?.stopping === null;
}
