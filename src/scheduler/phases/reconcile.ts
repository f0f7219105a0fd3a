import type { Issue, RefreshOutcome } from '../../domain/issue.ts';
import type { StopReason } from '../../domain/run-outcome.ts';
import type { Draft } from '../core/draft.ts';
import { stallTimeoutOfRun } from '../core/settings.ts';
import type { LiveRun } from '../core/state.ts';
import { exhaustedBudget } from '../rules/budgets.ts';
import { standingOf, whyUnroutable } from '../rules/eligibility.ts';
import { isCompletingHandOver, withIssue } from '../rules/hand-over.ts';
import { handedOverAt } from '../rules/outcome.ts';
import { releaseClaim } from './claims.ts';
import { beginCleanup } from './cleanup.ts';
import { onInterruptedChecked } from './interrupted.ts';
import { NOT_PUSHED, reconcileNotPushed } from './not-pushed.ts';

/** An agent that handed its issue over itself gets this long to end its turn in peace. */
const HANDOFF_GRACE_MS = 60_000;

/** A change seen while a tool call is under way may be that call's; a call that takes longer proves nothing. */
const TOOL_GRACE_MS = 30_000;
/** After this long a runner answers for a tool that does not. */
const MAX_TOOL_MS = 120_000;

/** Tells a run to stop. The first reason wins; its claim stays until the run has ended. */
export function stopRun(draft: Draft, run: LiveRun, reason: StopReason): void {
  if (run.stopping !== null) return;
  draft.live.set(run.runId, { ...run, stopping: reason });
  draft.emit({ type: 'stop_run', runId: run.runId, reason });
  draft.publish('stopped', describeStop(reason), run.issue, run);
}

export function describeStop(reason: StopReason): string {
  switch (reason.kind) {
    case 'terminal':
    case 'inactive':
      return `the issue is now ${reason.state}`;
    case 'unroutable':
    case 'budget':
      return reason.detail;
    case 'missing':
      return 'the issue is no longer in the tracker';
    case 'stalled':
      return `no agent activity for ${Math.round(reason.silentMs / 1000)} s`;
    case 'operator':
      return `stopped by ${reason.by}`;
    case 'shutdown':
      return 'the worker is shutting down';
  }
}

/** Stops runs that fell silent or passed a guardrail. Silence counts from the agent's start, never from the clone. */
export function stopOverdueRuns(draft: Draft): void {
  for (const [, run] of draft.live.entries()) {
    if (run.stopping !== null) continue;
    // Its agent has ended; what follows has limits of its own.
    if (run.phase === 'Finishing') continue;
    const stallTimeoutMs = stallTimeoutOfRun(run.agent, draft.settings);
    const silentMs = silenceOf(run, draft.now);
    const spent = exhaustedBudget(draft, draft.record(run.issue), run);
    if (stallTimeoutMs > 0 && silentMs > stallTimeoutMs) stopRun(draft, run, { kind: 'stalled', silentMs });
    else if (spent !== null)
      stopRun(draft, run, { kind: 'budget', scope: spent.scope, detail: spent.detail });
  }
}

/** An agent that waits for a tool of the worker's is not silent: the worker is. */
function silenceOf({ lastAgentEventAt, toolCalls }: LiveRun, now: number): number {
  if (lastAgentEventAt === null) return 0;
  if (toolCalls.open > 0 && now - toolCalls.since < MAX_TOOL_MS) return 0;
  return now - lastAgentEventAt;
}

