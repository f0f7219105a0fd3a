import type { StateSnapshot } from '../../contract/state.ts';
import type { EndedRun } from '../../scheduler/commands.ts';
import type { SchedulerSettings } from '../../scheduler/settings.ts';
import type { SchedulerState } from '../../scheduler/state.ts';
import { cleanRow, type Redact } from './clean-rows.ts';
import { blockedRow, operatorStopRow, retryRow, runningRow } from './rows.ts';

export type ClaimLists = Pick<StateSnapshot, 'running' | 'blocked' | 'retrying' | 'operator_terminal_stops'>;

export interface ClaimListsInput {
  readonly state: SchedulerState;
  readonly now: number;
  readonly settings: SchedulerSettings;
  readonly workflowPath: string;
  readonly newestRuns: ReadonlyMap<string, EndedRun>;
  readonly redact: Redact;
}

/** Every claim as a row, sorted by issue id. */
export function claimLists(input: ClaimListsInput): ClaimLists {
  const { state, now, settings, newestRuns, redact } = input;
  const lists: ClaimLists = {
    running: [...state.live.values()].map((run) => runningRow(run, now, input.workflowPath)),
    blocked: [],
    retrying: [],
    operator_terminal_stops: [],
  };
  for (const [id, claim] of state.claims) {
    if (claim.phase === 'blocked')
      lists.blocked.push(blockedRow(claim, state.records.get(id), newestRuns.get(id), settings));
    const retry = claim.phase === 'checking' ? claim.retry : claim;
    if (retry?.phase === 'retrying') lists.retrying.push(retryRow(retry, now, newestRuns.get(id), settings));
  }
  for (const record of state.records.values()) {
    const row = operatorStopRow(record);
    if (row !== null) lists.operator_terminal_stops.push(row);
  }
  const byId = (a: { issue_id: string }, b: { issue_id: string }): number =>
    a.issue_id < b.issue_id ? -1 : 1;
  for (const rows of [lists.running, lists.blocked, lists.retrying, lists.operator_terminal_stops])
    rows.sort(byId);
  return {
    running: lists.running.map((row) => cleanRow(row, redact)),
    blocked: lists.blocked.map((row) => cleanRow(row, redact)),
    retrying: lists.retrying.map((row) => cleanRow(row, redact)),
    operator_terminal_stops: lists.operator_terminal_stops,
  };
}
