import { addSpend, type BudgetScope, type Spend, ZERO_SPEND } from '../../domain/spend.ts';
import type { Draft } from '../core/draft.ts';
import type { Limits, SchedulerSettings } from '../core/settings.ts';
import type { IssueRecord, LiveRun } from '../core/state.ts';
import { dayOf, spentByIssue, spentByRun, unsettled } from './spending.ts';

/** A budget that is used up: which one, and the figure with the way to raise it. */
export interface Exhausted {
  readonly scope: BudgetScope;
  readonly unit: keyof Spend;
  readonly detail: string;
}

/** Turns the issue may still start in this episode. */
export function remainingTurns(record: IssueRecord, settings: SchedulerSettings): number {
  const { turns } = settings.budgets.issue;
  return turns === null ? Number.POSITIVE_INFINITY : Math.max(0, turns - record.turns);
}

/**
 * The first budget that forbids the issue to go on, or null. Turns are left to the turn limits, which are checked
 * between turns: a run is not cut off in the middle of the last turn it was allowed.
 */
export function exhaustedBudget(draft: Draft, record: IssueRecord, run: LiveRun | null): Exhausted | null {
  const { budgets } = draft.settings;
  return (
    (run === null ? null : exceeded('run', spentByRun(run, draft.now), budgets.run, false)) ??
    exceeded('issue', spentByIssue(record, run, draft.now), budgets.issue, run === null) ??
    exhaustedForAll(draft, run === null)
  );
}

/** The budget of the day or of the worker that forbids anybody to go on, or null. */
export function exhaustedForAll(draft: Draft, countTurns: boolean): Exhausted | null {
  const { day, worker } = draft.settings.budgets;
  if (isUnlimited(day) && isUnlimited(worker)) return null;
  let live = ZERO_SPEND;
  for (const [, run] of draft.live.entries()) live = addSpend(live, unsettled(run, draft.now));
  const today = draft.spent.day === dayOf(draft.now) ? draft.spent.today : ZERO_SPEND;
  return (
    exceeded('day', addSpend(today, live), day, countTurns) ??
    exceeded('worker', addSpend(draft.spent.worker, live), worker, countTurns)
  );
}

function isUnlimited(limits: Limits): boolean {
  return limits.turns === null && limits.tokens === null && limits.usd === null && limits.runtimeMs === null;
}

const UNITS = ['turns', 'tokens', 'usd', 'runtimeMs'] as const;

function exceeded(scope: BudgetScope, spend: Spend, limits: Limits, countTurns: boolean): Exhausted | null {
  for (const unit of UNITS) {
    const limit = limits[unit];
    if (limit === null || spend[unit] < limit || (unit === 'turns' && !countTurns)) continue;
    return { scope, unit, detail: describe(scope, unit, spend[unit], limit) };
  }
  return null;
}

const SCOPE_NAMES: Readonly<Record<BudgetScope, string>> = {
  run: 'run',
  issue: 'issue',
  day: 'day (UTC)',
  worker: 'worker',
};

function describe(scope: BudgetScope, unit: keyof Spend, used: number, limit: number): string {
  const figures: Readonly<Record<keyof Spend, string>> = {
    turns: `${used} of ${limit} turns`,
    tokens: `${used} of ${limit} tokens`,
    usd: `${used.toFixed(2)} of ${limit.toFixed(2)} USD`,
    runtimeMs: `${Math.round(used / 1000)} of ${Math.round(limit / 1000)} s of agent time`,
  };
  const key = `agent.budgets.${scope}.${unit === 'runtimeMs' ? 'runtime_seconds' : unit}`;
  return `${figures[unit]} used, the budget of the ${SCOPE_NAMES[scope]}; raise ${key} to go on`;
}
