import type { SchedulerState } from '../core/state.ts';

/** A look that costs a request is taken this rarely. */
const SURVEY_EVERY_MS = 900_000;

export interface SurveyQuestion {
  readonly state: Pick<SchedulerState, 'live' | 'claims' | 'lastPoll' | 'draining' | 'intake'>;
  readonly cost: 'none' | 'request';
  /** When it was last looked; null for never. */
  readonly surveyedAt: number | null;
  /** True while polls are put off, so that the allowance lasts. */
  readonly slowed: boolean;
  readonly now: number;
}

/**
 * Whether it is time to look what the tracker holds besides active issues. What costs nothing is done after every poll;
 * a request is only spent on a worker with nothing to do, rarely, and never out of a short allowance.
 */
export function isSurveyDue({ state, cost, surveyedAt, slowed, now }: SurveyQuestion): boolean {
  if (state.lastPoll?.ok !== true || state.draining) return false;
  if (cost === 'none') return true;
  if (slowed || state.live.size > 0 || state.intake !== 'open') return false;
  for (const [, { phase }] of state.claims) if (phase !== 'blocked') return false;
  return surveyedAt === null || now < surveyedAt || now - surveyedAt >= SURVEY_EVERY_MS;
}
