import type { Outcome, RunResult } from '../../domain/run-outcome.ts';
import type { EndedRun, RuntimeEventKind } from '../core/commands.ts';
import type { Draft } from '../core/draft.ts';
import type { IssueRecord, LiveRun } from '../core/state.ts';
import { factsOf } from '../core/under-way.ts';
import { CONTINUATION_DELAY_MS, failureDelay, quotaDelay } from '../rules/backoff.ts';
import { type Exhausted, exhaustedBudget } from '../rules/budgets.ts';
import { standingOf } from '../rules/eligibility.ts';
import { END_EVENTS } from '../rules/end-events.ts';
import { classifyOutcome, handedOffAt, madeProgress } from '../rules/outcome.ts';
import { nextDayAt, runtimeOf, settleRun } from '../rules/spending.ts';
import { blockIssue, budgetBlock, queueRetry, releaseClaim } from './claims.ts';
import { beginCleanup } from './cleanup.ts';
import { blockNotPushed, unpushedHandOver } from './not-pushed.ts';
import { whyStop } from './reconcile.ts';

/** A run is over: account for it, give it its one outcome, decide what becomes of the claim. */
export function onRunEnded(draft: Draft, runId: string, reported: RunResult): void {
  const run = draft.live.get(runId);
  if (run === undefined) return;
  const result = withPullRequest(run, reported);
  const outcome = classifyOutcome(run, result, draft.settings);
  const record = accountFor(draft, run, result, outcome);
  draft.emit({ type: 'record_run', run: endedRun(draft, run, result, outcome) });
  publishEnd(draft, run, outcome);
  routeClaim(draft, run, result, outcome, record);
}

/** The pull request an agent linked through a tool belongs to the evidence. */
function withPullRequest(run: LiveRun, result: RunResult): RunResult {
  const linked = run.effects.findLast(({ effect }) => effect.kind === 'pull_request')?.effect;
  if (linked?.kind !== 'pull_request' || result.evidence.pullRequestUrl !== null) return result;
  return { ...result, evidence: { ...result.evidence, pullRequestUrl: linked.url } };
}

function accountFor(draft: Draft, run: LiveRun, result: RunResult, outcome: Outcome): IssueRecord {
  settleRun(draft, run);
  draft.live.delete(run.runId);
  draft.totals = {
    ...draft.totals,
    runtimeMs: draft.totals.runtimeMs + runtimeOf(run, draft.now),
  };
  const record = draft.record(run.issue);
  const progressed = madeProgress(run, result) || outcome.kind === 'delivered';
  const idle = outcome.kind === 'no_progress' ? 1 : 0;
  return {
    ...record,
    noProgressRuns: progressed ? 0 : record.noProgressRuns + idle,
    quotaWaits: result.end.kind === 'quota' ? record.quotaWaits + 1 : 0,
    lastOutcome: outcome,
    underWay: null,
  };
}

function routeClaim(
  draft: Draft,
  run: LiveRun,
  result: RunResult,
  outcome: Outcome,
  record: IssueRecord,
): void {
  const { issue } = run;
  draft.saveRecord(record);
  const unpushed = unpushedHandOver(draft, run, result);
  const gone = leftBehind(draft, run);
  if (unpushed !== null && gone !== 'missing' && gone !== 'unroutable') {
    blockNotPushed(draft, run, unpushed, result.evidence, record);
    return;
  }
  if (gone !== null) {
    releaseClaim(draft, issue, gone !== 'missing' && gone !== 'unroutable');
    if (gone === 'terminal') beginCleanup(draft, issue);
    return;
  }
  // Handed over, though the tracker was last heard before that.
  if (outcome.kind === 'delivered') {
    releaseClaim(draft, issue, true);
    return;
  }
  const { end } = result;
  // A run that had ended by itself goes on as it would have; the shutdown only came meanwhile.
  const stop = end.kind !== 'stopped' && run.stopping?.kind === 'shutdown' ? null : run.stopping;
  if (stop?.kind === 'shutdown') {
    draft.claims.delete(issue.id);
    return;
  }
  if (stop?.kind === 'operator') {
    block(draft, run, 'operator', `${outcome.summary}; retry it to go on`, 'operator_action', record);
  } else if (stop?.kind === 'budget') {
    holdForBudget(draft, run, { ...stop, unit: 'tokens' }, record);
  } else if (end.kind === 'input_required') {
    const error = `the agent needs an answer: ${end.question}`;
    blockIssue(
      draft,
      issue,
      { method: end.method, error, question: end.question, runId: run.runId, kind: 'input_blocked' },
      record,
    );
  } else if (end.kind === 'quota') {
    const dueAt = draft.now + quotaDelay(end.resetAt, draft.now, record.quotaWaits - 1);
    queueRetry(
      draft,
      issue,
      { kind: 'quota_backoff', attempt: Math.max(1, run.attempt ?? 1), dueAt, error: end.message },
      record,
    );
  } else if (outcome.kind === 'progressed' || outcome.kind === 'no_progress') {
    continueLater(draft, run, record);
  } else {
    const attempt = (run.attempt ?? 0) + 1;
    const dueAt = draft.now + failureDelay(attempt, draft.settings.maxRetryBackoffMs);
    queueRetry(draft, issue, { kind: 'failure', attempt, dueAt, error: outcome.summary }, record);
  }
}

