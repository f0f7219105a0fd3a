import type { Issue } from '../../domain/issue.ts';
import { ZERO_SPEND } from '../../domain/spend.ts';
import { ZERO_USAGE } from '../../domain/usage.ts';
import type { IssueRecord, SchedulerState } from './state.ts';

export function initialState(bootId: string): SchedulerState {
  return {
    bootId,
    serial: 0,
    paused: false,
    draining: false,
    intake: 'open',
    claims: new Map(),
    live: new Map(),
    records: new Map(),
    candidates: new Map(),
    justRead: { at: 0, ids: new Set() },
    held: new Map(),
    cleaning: new Map(),
    pushing: new Map(),
    pending: new Map(),
    tick: { phase: 'idle', startedAt: 0, dueAt: null, again: false, heldCheckedAt: 0 },
    lastPoll: null,
    totals: { usage: ZERO_USAGE, runtimeMs: 0, costUsd: 0 },
    spent: { day: 0, today: ZERO_SPEND, worker: ZERO_SPEND },
  };
}

export function freshRecord(issue: Pick<Issue, 'id' | 'identifier'>): IssueRecord {
  return {
    issueId: issue.id,
    identifier: issue.identifier,
    runs: 0,
    turns: 0,
    usage: ZERO_USAGE,
    runtimeMs: 0,
    costUsd: 0,
    noProgressRuns: 0,
    quotaWaits: 0,
    lifetime: { runs: 0, usage: ZERO_USAGE, runtimeMs: 0 },
    today: null,
    lastOutcome: null,
    session: null,
    operatorStop: null,
    leftActive: false,
    underWay: null,
    claim: null,
  };
}
