import type { OperatorStopRow } from '../../contract/claim-rows.ts';
import type { Counts, StateSnapshot, Totals } from '../../contract/state.ts';
import type { EndedRun } from '../../scheduler/commands.ts';
import { explainWaiting } from '../../scheduler/explain.ts';
import type { SchedulerState } from '../../scheduler/state.ts';
import type { JournalStatus } from '../../store/journal.ts';
import type { Story } from '../story.ts';
import type { WorkflowSnapshot } from '../workflow-snapshot.ts';
import { bucketIds, sessionUsageRow } from './legacy.ts';
import {
  blockedRow,
  endedRow,
  eventRow,
  operatorStopRow,
  retryRow,
  runningRow,
  seconds,
  tokens,
  utc,
  waitingRow,
} from './rows.ts';

/** Rows of finished runs shown in one snapshot. */
const SHOWN_RUNS = 100;

export interface SnapshotInput {
  readonly state: SchedulerState;
  readonly workflow: WorkflowSnapshot;
  readonly story: Story;
  readonly now: number;
  readonly startedAt: number;
  readonly version: string;
  readonly reloadError: string | null;
  readonly journal: JournalStatus;
}

/** Everything `/api/v1/state` shows, derived from the scheduler's state and the story so far. */
export function buildStateSnapshot(input: SnapshotInput): StateSnapshot {
  const { state, workflow, story, now } = input;
  const { config, settings } = workflow;
  const lists = claimLists(input);
  const ids = {
    completed: bucketIds(story.runs, 'completed'),
    reconcile_stopped_with_progress: bucketIds(story.runs, 'reconcile_stopped_with_progress'),
    agent_handoff_reconcile_stopped: bucketIds(story.runs, 'agent_handoff_reconcile_stopped'),
    active_success_no_handoff: bucketIds(story.runs, 'active_success_no_handoff'),
  };
  return {
    version: input.version,
    agent_default: config.agent.default,
    generated_at: utc(now),
    started_at: utc(input.startedAt),
    poll_interval_ms: settings.pollIntervalMs,
    max_concurrent_agents: settings.maxConcurrentAgents,
    max_concurrent_agents_by_state: Object.fromEntries(settings.maxConcurrentByState),
    counts: countRows(lists, ids, story),
    ...lists,
    ended: story.runs.slice(0, SHOWN_RUNS).map(endedRow),
    recent_events: story.events.map(eventRow),
    ...ids,
    completed_session_usage: story.runs
      .map((run) => sessionUsageRow(run, config.agent.default, config.workflowPath))
      .reverse(),
    budget_guardrails: guardrails(input),
    codex_totals: totals(state, now),
    rate_limits: state.rateLimits === null ? null : { ...state.rateLimits },
    last_poll: lastPoll(state),
    next_poll_at: state.tick.dueAt === null || state.draining ? null : utc(state.tick.dueAt),
    config: {
      workflow_path: config.workflowPath,
      ...(input.reloadError === null ? {} : { reload_error: input.reloadError }),
    },
    journal: { ok: input.journal.ok, path: input.journal.path, problem: input.journal.problem },
    paused: state.paused,
    preflight: {
      ok: settings.preflightErrors.length === 0,
      errors: settings.preflightErrors.map((message) => ({ code: 'dispatch_preflight_failed', message })),
    },
  };
}

type ClaimLists = Pick<
  StateSnapshot,
  'running' | 'blocked' | 'retrying' | 'waiting' | 'operator_terminal_stops'
>;

function claimLists({ state, workflow, story, now }: SnapshotInput): ClaimLists {
  const { config, settings } = workflow;
  const lastRuns = newestByIssue(story.runs);
  const lists: ClaimLists = {
    running: [...state.live.values()].map((run) =>
      runningRow(run, now, config.agent.default, config.workflowPath),
    ),
    blocked: [],
    retrying: [],
    waiting: explainWaiting(state, settings, now).map(waitingRow),
    operator_terminal_stops: [],
  };
  for (const [id, claim] of state.claims) {
    if (claim.phase === 'blocked')
      lists.blocked.push(blockedRow(claim, state.records.get(id), lastRuns.get(id)));
    const retry = claim.phase === 'checking' ? claim.retry : claim;
    if (retry?.phase === 'retrying') lists.retrying.push(retryRow(retry, now, lastRuns.get(id)));
  }
  for (const record of state.records.values()) {
    const row = operatorStopRow(record);
    if (row !== null) lists.operator_terminal_stops.push(row);
  }
  const byId = (a: { issue_id: string }, b: { issue_id: string }): number =>
    a.issue_id < b.issue_id ? -1 : 1;
  for (const rows of [lists.running, lists.blocked, lists.retrying, lists.operator_terminal_stops])
    rows.sort(byId);
  return lists;
}

export function newestByIssue(runs: readonly EndedRun[]): ReadonlyMap<string, EndedRun> {
  const newest = new Map<string, EndedRun>();
  for (const run of runs) if (!newest.has(run.issueId)) newest.set(run.issueId, run);
  return newest;
}

type BucketLists = Pick<
  StateSnapshot,
  | 'completed'
  | 'reconcile_stopped_with_progress'
  | 'agent_handoff_reconcile_stopped'
  | 'active_success_no_handoff'
>;

function countRows(lists: ClaimLists, ids: BucketLists, story: Story): Counts {
  const stops: readonly OperatorStopRow[] = lists.operator_terminal_stops;
  return {
    running: lists.running.length,
    waiting: lists.waiting.length,
    retrying: lists.retrying.length,
    blocked: lists.blocked.length,
    delivered_total: story.total('delivered'),
    completed: ids.completed.length,
    completed_total: story.total('completed'),
    reconcile_stopped_with_progress: ids.reconcile_stopped_with_progress.length,
    reconcile_stopped_with_progress_total: story.total('reconcile_stopped_with_progress'),
    agent_handoff_reconcile_stopped: ids.agent_handoff_reconcile_stopped.length,
    agent_handoff_reconcile_stopped_total: story.total('agent_handoff_reconcile_stopped'),
    active_success_no_handoff: ids.active_success_no_handoff.length,
    active_success_no_handoff_total: story.total('active_success_no_handoff'),
    operator_terminal_stops: stops.length,
    operator_terminal_stops_total: story.total('operator_terminal_stop'),
  };
}

function guardrails({ workflow: { settings } }: SnapshotInput): StateSnapshot['budget_guardrails'] {
  const { tokens, runtimeMs, turns } = settings.budgets.issue;
  return {
    ...(tokens === null ? {} : { max_tokens_per_claim: tokens }),
    ...(runtimeMs === null ? {} : { max_runtime_seconds_per_claim: Math.round(runtimeMs / 1000) }),
    ...(turns === null ? {} : { max_continuation_turns: turns }),
  };
}

function totals(state: SchedulerState, now: number): Totals {
  let runtimeMs = state.totals.runtimeMs;
  for (const run of state.live.values()) runtimeMs += Math.max(0, now - run.startedAt);
  return { ...tokens(state.totals.usage), seconds_running: seconds(runtimeMs) };
}

function lastPoll(state: SchedulerState): StateSnapshot['last_poll'] {
  const poll = state.lastPoll;
  if (poll === null) return null;
  return {
    at: utc(poll.at - poll.durationMs),
    duration_ms: poll.durationMs,
    ok: poll.ok,
    ...(poll.error === null ? {} : { error: poll.error }),
    candidates: poll.candidates,
  };
}
