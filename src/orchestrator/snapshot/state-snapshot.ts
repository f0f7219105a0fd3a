import type { Counts, StateSnapshot, Totals } from '../../contract/state.ts';
import type { Spend } from '../../domain/spend.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Limits } from '../../scheduler/core/settings.ts';
import type { SchedulerState } from '../../scheduler/core/state.ts';
import { runtimeOf } from '../../scheduler/rules/spending.ts';
import type { JournalStatus } from '../../store/journal.ts';
import type { RecentHistory } from '../history/recent-history.ts';
import type { StandingWarning } from '../history/standing-warnings.ts';
import type { ActivityView } from '../runs/live-activity.ts';
import { seconds, tokens, utc } from '../wire-values.ts';
import type { WorkflowSnapshot } from '../workflow-snapshot.ts';
import { boundLists, type ClaimLists, claimLists } from './claim-lists.ts';
import { asItIs, cleanTroubles, type Redact } from './clean-rows.ts';
import { HistoryRows, type RunRows } from './history-rows.ts';
import type { PollRequests } from './poll-meter.ts';
import { trackerRow } from './tracker-row.ts';
import { WaitingList, type WaitingRows } from './waiting-rows.ts';

export interface SnapshotInput {
  readonly state: SchedulerState;
  readonly activity: ActivityView;
  readonly workflow: WorkflowSnapshot;
  readonly history: RecentHistory;
  readonly now: number;
  readonly startedAt: number;
  readonly version: string;
  readonly reloadError: string | null;
  /** What is wrong for longer; none when left out. */
  readonly warnings?: readonly StandingWarning[];
  readonly journal: JournalStatus;
  /** What the last poll took; null or left out when it is not counted. */
  readonly pollRequests?: PollRequests | null;
  /** What the tracker holds besides active issues; null or left out while nobody has looked. */
  readonly survey?: Survey | null;
  /** Null or left out when there are no webhooks. */
  readonly webhooks?: StateSnapshot['webhooks'];
}

/** Of one entry of what an agent says of its limits, as JSON. */
const MAX_LIMIT_LENGTH = 4096;

/** One snapshot, for a caller that wants no more than one. */
export function buildStateSnapshot(input: SnapshotInput): StateSnapshot {
  return new SnapshotBuilder(input.history).build(input);
}

/** Everything `/api/v1/state` shows, derived from the scheduler's state and the history so far. */
export class SnapshotBuilder {
  readonly #history: RecentHistory;
  readonly #rows: HistoryRows;
  readonly #waiting: WaitingList;
  readonly #redact: Redact;

  constructor(history: RecentHistory, redact: Redact = asItIs) {
    this.#history = history;
    this.#redact = redact;
    this.#rows = new HistoryRows(history, redact);
    this.#waiting = new WaitingList(redact);
  }

  /** The rows of finished runs, as the next snapshot will show them. */
  runRows({ workflow }: Pick<SnapshotInput, 'workflow'>): RunRows {
    return this.#rows.runs(workflow.settings.runner, workflow.config.workflowPath);
  }

  /** All of them, as rows; a snapshot holds so many of each. */
  claims(input: SnapshotInput): ClaimLists {
    const { state, activity, workflow, now } = input;
    const { settings, config } = workflow;
    const { newest: newestRuns } = this.runRows(input);
    return claimLists({
      ...{ state, activity, now, settings, newestRuns },
      workflowPath: config.workflowPath,
      redact: this.#redact,
    });
  }

