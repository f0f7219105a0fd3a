import type { Issue } from '../domain/issue.ts';
import { whyNobodyMayStart } from './dispatch.ts';
import { Draft } from './draft.ts';
import { whyIneligible } from './eligibility.ts';
import { compareForDispatch } from './order.ts';
import type { SchedulerSettings } from './settings.ts';
import { SlotCount } from './slots.ts';
import type { SchedulerState } from './state.ts';

export interface WaitingIssue {
  readonly issue: Issue;
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
    .map((issue) => ({ issue, reason: whyWaiting(state, settings, slots, nobody, issue) }));
}

function whyWaiting(
  state: SchedulerState,
  settings: SchedulerSettings,
  slots: SlotCount,
  nobody: string | null,
  issue: Issue,
): string {
  if (state.cleaning.has(issue.id)) return 'its workspace is being removed';
  if (state.records.get(issue.id)?.operatorStop?.latched === true) {
    return 'stopped by a person, then reopened by the run being stopped; clear the stop to go on';
  }
  const ineligible = whyIneligible(issue, settings);
  if (ineligible !== null) return ineligible;
  const refusal = nobody ?? slots.refusal(issue);
  if (refusal === null && state.intake === 'closed') return 'this worker was asked for one poll only';
  return refusal ?? 'about to start';
}
