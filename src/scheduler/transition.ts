import type { RefreshOutcome } from '../domain/issue.ts';
import type { Command } from './core/commands.ts';
import { Draft } from './core/draft.ts';
import type { SchedulerEvent } from './core/events.ts';
import type { SchedulerSettings } from './core/settings.ts';
import type { PendingRefresh, SchedulerState } from './core/state.ts';
import { continueCleanup, onWorkspaceRemoved, retryCleanup } from './phases/cleanup.ts';
import { onClockMoved } from './phases/clock-moved.ts';
import { fillSlots, onDispatchAnswered } from './phases/dispatch.ts';
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
  const apply = HANDLERS[event.type] as (draft: Draft, event: SchedulerEvent) => void;
  apply(draft, event);
  if (!FREES_NO_SLOT.has(event.type)) fillSlots(draft, false);
  return draft.finish();
}

/** What each fact does to the state. */
const HANDLERS: {
  readonly [Type in SchedulerEvent['type']]: (
    draft: Draft,
    event: Extract<SchedulerEvent, { readonly type: Type }>,
  ) => void;
} = {
  started: onStarted,
  clock_moved: onClockMoved,
  timer_fired: (draft, { key }) => onTimer(draft, key),
  poll_requested: (draft) => beginTick(draft, true),
  candidates_listed: (draft, { issues }) => onCandidatesListed(draft, issues),
  candidates_failed: (draft, { failure }) => onCandidatesFailed(draft, failure),
  issues_refreshed: (draft, { requestId, outcomes }) =>
    onRefreshed(draft, requestId, (id) => outcomes.get(id) ?? NOT_ANSWERED),
  refresh_failed: (draft, { requestId, failure }) =>
    onRefreshed(draft, requestId, () => ({ kind: 'unknown', reason: failure.message })),
  run_fact: (draft, { runId, fact }) => onRunFact(draft, runId, fact),
  agents_heard: (draft, { at }) => onAgentsHeard(draft, at),
  tool_started: (draft, { runId }) => onToolStarted(draft, runId),
  tool_finished: (draft, { runId, effect }) => onToolFinished(draft, runId, effect),
  follow_ups_filed: (draft, { runId, filed }) => onFollowUpsFiled(draft, runId, filed),
  turn_ended: (draft, { runId, turn, evidence }) => onTurnEnded(draft, runId, turn, evidence),
  run_ended: (draft, { runId, result }) => onRunEnded(draft, runId, result),
  workspace_removed: (draft, { issueId, error }) => onWorkspaceRemoved(draft, issueId, error),
  push_ended: (draft, { issueId, result }) => onPushEnded(draft, issueId, result),
  branch_inspected: (draft, { issueId, branch }) => onBranchInspected(draft, issueId, branch),
  config_changed(draft) {
    resumeRaisedBudgets(draft);
    beginTick(draft, true);
  },
  operator: (draft, { action }) => onOperatorAction(draft, action),
  shutdown(draft) {
    draft.draining = true;
    for (const [, run] of [...draft.live.entries()]) stopRun(draft, run, { kind: 'shutdown' });
  },
};

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
  { purpose, ids, confirms }: PendingRefresh,
  outcomeOf: (id: string) => RefreshOutcome,
): void {
  if (purpose.kind === 'dispatch') {
    onDispatchAnswered(draft, ids, outcomeOf);
    return;
  }
  for (const id of ids) {
    if (purpose.kind === 'reconcile') reconcileIssue(draft, id, outcomeOf(id));
    else if (purpose.kind === 'sweep') onSweepChecked(draft, id, outcomeOf(id));
    else if (purpose.kind === 'cleanup') continueCleanup(draft, id, outcomeOf(id));
    else onTurnChecked(draft, purpose.runId, purpose.turn, outcomeOf(id));
  }
  if (purpose.kind === 'reconcile' && confirms !== true) continueTick(draft);
}
