import type { Issue } from '../domain/issue.ts';
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
  const slots = new SlotCount(new Draft(state, now, settings));
  return [...state.candidates.values()]
    .filter((issue) => !state.claims.has(issue.id))
    .sort(compareForDispatch)
    .map((issue) => ({ issue, reason: whyWaiting(state, settings, slots, issue) }));
}

function whyWaiting(
  state: SchedulerState,
  settings: SchedulerSettings,
  slots: SlotCount,
  issue: Issue,
): string {
  if (state.draining) return 'the worker is shutting down';
  if (state.cleaning.has(issue.id)) return 'its workspace is being removed';
  if (state.records.get(issue.id)?.operatorStop?.latched === true) {
    return 'stopped by a person, then reopened by the run being stopped; clear the stop to go on';
  }
  const ineligible = whyIneligible(issue, settings);
  if (ineligible !== null) return ineligible;
  const [preflight] = settings.preflightErrors;
  if (preflight !== undefined) return `dispatch is off: ${preflight}`;
  if (state.paused) return 'paused';
  return slots.refusal(issue.state) ?? 'about to start';
}
