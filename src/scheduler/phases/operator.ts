import { ZERO_USAGE } from '../../domain/usage.ts';
import type { Draft } from '../core/draft.ts';
import type { OperatorAction } from '../core/events.ts';
import type { BlockedClaim, IssueRecord } from '../core/state.ts';
import { exhaustedBudget } from '../rules/budgets.ts';
import { queueRetry } from './claims.ts';
import { letGo, NOT_PUSHED } from './not-pushed.ts';
import { startPush } from './push.ts';
import { stopRun } from './reconcile.ts';

/** Acts on the scheduler only, never on the tracker. An action that no longer applies changes nothing. */
export function onOperatorAction(draft: Draft, action: OperatorAction): void {
  switch (action.kind) {
    case 'pause':
    case 'resume':
      if (draft.paused === (action.kind === 'pause')) return;
      draft.paused = action.kind === 'pause';
      draft.publish('operator_action', action.kind === 'pause' ? 'dispatch paused' : 'dispatch resumed');
      return;
    case 'stop_run': {
      const claim = draft.claims.get(action.issueId);
      const run = claim?.phase === 'running' ? draft.live.get(claim.runId) : undefined;
      if (run !== undefined) stopRun(draft, run, { kind: 'operator', by: action.by });
      return;
    }
    case 'answer':
      answerQuestion(draft, action.issueId, action.text);
      return;
    case 'message': {
      const claim = draft.claims.get(action.issueId);
      if (claim?.phase !== 'running') return;
      draft.emit({ type: 'message_run', runId: claim.runId, text: action.text });
      return;
    }
    case 'retry_now':
      retryNow(draft, action.issueId, action.resetBudget);
      return;
    case 'push':
      startPush(draft, action.issueId, action.by);
      return;
    case 'clear_stop': {
      const record = draft.records.get(action.issueId);
      if (record === undefined || record.operatorStop === null) return;
      draft.saveRecord({ ...record, operatorStop: null });
      draft.publish('operator_action', 'terminal stop cleared', {
        id: record.issueId,
        identifier: record.identifier,
      });
    }
  }
}

function retryNow(draft: Draft, issueId: string, resetBudget: boolean): void {
  const claim = draft.claims.get(issueId);
  if (claim?.phase !== 'blocked' && claim?.phase !== 'retrying') return;
  if (claim.phase === 'blocked' && claim.method === NOT_PUSHED) {
    letGo(draft, claim.issue);
    return;
  }
  const record = draft.record(claim.issue);
  draft.publish('operator_action', resetBudget ? 'retry now with fresh budgets' : 'retry now', claim.issue);
  resumeNow(draft, claim.issue, resetBudget ? withFreshBudgets(record) : { ...record, noProgressRuns: 0 });
}

function answerQuestion(draft: Draft, issueId: string, text: string): void {
  const claim = draft.claims.get(issueId);
  if (claim?.phase !== 'blocked' || claim.question === null) return;
  draft.publish('operator_action', 'question answered', claim.issue);
  const plan = { kind: 'continuation', attempt: 1, dueAt: draft.now, error: null, answer: text } as const;
  queueRetry(draft, claim.issue, plan, draft.record(claim.issue));
}

function resumeNow(draft: Draft, issue: BlockedClaim['issue'], record: IssueRecord): void {
  queueRetry(draft, issue, { kind: 'continuation', attempt: 1, dueAt: draft.now, error: null }, record);
}

function withFreshBudgets(record: IssueRecord): IssueRecord {
  return { ...record, turns: 0, usage: ZERO_USAGE, runtimeMs: 0, costUsd: 0, noProgressRuns: 0 };
}

/** After a reload: issues blocked by a budget that has been raised go on. */
export function resumeRaisedBudgets(draft: Draft): void {
  for (const [, claim] of [...draft.claims.entries()]) {
    if (claim.phase !== 'blocked') continue;
    if (claim.method !== 'continuation_budget' && claim.method !== 'budget_exceeded') continue;
    const record = draft.record(claim.issue);
    if (exhaustedBudget(draft, record, null) !== null) continue;
    resumeNow(draft, claim.issue, record);
  }
}
