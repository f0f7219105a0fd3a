import { assertNever } from '../domain/assert-never.ts';
import type { RefreshOutcome } from '../domain/issue.ts';
import type { Command } from './core/commands.ts';
import { Draft } from './core/draft.ts';
import type { SchedulerEvent } from './core/events.ts';
import type { SchedulerSettings } from './core/settings.ts';
import type { PendingRefresh, SchedulerState } from './core/state.ts';
import { continueCleanup, onWorkspaceRemoved, retryCleanup } from './phases/cleanup.ts';
import { onClockMoved } from './phases/clock-moved.ts';
import { fillSlots, onDispatchChecked } from './phases/dispatch.ts';
import { onOperatorAction, resumeRaisedBudgets } from './phases/operator-actions.ts';
import { onBranchInspected, onPushEnded } from './phases/push.ts';
import { reconcileIssue, stopRun } from './phases/reconcile.ts';
import { doubtAbsences } from './phases/refresh.ts';
import { onRunEnded } from './phases/run-end.ts';
import {
  onAgentsHeard,
  onFollowUpsFiled,
  onRunFact,
  onToolFinished,
  onToolStarted,
  onTurnChecked,
  onTurnEnded,
} from './phases/run-progress.ts';
import { onStarted, onSweepChecked } from './phases/startup.ts';
import {
  beginTick,
  continueTick,
  onCandidatesFailed,
  onCandidatesListed,
  TICK_TIMER,
} from './phases/tick.ts';

/** The frequent facts, which never leave a slot free that somebody could use. */
const FREES_NO_SLOT: ReadonlySet<SchedulerEvent['type']> = new Set([
  'run_fact',
  'agents_heard',
  'tool_started',
  'tool_finished',
  'follow_ups_filed',
  'turn_ended',
]);

/** The whole scheduler: one fact in, the next state and the effects it wants out. Pure. */
export function transition(
  state: SchedulerState,
  event: SchedulerEvent,
  now: number,
  settings: SchedulerSettings,
): [SchedulerState, readonly Command[]] {
  const draft = new Draft(state, now, settings);
  apply(draft, event);
  if (!FREES_NO_SLOT.has(event.type)) fillSlots(draft, false);
  return draft.finish();
}

function apply(draft: Draft, event: SchedulerEvent): void {
  switch (event.type) {
    case 'started':
      onStarted(draft, event);
      break;
    case 'clock_moved':
      onClockMoved(draft, event);
      break;
    case 'timer_fired':
      onTimer(draft, event.key);
      break;
    case 'poll_requested':
      beginTick(draft, true);
      break;
    case 'candidates_listed':
      onCandidatesListed(draft, event.issues);
      break;
    case 'candidates_failed':
      onCandidatesFailed(draft, event.failure);
      break;
    case 'issues_refreshed':
      onRefreshed(draft, event.requestId, (id) => event.outcomes.get(id) ?? NOT_ANSWERED);
      break;
    case 'refresh_failed':
      onRefreshed(draft, event.requestId, () => ({ kind: 'unknown', reason: event.failure.message }));
      break;
    case 'run_fact':
    case 'tool_started':
    case 'tool_finished':
    case 'follow_ups_filed':
    case 'turn_ended':
    case 'run_ended':
      applyOfRun(draft, event);
      break;
    case 'agents_heard':
      onAgentsHeard(draft, event.at);
      break;
    case 'workspace_removed':
      onWorkspaceRemoved(draft, event.issueId, event.error);
      break;
    case 'push_ended':
      onPushEnded(draft, event.issueId, event.result);
      break;
    case 'branch_inspected':
      onBranchInspected(draft, event.issueId, event.branch);
      break;
    case 'config_changed':
      onConfigChanged(draft);
      break;
    case 'operator':
      onOperatorAction(draft, event.action);
      break;
    case 'shutdown':
      onShutdown(draft);
      break;
    default:
      assertNever(event);
  }
}

type FactOfRun = Extract<SchedulerEvent, { readonly runId: string }>;

function applyOfRun(draft: Draft, event: FactOfRun): void {
  switch (event.type) {
    case 'run_fact':
      onRunFact(draft, event.runId, event.fact);
      break;
    case 'tool_started':
      onToolStarted(draft, event.runId);
      break;
    case 'tool_finished':
      onToolFinished(draft, event.runId, event.effect);
      break;
    case 'follow_ups_filed':
      onFollowUpsFiled(draft, event.runId, event.filed);
      break;
    case 'turn_ended':
      onTurnEnded(draft, event.runId, event.turn, event.evidence);
      break;
    case 'run_ended':
      onRunEnded(draft, event.runId, event.result);
      break;
    default:
      assertNever(event);
  }
}

const NOT_ANSWERED: RefreshOutcome = { kind: 'unknown', reason: 'the tracker did not answer for this id' };

function onTimer(draft: Draft, key: string): void {
  if (key === TICK_TIMER) beginTick(draft, draft.tick.again);
  else if (key.startsWith('cleanup:')) retryCleanup(draft, key.slice('cleanup:'.length));
}

function onRefreshed(draft: Draft, requestId: string, outcomeOf: (id: string) => RefreshOutcome): void {
  const pending = draft.pending.get(requestId);
  if (pending === undefined) return;
  draft.pending.delete(requestId);
  const doubted = doubtAbsences(draft, pending, outcomeOf);
  const ids = pending.ids.filter((id) => !doubted.has(id));
  applyRefresh(draft, { ...pending, ids }, outcomeOf);
}

function applyRefresh(
  draft: Draft,
  pending: PendingRefresh,
  outcomeOf: (id: string) => RefreshOutcome,
): void {
  const { purpose } = pending;
  switch (purpose.kind) {
    case 'reconcile':
      for (const id of pending.ids) reconcileIssue(draft, id, outcomeOf(id));
      if (pending.confirms !== true) continueTick(draft);
      break;
    case 'sweep':
      for (const id of pending.ids) onSweepChecked(draft, id, outcomeOf(id));
      break;
    case 'dispatch':
      onDispatchChecked(draft, purpose.issueId, outcomeOf(purpose.issueId));
      break;
    case 'turn':
      for (const id of pending.ids) onTurnChecked(draft, purpose.runId, purpose.turn, outcomeOf(id));
      break;
    case 'cleanup':
      continueCleanup(draft, purpose.issueId, outcomeOf(purpose.issueId));
      break;
    default:
      assertNever(purpose);
  }
}

function onConfigChanged(draft: Draft): void {
  resumeRaisedBudgets(draft);
  beginTick(draft, true);
}

function onShutdown(draft: Draft): void {
  draft.draining = true;
  for (const [, run] of [...draft.live.entries()]) stopRun(draft, run, { kind: 'shutdown' });
}