  build(input: SnapshotInput): StateSnapshot {
    const { state, workflow, now } = input;
    const { settings } = workflow;
    const runs = this.runRows(input);
    const lists = this.claims(input);
    const waiting = this.#waiting.get(state, settings, now, input.survey ?? null);
    return {
      version: input.version,
      agent_default: settings.runner,
      generated_at: utc(now),
      started_at: utc(input.startedAt),
      poll_interval_ms: settings.pollIntervalMs,
      max_concurrent_agents: settings.maxConcurrentAgents,
      max_concurrent_agents_by_state: Object.fromEntries(settings.maxConcurrentByState),
      counts: countRows(lists, waiting, runs.idCounts, this.#history),
      ...boundLists(lists),
      waiting: waiting.rows,
      queue: waiting.queue,
      ended: runs.ended,
      in_review: this.#rows.inReview(waitsForPerson(input), runs),
      recent_events: this.#rows.events(),
      ...runs.ids,
      completed_session_usage: runs.usage,
      budget_guardrails: guardrails(input),
      codex_totals: totals(state, now),
      rate_limits: shortLimits(input.activity.rateLimits),
      next_poll_at: state.tick.dueAt === null || state.draining ? null : utc(state.tick.dueAt),
      ...cleanTroubles(troubles(input), this.#redact),
      paused: state.paused,
      tracker: trackerRow(workflow),
      webhooks: input.webhooks ?? null,
      hosts: [{ name: 'local', running: state.live.size, limit: settings.maxConcurrentAgents }],
      spending: {
        today: spendRow(state.spent.today),
        worker: spendRow(state.spent.worker),
        day_limits: limitsRow(workflow.settings.budgets.day),
      },
      versions: { aiops: input.version, node: process.version, api: 1 },
    };
  }
}

/** Whether nobody works on an issue that is not finished either: its workspace is kept, or the tracker still lists it. */
function waitsForPerson({ state, survey }: SnapshotInput): (issueId: string) => boolean {
  const { held, claims, candidates } = state;
  const listed = new Set(survey?.others.map(({ id }) => id));
  return (id) => !claims.has(id) && !candidates.has(id) && (held.has(id) || listed.has(id));
}

function countRows(
  lists: ClaimLists,
  waiting: WaitingRows,
  ids: RunRows['idCounts'],
  history: Pick<RecentHistory, 'total'>,
): Counts {
  return {
    running: lists.running.length,
    waiting: waiting.total,
    retrying: lists.retrying.length,
    blocked: lists.blocked.length,
    delivered_total: history.total('delivered'),
    completed: ids.completed,
    completed_total: history.total('completed'),
    reconcile_stopped_with_progress: ids.reconcile_stopped_with_progress,
    reconcile_stopped_with_progress_total: history.total('reconcile_stopped_with_progress'),
    agent_handoff_reconcile_stopped: ids.agent_handoff_reconcile_stopped,
    agent_handoff_reconcile_stopped_total: history.total('agent_handoff_reconcile_stopped'),
    active_success_no_handoff: ids.active_success_no_handoff,
    active_success_no_handoff_total: history.total('active_success_no_handoff'),
    operator_terminal_stops: lists.operator_terminal_stops.length,
    operator_terminal_stops_total: history.total('operator_terminal_stop'),
  };
}

function guardrails({ workflow: { settings } }: SnapshotInput): StateSnapshot['budget_guardrails'] {
  const { tokens: most, runtimeMs, turns } = settings.budgets.issue;
  return {
    ...(most === null ? {} : { max_tokens_per_claim: most }),
    ...(runtimeMs === null ? {} : { max_runtime_seconds_per_claim: Math.round(runtimeMs / 1000) }),
    ...(turns === null ? {} : { max_continuation_turns: turns }),
  };
}

function troubles(
  input: SnapshotInput,
): Pick<StateSnapshot, 'last_poll' | 'config' | 'preflight' | 'warnings' | 'journal'> {
  return {
    warnings: (input.warnings ?? []).map(({ id, message, fix, since }) => ({
      id,
      message,
      fix,
      since: utc(since),
    })),
    last_poll: lastPoll(input.state, input.pollRequests ?? null),
    config: {
      workflow_path: input.workflow.config.workflowPath,
      ...(input.reloadError === null ? {} : { reload_error: input.reloadError }),
    },
    preflight: preflight(input),
    journal: { ok: input.journal.ok, path: input.journal.path, problem: input.journal.problem },
  };
}

function preflight({ workflow: { settings } }: SnapshotInput): StateSnapshot['preflight'] {
  return {
    ok: settings.preflightErrors.length === 0,
    errors: settings.preflightErrors.map((message) => ({ code: 'dispatch_preflight_failed', message })),
  };
}

/** An agent may say anything here; what is long is left out. */
function shortLimits(limits: ActivityView['rateLimits']): StateSnapshot['rate_limits'] {
  if (limits === null) return null;
  const kept = Object.entries(limits).filter(
    ([, value]) => (JSON.stringify(value)?.length ?? 0) <= MAX_LIMIT_LENGTH,
  );
  return Object.fromEntries(kept);
}

function totals(state: SchedulerState, now: number): Totals {
  let runtimeMs = state.totals.runtimeMs;
  for (const run of state.live.values()) runtimeMs += runtimeOf(run, now);
  return { ...tokens(state.totals.usage), seconds_running: seconds(runtimeMs) };
}

function limitsRow({ turns, tokens: most, usd, runtimeMs }: Limits) {
  return {
    ...(turns === null ? {} : { turns }),
    ...(most === null ? {} : { tokens: most }),
    ...(usd === null ? {} : { cost_usd: usd }),
    ...(runtimeMs === null ? {} : { runtime_seconds: seconds(runtimeMs) }),
  };
}

function spendRow({ turns, tokens: used, usd, runtimeMs }: Spend): StateSnapshot['spending']['today'] {
  return { turns, tokens: used, cost_usd: usd, runtime_seconds: seconds(runtimeMs) };
}

function lastPoll(state: SchedulerState, took: PollRequests | null): StateSnapshot['last_poll'] {
  const poll = state.lastPoll;
  if (poll === null) return null;
  return {
    at: utc(poll.at - poll.durationMs),
    duration_ms: Math.max(0, poll.durationMs),
    ok: poll.ok,
    ...(poll.error === null ? {} : { error: poll.error }),
    candidates: poll.candidates,
    requests: took?.requests ?? null,
    not_modified: took?.notModified ?? null,
  };
}
