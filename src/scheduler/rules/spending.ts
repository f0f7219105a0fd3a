import { addSpend, type Spend, ZERO_SPEND } from '../../domain/spend.ts';
import { addUsage, subtractUsage } from '../../domain/usage.ts';
import type { EndedRun } from '../core/commands.ts';
import type { Draft } from '../core/draft.ts';
import type { IssueRecord, LiveRun } from '../core/state.ts';
import { underWayOf } from '../core/under-way.ts';

const DAY_MS = 86_400_000;

/** The UTC day an instant falls on, as a number. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

export function nextDayAt(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

/** What a live run has used since its account was last settled. Turns are settled as they start. */
export function unsettled(run: LiveRun, now: number): Spend {
  return {
    turns: 0,
    tokens: run.usage.totalTokens - run.settled.usage.totalTokens,
    usd: (run.costUsd ?? 0) - run.settled.costUsd,
    runtimeMs: Math.max(0, now - run.settled.at),
  };
}

/** How long a run has been at work; what passed while the worker could not work is not in it. */
export function runtimeOf({ startedAt, pausedMs }: LiveRun, now: number): number {
  return Math.max(0, now - startedAt - pausedMs);
}

/** The same of a run that is over. */
export function runtimeOfEnded({
  startedAt,
  endedAt,
  pausedMs,
}: Pick<EndedRun, 'startedAt' | 'endedAt' | 'pausedMs'>): number {
  return Math.max(0, endedAt - startedAt - (pausedMs ?? 0));
}

export function spentByRun(run: LiveRun, now: number): Spend {
  return {
    turns: run.turnsStarted,
    tokens: run.usage.totalTokens,
    usd: run.costUsd ?? 0,
    runtimeMs: runtimeOf(run, now),
  };
}

export function spentByIssue(record: IssueRecord, run: LiveRun | null, now: number): Spend {
  const settled: Spend = {
    turns: record.turns,
    tokens: record.usage.totalTokens,
    usd: record.costUsd,
    runtimeMs: record.runtimeMs,
  };
  return run === null ? settled : addSpend(settled, unsettled(run, now));
}

/** Books what a live run has used so far, durably: a killed worker forgets at most what came after. */
export function settleRun(draft: Draft, run: LiveRun, turnsStarted = 0): LiveRun {
  const spend: Spend = { ...unsettled(run, draft.now), turns: turnsStarted };
  const usage = subtractUsage(run.usage, run.settled.usage);
  const record = draft.record(run.issue);
  draft.saveRecord({
    ...record,
    turns: record.turns + spend.turns,
    usage: addUsage(record.usage, usage),
    runtimeMs: record.runtimeMs + spend.runtimeMs,
    costUsd: record.costUsd + spend.usd,
    lifetime: {
      ...record.lifetime,
      usage: addUsage(record.lifetime.usage, usage),
      runtimeMs: record.lifetime.runtimeMs + spend.runtimeMs,
    },
    today: { day: dayOf(draft.now), spend: addSpend(spentToday(record, draft.now), spend) },
    underWay: underWayOf(run, draft.now),
    savedAt: draft.now,
  });
  const today = draft.spent.day === dayOf(draft.now) ? draft.spent.today : ZERO_SPEND;
  draft.spent = {
    day: dayOf(draft.now),
    today: addSpend(today, spend),
    worker: addSpend(draft.spent.worker, spend),
  };
  const settled: LiveRun = {
    ...run,
    settled: { usage: run.usage, costUsd: run.costUsd ?? 0, at: Math.max(run.settled.at, draft.now) },
  };
  draft.live.set(run.runId, settled);
  return settled;
}

export function spentToday(record: IssueRecord, now: number): Spend {
  return record.today?.day === dayOf(now) ? record.today.spend : ZERO_SPEND;
}
