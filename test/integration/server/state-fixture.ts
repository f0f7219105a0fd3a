import type { IssueDetail } from '../../../src/contract/issue-detail.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import type { WorkerPort } from '../../../src/server/worker-port.ts';
import { sampleRows } from './sample-rows.ts';

const NO_SPEND = { turns: 0, tokens: 0, cost_usd: 0, runtime_seconds: 0 };
const NO_TOKENS = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** A worker that has just started and found nothing. */
export function emptyState(now: number): StateSnapshot {
  const at = new Date(now).toISOString();
  return {
    version: '0.1.0',
    agent_default: 'mock',
    generated_at: at,
    started_at: at,
    poll_interval_ms: 30_000,
    max_concurrent_agents: 3,
    max_concurrent_agents_by_state: {},
    counts: countsOf({}),
    running: [],
    blocked: [],
    retrying: [],
    waiting: [],
    ended: [],
    recent_events: [],
    completed: [],
    reconcile_stopped_with_progress: [],
    agent_handoff_reconcile_stopped: [],
    active_success_no_handoff: [],
    operator_terminal_stops: [],
    completed_session_usage: [],
    budget_guardrails: {},
    codex_totals: { ...NO_TOKENS, seconds_running: 0 },
    rate_limits: null,
    last_poll: null,
    next_poll_at: null,
    config: { workflow_path: '/srv/demo/WORKFLOW.md' },
    journal: { ok: true, path: '/srv/workspaces/.aiops/journal.sqlite', problem: null },
    paused: false,
    tracker: {
      kind: 'local',
      requests_total: null,
      not_modified_total: null,
      budget: null,
      allowances: [],
      paused_until: null,
      slowed_until: null,
    },
    webhooks: null,
    hosts: [{ name: 'local', running: 0, limit: 3 }],
    spending: { today: NO_SPEND, worker: NO_SPEND },
    versions: { aiops: '0.1.0', node: 'v20.19.0', api: 1 },
    warnings: [],
    preflight: { ok: true, errors: [] },
  };
}

/** A worker in the middle of its work: at least one row in every list. */
export function richState(now: number): StateSnapshot {
  const rows = sampleRows(now);
  return {
    ...emptyState(now),
    started_at: new Date(now - 754_000).toISOString(),
    max_concurrent_agents_by_state: { 'in progress': 2 },
    ...rows,
    counts: countsOf({
      running: rows.running.length,
      waiting: rows.waiting.length,
      retrying: rows.retrying.length,
      blocked: rows.blocked.length,
      delivered_total: 4,
      completed: rows.completed.length,
      completed_total: 6,
      operator_terminal_stops: 1,
      operator_terminal_stops_total: 1,
    }),
    budget_guardrails: { max_tokens_per_claim: 2_000_000, max_continuation_turns: 6 },
    codex_totals: {
      input_tokens: 1_204_881,
      output_tokens: 88_240,
      total_tokens: 1_293_121,
      seconds_running: 1843.5,
    },
    rate_limits: { primary: { used_percent: 41, window_minutes: 300 } },
    last_poll: {
      at: new Date(now - 4_000).toISOString(),
      duration_ms: 38,
      ok: true,
      candidates: 9,
      requests: 2,
      not_modified: 1,
    },
    next_poll_at: new Date(now + 26_000).toISOString(),
  };
}

function countsOf(known: Partial<StateSnapshot['counts']>): StateSnapshot['counts'] {
  return {
    running: 0,
    waiting: 0,
    retrying: 0,
    blocked: 0,
    delivered_total: 0,
    completed: 0,
    completed_total: 0,
    reconcile_stopped_with_progress: 0,
    reconcile_stopped_with_progress_total: 0,
    agent_handoff_reconcile_stopped: 0,
    agent_handoff_reconcile_stopped_total: 0,
    active_success_no_handoff: 0,
    active_success_no_handoff_total: 0,
    operator_terminal_stops: 0,
    operator_terminal_stops_total: 0,
    ...known,
  };
}

/** The detail of one running issue of the snapshot. */
export function runningDetail(snapshot: StateSnapshot): IssueDetail {
  const running = snapshot.running[0];
  if (running === undefined) throw new Error('the sample has no running issue');
  return {
    issue_id: running.issue_id,
    issue_identifier: running.issue_identifier,
    issue_url: running.issue_url,
    title: running.title,
    state: running.state,
    status: 'running',
    workspace: { path: running.workspace_path ?? null },
    attempts: { restart_count: 0, current_retry_attempt: null },
    running,
    blocked: null,
    retry: null,
    waiting: null,
    operator_terminal_stop: null,
    ended: [],
    logs: { codex_session_logs: [] },
    recent_events: [{ at: snapshot.generated_at, kind: 'running', event: 'running', message: 'run started' }],
    last_error: null,
    tracked: {},
  };
}

/** A source whose every answer can be replaced, and which counts refreshes. */
export function scriptedSource(over: Partial<WorkerPort> = {}): WorkerPort & { refreshes(): number } {
  let refreshes = 0;
  const snapshot = over.snapshot ?? (() => richState(Date.now()));
  return {
    identity: () => ({
      instance: 'sample',
      version: '0.1.0',
      pid: process.pid,
      started_at: new Date(0).toISOString(),
      workflow_path: '/flows/WORKFLOW.md',
    }),
    snapshot,
    snapshotBody: () => Buffer.from(JSON.stringify(snapshot())),
    issue: () => null,
    requestRefresh: () => {
      refreshes += 1;
      return { coalesced: refreshes > 1 };
    },
    act: async ({ kind, by }) => ({
      action: kind,
      issue_id: null,
      issue_identifier: null,
      changed: true,
      message: 'done',
      by,
      requested_at: new Date().toISOString(),
    }),
    actions: () => ({ actions: [] }),
    runs: () => ({ runs: [], next: null }),
    run: () => {
      throw new AppError('run_not_found', 'no run has this id');
    },
    runEvents: async (run) => ({ run_id: run, events: [], next: null, live: false, unreadable: 0 }),
    runDiff: async (run) => ({
      run_id: run,
      base: null,
      head: null,
      files: [],
      untracked: [],
      commits: [],
      patch: '',
      truncated: false,
    }),
    history: (bucket) => ({ bucket, points: [], complete_since: null }),
    issueEditor: () => null,
    metrics: () => ({
      snapshot: snapshot(),
      outcomes: new Map(),
      runSeconds: { bounds: [], counts: [], count: 0, sum: 0 },
    }),
    subscribe: () => () => {},
    readiness: () => ({ ready: true, reason: 'ready' }),
    refreshes: () => refreshes,
    ...over,
  };
}