/** Applies what the tracker says about one known issue. Unknown changes nothing. */
export function reconcileIssue(draft: Draft, issueId: string, outcome: RefreshOutcome): void {
  if (outcome.kind === 'unknown') return;
  onInterruptedChecked(draft, issueId, outcome);
  const claim = draft.claims.get(issueId);
  if (claim === undefined) {
    reconcileHeld(draft, issueId, outcome);
    return;
  }
  if (claim.phase === 'checking') return;
  if (claim.phase === 'running') {
    const run = draft.live.get(claim.runId);
    if (run !== undefined) reconcileRun(draft, run, outcome);
    return;
  }
  if (outcome.kind === 'absent') {
    releaseClaim(draft, claim.issue, false, 'the issue is no longer in the tracker');
    return;
  }
  const { issue } = outcome;
  if (claim.phase === 'blocked' && claim.method === NOT_PUSHED) {
    reconcileNotPushed(draft, claim, issue);
    return;
  }
  const standing = standingOf(issue.state, draft.settings);
  const why =
    standing === 'active' ? whyUnroutable(issue, draft.settings) : `the issue is now ${issue.state}`;
  if (why === null) {
    draft.claims.set(issueId, { ...claim, issue });
    return;
  }
  releaseClaim(draft, issue, standing !== 'active', why);
  if (standing === 'terminal') beginCleanup(draft, issue);
}

function reconcileRun(
  draft: Draft,
  run: LiveRun,
  outcome: Exclude<RefreshOutcome, { kind: 'unknown' }>,
): void {
  if (outcome.kind === 'absent') {
    stopRun(draft, run, { kind: 'missing' });
    return;
  }
  const updated = withIssue(run, outcome.issue, draft.settings);
  draft.live.set(run.runId, updated);
  const reason = whyStop(draft, outcome.issue);
  if (run.stopping !== null) {
    if (run.stopping.kind === 'terminal' && reason === null) latchOperatorStop(draft, updated);
    return;
  }
  considerStop(draft, updated);
}

/** Stops a run whose issue is not to be worked on any more, unless the agent's own hand moved it just now or it is ending. */
export function considerStop(draft: Draft, run: LiveRun): void {
  const reason = run.stopping === null ? whyStop(draft, run.issue) : null;
  if (reason === null || isCompletingHandOver(run)) return;
  const { open, since } = run.toolCalls;
  if (open > 0 && draft.now - since < TOOL_GRACE_MS) return;
  // A reviewer may be quicker than the end of the turn: the hand-over stands, wherever the issue went from there.
  const handedOff = handedOverAt(run);
  if (handedOff !== null && draft.now - handedOff < HANDOFF_GRACE_MS) return;
  if (reason.kind === 'terminal' && handedOff === null) noteOperatorStop(draft, run);
  stopRun(draft, run, reason);
}

/** Why a live run's issue should not be worked on any more, or null. */
export function whyStop(draft: Draft, issue: Issue): StopReason | null {
  const standing = standingOf(issue.state, draft.settings);
  if (standing === 'terminal') return { kind: 'terminal', state: issue.state };
  if (standing === 'inactive') return { kind: 'inactive', state: issue.state };
  const detail = whyUnroutable(issue, draft.settings);
  return detail === null ? null : { kind: 'unroutable', detail };
}

function reconcileHeld(
  draft: Draft,
  issueId: string,
  outcome: Exclude<RefreshOutcome, { kind: 'unknown' }>,
): void {
  if (outcome.kind === 'absent') return;
  const { issue } = outcome;
  const standing = standingOf(issue.state, draft.settings);
  const record = draft.records.get(issueId);
  if (standing !== 'active' && record !== undefined && !record.leftActive) {
    draft.saveRecord({ ...record, leftActive: true });
  }
  if (standing === 'terminal') beginCleanup(draft, issue);
}

function noteOperatorStop(draft: Draft, run: LiveRun): void {
  const operatorStop = {
    state: run.issue.state,
    stoppedAt: draft.now,
    latched: false,
    suppressed: 0,
    firstSuppressed: null,
  };
  draft.saveRecord({ ...draft.record(run.issue), operatorStop });
  draft.publish('operator_terminal_stop', `moved to ${run.issue.state} while a run was live`, run.issue, run);
}

/** Active again while its run is still ending: the dying run did it, so the stop holds until an operator clears it. */
function latchOperatorStop(draft: Draft, run: LiveRun): void {
  const record = draft.record(run.issue);
  if (record.operatorStop === null || record.operatorStop.latched) return;
  draft.saveRecord({ ...record, operatorStop: { ...record.operatorStop, latched: true } });
  draft.publish(
    'operator_terminal_stop_dispatch_suppressed',
    'turned active again by the run being stopped',
    run.issue,
    run,
  );
}
