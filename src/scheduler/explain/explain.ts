import type { Issue } from '../../domain/issue.ts';
import { Draft } from '../core/draft.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { Claim, SchedulerState } from '../core/state.ts';
import { compareForDispatch } from '../rules/order.ts';
import { type WaitReason, WaitRules } from '../rules/wait-rules.ts';

/** What an issue waits for; `starting`: nothing any more. */
export interface Waiting {
  readonly kind: WaitReason['kind'] | 'starting';
  readonly reason: string;
}

export interface WaitingIssue extends Waiting {
  readonly issue: Issue;
}

const ABOUT_TO_START: Waiting = { kind: 'starting', reason: 'about to start' };

/** Of an issue that has its slot. */
export const BEING_CONFIRMED: Waiting = {
  kind: 'starting',
  reason: 'about to start: its state is being confirmed',
};

/** Every listed issue that nobody works on, best first, with the reason why it waits. */
export function explainWaiting(
  state: SchedulerState,
  settings: SchedulerSettings,
  now: number,
): readonly WaitingIssue[] {
  const rules = new WaitRules(new Draft(state, now, settings));
  return [...state.candidates.values()]
    .filter((issue) => !state.claims.has(issue.id))
    .sort(compareForDispatch)
    .map((issue) => ({ issue, ...(rules.ofCandidate(issue) ?? ABOUT_TO_START) }));
}

/** Why a retry has not started although it is due; null of one that is not, and of any other claim. */
export function retryReasons(
  state: SchedulerState,
  settings: SchedulerSettings,
  now: number,
): (claim: Claim) => Waiting | null {
  const rules = new WaitRules(new Draft(state, now, settings));
  return (claim) => {
    if (claim.phase === 'checking') return claim.retry === null ? null : BEING_CONFIRMED;
    if (claim.phase !== 'retrying' || claim.dueAt > now) return null;
    return rules.ofRetry(claim.issue) ?? ABOUT_TO_START;
  };
}
