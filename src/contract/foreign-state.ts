import * as z from 'zod';
import { type Foreign, foreignSchema } from './foreign-schema.ts';
import { type Counts, type StateSnapshot, stateSnapshotSchema } from './state.ts';
import type { WireOutcome } from './wire.ts';

/**
 * The state of a worker that is not ours: the Go worker's, or Symphony's. What they leave out becomes what says nothing
 * (no rows, zero, null), what they write differently is read as ours. Null when it is no such document.
 */
export function readForeignState(document: unknown, now: number): StateSnapshot | null {
  const looks = z.object({ running: z.array(z.unknown()), generated_at: z.string() }).safeParse(document);
  const parsed = looks.success ? foreignSchema.safeParse(document) : null;
  return parsed?.success === true
    ? (stateSnapshotSchema.safeParse(translate(parsed.data, now)).data ?? null)
    : null;
}

function translate(found: Foreign, now: number): Record<string, unknown> {
  const generatedAt = found.generated_at ?? new Date(now).toISOString();
  const at = (value: string | undefined): string => value ?? generatedAt;
  const { version, agent_default, poll_interval_ms, max_concurrent_agents, max_concurrent_agents_by_state } =
    found;
  return {
    ...nothingKnown(generatedAt),
    ...{ version, agent_default, poll_interval_ms, max_concurrent_agents, max_concurrent_agents_by_state },
    counts: {
      ...countsOf(found.counts),
      running: found.running.length,
      blocked: found.blocked.length,
      retrying: found.retrying.length,
    },
    running: found.running.map((row) => ({
      ...row,
      ...refOf(row),
      ...{ run_id: '', phase: 'StreamingTurn', max_turns: 0, branch: null },
      started_at: row.started_at ?? earlier(generatedAt, row.runtime_seconds),
      last_event_at: row.last_event_at ?? null,
    })),
    blocked: found.blocked.map((row) => ({
      ...row,
      ...refOf(row),
      blocked_at: at(row.blocked_at),
      branch: null,
    })),
    retrying: found.retrying.map((row) => ({ ...row, ...refOf(row), due_at: at(row.due_at) })),
    operator_terminal_stops: found.operator_terminal_stops.map((row) => ({
      ...row,
      issue_identifier: row.issue_identifier ?? row.issue_id,
    })),
    ended: found.completed_session_usage
      .map((row, index) => endedRow(row, at(row.completed_at), index))
      .reverse(),
    codex_totals: found.codex_totals,
    rate_limits: found.rate_limits,
    config: { workflow_path: found.running.find((row) => row.workflow_path)?.workflow_path ?? '' },
    versions: { aiops: version, node: '', api: 1 },
  };
}

function refOf(
  row: Foreign['retrying'][number] | Foreign['running'][number] | Foreign['blocked'][number] | Usage,
) {
  return {
    issue_id: row.issue_id,
    issue_identifier: row.issue_identifier ?? row.issue_id,
    issue_url: row.issue_url ?? null,
    title: row.title ?? '',
    state: row.state,
  };
}

type Usage = Foreign['completed_session_usage'][number];

/** The Go worker's words for how a session ended. */
const OUTCOMES: Readonly<Record<string, WireOutcome>> = {
  completed: 'delivered',
  agent_handoff_reconcile_stopped: 'delivered',
  failed: 'failed',
  stalled: 'stalled',
  timed_out: 'timed_out',
  blocked: 'blocked',
  operator_terminal_stop: 'canceled',
};

function endedRow(row: Usage, endedAt: string, index: number): Record<string, unknown> {
  return {
    ...refOf(row),
    run_id: `session-${index}`,
    outcome: OUTCOMES[row.outcome] ?? 'progressed',
    summary: row.outcome.replaceAll('_', ' '),
    ...{ branch: null, commits: null, new_commits: null, pushed: null, pull_request_url: null, turns: 0 },
    tokens: row.tokens,
    agent_provider: row.agent_provider,
    runtime_seconds: row.runtime_seconds,
    ended_at: endedAt,
  };
}

function earlier(at: string, seconds: number): string {
  return new Date(Date.parse(at) - seconds * 1000).toISOString();
}

const NO_SPEND = { turns: 0, tokens: 0, cost_usd: 0, runtime_seconds: 0 };
const COUNTED = [
  ...([
    'running',
    'waiting',
    'retrying',
    'blocked',
    'delivered_total',
    'completed',
    'completed_total',
  ] as const),
  ...(['reconcile_stopped_with_progress', 'reconcile_stopped_with_progress_total'] as const),
  ...(['agent_handoff_reconcile_stopped', 'agent_handoff_reconcile_stopped_total'] as const),
  ...(['active_success_no_handoff', 'active_success_no_handoff_total'] as const),
  ...(['operator_terminal_stops', 'operator_terminal_stops_total'] as const),
] satisfies readonly (keyof Counts)[];

function countsOf(found: Foreign['counts']): Record<string, number> {
  return Object.fromEntries(COUNTED.map((name) => [name, found[name] ?? 0]));
}

function nothingKnown(at: string): Record<string, unknown> {
  return {
    ...{ generated_at: at, started_at: at, waiting: [], in_review: [], recent_events: [], completed: [] },
    ...{
      reconcile_stopped_with_progress: [],
      agent_handoff_reconcile_stopped: [],
      active_success_no_handoff: [],
    },
    ...{ completed_session_usage: [], budget_guardrails: {}, last_poll: null, next_poll_at: null },
    ...{ preflight: { ok: true, errors: [] }, warnings: [], paused: false, webhooks: null, hosts: [] },
    journal: { ok: true, path: null, problem: null },
    tracker: {
      ...{ kind: '', requests_total: null, not_modified_total: null, budget: null, allowances: [] },
      ...{ paused_until: null, slowed_until: null },
    },
    spending: { today: NO_SPEND, worker: NO_SPEND },
  };
}
