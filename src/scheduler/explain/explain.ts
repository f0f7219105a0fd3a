import type { Issue } from '../../domain/issue.ts';
import { Draft } from '../core/draft.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { Claim, SchedulerState } from '../core/state.ts';
import { whyNobodyMayStart } from '../phases/dispatch.ts';
import { whyIneligible } from '../rules/eligibility.ts';
import { compareForDispatch } from '../rules/order.ts';
import { SlotCount } from '../rules/slots.ts';

export interface WaitingIssue {
  readonly issue: Issue;
  /** What it waits for: a slot, the worker as a whole, nothing any more, or something that holds this very issue. */
  readonly kind: 'slot' | 'worker' | 'starting' | 'held';
  readonly reason: string;
}

/** Every listed issue that nobody works on, best first, with the reason why it waits. */
export function explainWaiting(
  state: SchedulerState,
  settings: SchedulerSettings,
  now: number,
): readonly WaitingIssue[] {
  const draft = new Draft(state, now, settings);
  const slots = new SlotCount(draft);
  const nobody = whyNobodyMayStart(draft);
  return [...state.candidates.values()]
    .filter((issue) => !state.claims.has(issue.id))
    .sort(compareForDispatch)
    .map((issue) => ({ issue, ...whyWaiting(state, settings, slots, nobody, issue) }));
}

/** Why a retry has not started although it is due; null of one that is not, and of any other claim. */
export function retryReasons(
  state: SchedulerState,
  settings: SchedulerSettings,
  now: number,
): (claim: Claim) => Omit<WaitingIssue, 'issue'> | null {
  const draft = new Draft(state, now, settings);
  const slots = new SlotCount(draft);
  const nobody = whyNobodyMayStart(draft);
  return (claim) => {
    if (claim.phase === 'checking')
      return claim.retry === null
        ? null
        : { kind: 'starting', reason: 'about to start: its state is being confirmed' };
    if (claim.phase !== 'retrying' || claim.dueAt > now) return null;
    return whyNotYet(state, slots, nobody, claim.issue);
  };
}

function whyWaiting(
  state: SchedulerState,
  settings: SchedulerSettings,
  slots: SlotCount,
  nobody: string | null,
  issue: Issue,
): Omit<WaitingIssue, 'issue'> {
  const held = whyHeld(state, settings, issue);
  return held === null ? whyNotYet(state, slots, nobody, issue) : { kind: 'held', reason: held };
}

/** What an issue that nothing of its own holds back waits for. */
function whyNotYet(
  state: SchedulerState,
  slots: SlotCount,
  nobody: string | null,
  issue: Issue,
): Omit<WaitingIssue, 'issue'> {
  if (nobody !== null) return { kind: 'worker', reason: nobody };
  const refusal = slots.refusal(issue);
  if (refusal !== null) return { kind: 'slot', reason: refusal };
  return state.intake === 'closed'
    ? { kind: 'worker', reason: 'this worker was asked for one poll only' }
    : { kind: 'starting', reason: 'about to start' };
}

/** What is about this issue itself. */
function whyHeld(state: SchedulerState, settings: SchedulerSettings, issue: Issue): string | null {
  if (state.cleaning.has(issue.id)) return 'its workspace is being removed';
  if (state.records.get(issue.id)?.operatorStop?.latched === true) {
    return 'stopped by a person, then reopened by the run being stopped; clear the stop to go on';
  }
  return whyIneligible(issue, settings);
}
