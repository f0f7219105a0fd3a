import type { Issue } from '../../domain/issue.ts';
import type { RetryKind, RunId } from '../../domain/run-event.ts';
import type { RuntimeEventKind } from '../core/commands.ts';
import type { Draft } from '../core/draft.ts';
import type { BlockedClaim, IssueRecord, RetryingClaim } from '../core/state.ts';
import type { Exhausted } from '../rules/budgets.ts';
import { whenDueRetryStarts } from '../rules/wait-rules.ts';

export function retryTimerKey(issueId: string): string {
  return `retry:${issueId}`;
}

export interface RetryPlan {
  readonly kind: RetryKind;
  readonly attempt: number;
  readonly dueAt: number;
  readonly error: string | null;
  readonly answer?: string;
}

/** Queues the issue's next run. It stays claimed; an earlier timer of the same issue is replaced. */
export function queueRetry(draft: Draft, issue: Issue, plan: RetryPlan, record: IssueRecord): void {
  const delayMs = Math.max(0, plan.dueAt - draft.now);
  const claim: RetryingClaim = { phase: 'retrying', issue, ...plan, delayMs, answer: plan.answer ?? null };
  draft.claims.set(issue.id, claim);
  draft.saveRecord({ ...record, claim });
  draft.emit({ type: 'set_timer', key: retryTimerKey(issue.id), at: plan.dueAt });
  const when = delayMs === 0 ? whenDueRetryStarts(draft, issue) : whenText(delayMs);
  const why = plan.error === null ? '' : `: ${plan.error}`;
  draft.publish('retry_scheduled', `${plan.kind} run ${when} (attempt ${plan.attempt})${why}`, issue);
}

function whenText(delayMs: number): string {
  return delayMs < 1000 ? 'in less than 1 s' : `in ${Math.round(delayMs / 1000)} s`;
}

export interface Block {
  readonly method: string;
  readonly error: string;
  readonly question: string | null;
  readonly runId: RunId | null;
  readonly commit?: string | null;
  readonly kind: RuntimeEventKind;
}

/** Holds the claim without a slot until the tracker or an operator says otherwise. */
export function blockIssue(draft: Draft, issue: Issue, block: Block, record: IssueRecord): void {
  const { kind, ...rest } = block;
  const claim: BlockedClaim = { phase: 'blocked', issue, blockedAt: draft.now, ...rest };
  draft.claims.set(issue.id, claim);
  draft.emit({ type: 'clear_timer', key: retryTimerKey(issue.id) });
  draft.saveRecord({ ...record, claim });
  draft.publish(kind, block.error, issue, block.runId === null ? undefined : { runId: block.runId });
}

/** Gives the claim up, saying why unless a run's end has said it. With `leftActive` the next dispatch starts with fresh budgets: a person moved the issue. */
export function releaseClaim(draft: Draft, issue: Issue, leftActive: boolean, why?: string): void {
  draft.claims.delete(issue.id);
  forgetCandidate(draft, issue.id);
  draft.emit({ type: 'clear_timer', key: retryTimerKey(issue.id) });
  const record = draft.record(issue);
  draft.saveRecord({ ...record, claim: null, leftActive: record.leftActive || leftActive });
  draft.held.set(issue.id, issue.identifier);
  if (why !== undefined) draft.publish('released', why, issue);
}

/** What the last listing said about this issue is out of date; the next poll may list it again. */
export function forgetCandidate(draft: Draft, issueId: string): void {
  if (!draft.candidates.has(issueId)) return;
  const candidates = new Map(draft.candidates);
  candidates.delete(issueId);
  draft.candidates = candidates;
}

/** The Go worker's names for a budget block: its turn budget has one of its own. */
export function budgetBlock(spent: Exhausted): ['continuation_budget' | 'budget_exceeded', RuntimeEventKind] {
  return spent.scope === 'issue' && spent.unit === 'turns'
    ? ['continuation_budget', 'continuation_budget_blocked']
    : ['budget_exceeded', 'budget_exceeded'];
}
