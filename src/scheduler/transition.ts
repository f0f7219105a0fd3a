import { assertNever } from '../domain/assert-never.ts';
import type { RefreshOutcome } from '../domain/issue.ts';
import { continueCleanup, onWorkspaceRemoved, retryCleanup } from './cleanup.ts';
import { onClockMoved } from './clock-moved.ts';
import type { Command } from './commands.ts';
import { fillSlots, onDispatchChecked } from './dispatch.ts';
import { Draft } from './draft.ts';
import type { SchedulerEvent } from './events.ts';
import { onOperatorAction, resumeRaisedBudgets } from './operator.ts';
import { onBranchInspected, onPushEnded } from './push.ts';
import { reconcileIssue, stopRun } from './reconcile.ts';
import { doubtAbsences } from './refresh.ts';
import { onRunEnded } from './run-end.ts';
import { onRunEvent, onToolFinished, onToolStarted, onTurnChecked, onTurnEnded } from './run-progress.ts';
import type { SchedulerSettings } from './settings.ts';
import { onStarted, onSweepChecked } from './startup.ts';
import type { PendingRefresh, SchedulerState } from './state.ts';
import { beginTick, continueTick, onCandidatesFailed, onCandidatesListed, TICK_TIMER } from './tick.ts';

/** The frequent facts, which never leave a slot free that somebody could use. */
const FREES_NO_SLOT: ReadonlySet<SchedulerEvent['type']> = new Set([
  'run_event',
  'tool_started',
  'tool_finished',
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
      return onStarted(draft, event);
    case 'clock_moved':
      return onClockMoved(draft, event);
    case 'timer_fired':
      return onTimer(draft, event.key);
    case 'poll_requested':
      return beginTick(draft, true);
    case 'candidates_listed':
      return onCandidatesListed(draft, event.issues);
    case 'candidates_failed':
      return onCandidatesFailed(draft, event.failure);
    case 'issues_refreshed':
      return onRefreshed(draft, event.requestId, (id) => event.outcomes.get(id) ?? NOT_ANSWERED);
    case 'refresh_failed':
      return onRefreshed(draft, event.requestId, () => ({ kind: 'unknown', reason: event.failure.message }));
    case 'run_event':
      return onRunEvent(draft, event.runId, event.event);
    case 'tool_started':
      return onToolStarted(draft, event.runId);
    case 'tool_finished':
      return onToolFinished(draft, event.runId, event.effect);
    case 'turn_ended':
      return onTurnEnded(draft, event.runId, event.turn, event.evidence);
    case 'run_ended':
      return onRunEnded(draft, event.runId, event.result);
    case 'workspace_removed':
      return onWorkspaceRemoved(draft, event.issueId, event.error);
    case 'push_ended':
      return onPushEnded(draft, event.issueId, event.result);
    case 'branch_inspected':
      return onBranchInspected(draft, event.issueId, event.pushed);
    case 'config_changed':
      return onConfigChanged(draft);
    case 'operator':
      return onOperatorAction(draft, event.action);
    case 'shutdown':
      return onShutdown(draft);
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