/** How the issue left the worker's hands for good, or null when it is still to be worked on. */
function leftBehind(draft: Draft, run: LiveRun): 'terminal' | 'inactive' | 'unroutable' | 'missing' | null {
  const { stopping, decision } = run;
  if (
    stopping?.kind === 'missing' ||
    (stopping === null && decision?.kind === 'finish' && decision.why === 'missing')
  )
    return 'missing';
  const reason = whyStop(draft, run.issue);
  if (reason?.kind === 'terminal' || reason?.kind === 'inactive' || reason?.kind === 'unroutable')
    return reason.kind;
  if (stopping?.kind === 'terminal' || stopping?.kind === 'inactive' || stopping?.kind === 'unroutable') {
    return standingOf(run.issue.state, draft.settings) === 'active' ? 'unroutable' : stopping.kind;
  }
  return null;
}

/** The issue is still active after a clean run: go on in a second, unless a budget or the lack of progress forbids it. */
function continueLater(draft: Draft, run: LiveRun, record: IssueRecord): void {
  const spent = exhaustedBudget(draft, record, null);
  if (spent !== null) {
    holdForBudget(draft, run, spent, record);
  } else if (draft.settings.noProgressRuns > 0 && record.noProgressRuns >= draft.settings.noProgressRuns) {
    const error = `${record.noProgressRuns} runs in a row left no new commit, file, pull request or tracker change`;
    block(draft, run, 'no_progress', error, 'no_progress_blocked', record);
  } else {
    const plan = {
      kind: 'continuation',
      attempt: 1,
      dueAt: draft.now + CONTINUATION_DELAY_MS,
      error: null,
    } as const;
    queueRetry(draft, run.issue, plan, record);
  }
}

/** The day's budget is waited out until the next UTC day; any other needs a person. */
function holdForBudget(draft: Draft, run: LiveRun, spent: Exhausted, record: IssueRecord): void {
  if (spent.scope === 'day') {
    const plan = {
      kind: 'quota_backoff',
      attempt: Math.max(1, run.attempt ?? 1),
      error: spent.detail,
    } as const;
    queueRetry(draft, run.issue, { ...plan, dueAt: nextDayAt(draft.now) }, record);
    return;
  }
  const [method, kind] = budgetBlock(spent);
  block(draft, run, method, spent.detail, kind, record);
}

function block(
  draft: Draft,
  run: LiveRun,
  method: string,
  error: string,
  kind: RuntimeEventKind,
  record: IssueRecord,
): void {
  blockIssue(draft, run.issue, { method, error, question: null, runId: run.runId, kind }, record);
}

function endedRun(draft: Draft, run: LiveRun, result: RunResult, outcome: Outcome): EndedRun {
  return {
    ...factsOf(run),
    issueId: run.issue.id,
    identifier: run.issue.identifier,
    endedAt: draft.now,
    stateAfter: run.issue.state,
    outcome,
    result,
    handedOff: handedOffAt(run) !== null,
  };
}

function publishEnd(draft: Draft, run: LiveRun, outcome: Outcome): void {
  const kind = END_EVENTS[outcome.kind];
  draft.publish(kind, `${outcome.kind}: ${outcome.summary}`, run.issue, run);
}
