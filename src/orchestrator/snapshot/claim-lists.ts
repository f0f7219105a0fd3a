import { LIST_LIMITS } from '../../contract/limits.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { SchedulerSettings } from '../../scheduler/core/settings.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import { retryReasons } from '../../scheduler/explain/explain.ts';
import type { ActivityView } from '../runs/live-activity.ts';
import { cleanRow, type Redact } from './clean-rows.ts';
import { blockedRow, operatorStopRow, retryRow, runningRow } from './rows.ts';

export type ClaimLists = Pick<StateSnapshot, 'running' | 'blocked' | 'retrying' | 'operator_terminal_stops'>;

export interface ClaimListsInput {
  readonly state: SchedulerState;
  readonly activity: ActivityView;
  readonly now: number;
  readonly settings: SchedulerSettings;
  readonly workflowPath: string;
  readonly newestRuns: ReadonlyMap<string, EndedRun>;
  readonly redact: Redact;
}

/** Every claim as a row, sorted by issue id. */
export function claimLists(input: ClaimListsInput): ClaimLists {
  const { state, activity, now, settings, newestRuns, redact } = input;
  const whyDue = retryReasons(state, settings, now);
  const lists: ClaimLists = {
    running: [...state.live.values()].map((run) =>
      runningRow(run, activity.of(run.runId), now, input.workflowPath),
    ),
    blocked: [],
    retrying: [],
    operator_terminal_stops: [],
  };
  for (const [id, claim] of state.claims) {
    if (claim.phase === 'blocked')
      lists.blocked.push(blockedRow(claim, state.records.get(id), newestRuns.get(id), settings));
    const retry = claim.phase === 'checking' ? claim.retry : claim;
    if (retry?.phase === 'retrying')
      lists.retrying.push(retryRow(retry, whyDue(claim), newestRuns.get(id), settings));
  }
  for (const record of state.records.values()) {
    const row = operatorStopRow(record);
    if (row !== null) lists.operator_terminal_stops.push(row);
  }
  for (const rows of [lists.running, lists.blocked, lists.retrying, lists.operator_terminal_stops])
    rows.sort(byId);
  return {
    running: lists.running.map((row) => cleanRow(row, redact)),
    blocked: lists.blocked.map((row) => cleanRow(row, redact)),
    retrying: lists.retrying.map((row) => cleanRow(row, redact)),
    operator_terminal_stops: lists.operator_terminal_stops,
  };
}

/** What an answer holds of them: of long lists what people look for first, still sorted by issue id. */
export function boundLists(lists: ClaimLists): ClaimLists {
  return {
    running: lists.running,
    blocked: first(lists.blocked, LIST_LIMITS.blocked, (a, b) => (a.blocked_at > b.blocked_at ? -1 : 1)),
    retrying: first(lists.retrying, LIST_LIMITS.retrying, (a, b) => (a.due_at < b.due_at ? -1 : 1)),
    operator_terminal_stops: first(
      lists.operator_terminal_stops,
      LIST_LIMITS.operator_terminal_stops,
      (a, b) => ((a.stopped_at ?? '') > (b.stopped_at ?? '') ? -1 : 1),
    ),
  };
}

function first<T extends { issue_id: string }>(
  rows: T[],
  limit: number,
  compare: (a: T, b: T) => number,
): T[] {
  return rows.length <= limit ? rows : rows.toSorted(compare).slice(0, limit).sort(byId);
}

function byId(a: { issue_id: string }, b: { issue_id: string }): number {
  return a.issue_id < b.issue_id ? -1 : 1;
}
