import * as z from 'zod';
import {
  blockedRowSchema,
  operatorStopRowSchema,
  retryRowSchema,
  runningRowSchema,
  waitingRowSchema,
} from './claim-rows.ts';
import { endedRunSchema, recentEventSchema, sessionUsageSchema } from './ended-rows.ts';
import { queueSchema } from './queue.ts';
import { webhookStatusSchema } from './webhooks.ts';
import { costSchema, countSchema, secondsSchema, timestampSchema } from './wire.ts';

/** `x` counts what the list of that name is about, also what is beyond its bound; `x_total` since the start. */
export const countsSchema = z.object({
  running: countSchema,
  waiting: countSchema,
  retrying: countSchema,
  blocked: countSchema,
  /** Issues delivered since the worker started. */
  delivered_total: countSchema,
  completed: countSchema,
  completed_total: countSchema,
  reconcile_stopped_with_progress: countSchema,
  reconcile_stopped_with_progress_total: countSchema,
  agent_handoff_reconcile_stopped: countSchema,
  agent_handoff_reconcile_stopped_total: countSchema,
  active_success_no_handoff: countSchema,
  active_success_no_handoff_total: countSchema,
  operator_terminal_stops: countSchema,
  operator_terminal_stops_total: countSchema,
});
export type Counts = z.infer<typeof countsSchema>;

export const lastPollSchema = z.object({
  /** When it started. */
  at: timestampSchema,
  duration_ms: z.number().nonnegative(),
  ok: z.boolean(),
  error: z.string().optional(),
  /** Issues the tracker listed in active states. */
  candidates: countSchema,
  /** Requests it took; null when the tracker does not count them. */
  requests: countSchema.nullable(),
  /** How many of them cost nothing, because nothing had changed. */
  not_modified: countSchema.nullable(),
});

/** What the worker knows about its tracker; null where the tracker does not say. */
export const trackerStatusSchema = z.object({
  kind: z.string(),
  /** True where its issues can be written through this API; left out otherwise, and by workers of older versions. */
  editable: z.boolean().optional(),
  /** Since the worker started. */
  requests_total: countSchema.nullable(),
  /** How many of them cost nothing, because nothing had changed. */
  not_modified_total: countSchema.nullable(),
  /** What is left of the scarcest allowance of the token, as the tracker last said. */
  budget: z
    .object({
      limit: countSchema.nullable(),
      remaining: countSchema.nullable(),
      reset_at: timestampSchema.nullable(),
    })
    .nullable(),
  /** Every allowance of the token, the scarcest first. */
  allowances: z.array(
    z.object({
      name: z.string(),
      limit: countSchema,
      remaining: countSchema,
      reset_at: timestampSchema,
    }),
  ),
  /** Set while nothing is sent because the tracker asked for silence. */
  paused_until: timestampSchema.nullable(),
  /** Set while polls are put off, because of a pause or to make the allowance last until its reset. */
  slowed_until: timestampSchema.nullable(),
});

/** A machine that runs agents. */
export const hostSchema = z.object({
  /** `local`, or the name the configuration gives it. */
  name: z.string(),
  running: countSchema,
  /** Runs it may have at once. */
  limit: countSchema,
});

/** What agents used up, over all issues. */
const spendSchema = z.object({
  turns: countSchema,
  tokens: countSchema,
  cost_usd: costSchema,
  runtime_seconds: secondsSchema,
});

/** Whether the worker may dispatch with the configuration it has. */
export const preflightSchema = z.object({
  ok: z.boolean(),
  errors: z.array(z.object({ code: z.string(), message: z.string(), hint: z.string().optional() })),
});

/** Absolute sums over all sessions, live ones included as of `generated_at`. */
export const totalsSchema = z.object({
  input_tokens: countSchema,
  output_tokens: countSchema,
  total_tokens: countSchema,
  seconds_running: secondsSchema,
});
export type Totals = z.infer<typeof totalsSchema>;

/** Something that is wrong for longer than a moment, while the worker goes on. */
export const standingWarningSchema = z.object({
  /** Says what it is about, such as the name of a rule of set-up. */
  id: z.string(),
  message: z.string(),
  /** What to do about it; null when there is nothing to do but wait. */
  fix: z.string().nullable(),
  since: timestampSchema,
});

/** `GET /api/v1/state`: everything the worker knows now. */
export const stateSnapshotSchema = z.object({
  version: z.string(),
  agent_default: z.string(),
  generated_at: timestampSchema,
  /** When this worker process started. */
  started_at: timestampSchema,
  poll_interval_ms: countSchema,
  max_concurrent_agents: countSchema,
  /** Keys are lower-case state names. */
  max_concurrent_agents_by_state: z.record(z.string(), countSchema),
  counts: countsSchema,
  /** Sorted by issue_id, as are the next two. No more than may run at once. */
  running: z.array(runningRowSchema),
  /** Those held last, bounded. */
  blocked: z.array(blockedRowSchema),
  /** Those due first, bounded. */
  retrying: z.array(retryRowSchema),
  /** In dispatch order, bounded. */
  waiting: z.array(waitingRowSchema),
  /** Why there is something to do, or nothing. A worker of an older version leaves it out. */
  queue: queueSchema.optional(),
  /** Newest first, bounded. */
  ended: z.array(endedRunSchema),
  /**
   * The last run of each issue that was delivered and that nobody has finished since: a person decides. Newest first,
   * bounded. A worker of an older version leaves it out.
   */
  in_review: z.array(endedRunSchema).optional(),
  /** Newest first, bounded. */
  recent_events: z.array(recentEventSchema),
  /** Issue ids, bounded, as are the next three. */
  completed: z.array(z.string()),
  reconcile_stopped_with_progress: z.array(z.string()),
  agent_handoff_reconcile_stopped: z.array(z.string()),
  active_success_no_handoff: z.array(z.string()),
  /** The newest, sorted by issue_id, bounded. */
  operator_terminal_stops: z.array(operatorStopRowSchema),
  /** Oldest first, bounded. */
  completed_session_usage: z.array(sessionUsageSchema),
  /** A key is left out when there is no such limit. */
  budget_guardrails: z.object({
    max_tokens_per_claim: countSchema.optional(),
    max_runtime_seconds_per_claim: countSchema.optional(),
    max_continuation_turns: countSchema.optional(),
  }),
  codex_totals: totalsSchema,
  /** The agent's latest payload, as it came. */
  rate_limits: z.record(z.string(), z.unknown()).nullable(),
  last_poll: lastPollSchema.nullable(),
  /** Null while a poll is under way or the worker is stopping. */
  next_poll_at: timestampSchema.nullable(),
  config: z.object({
    workflow_path: z.string(),
    /** The last edit could not be used; the worker goes on with the one before. */
    reload_error: z.string().optional(),
  }),
  preflight: preflightSchema,
  /** The oldest first. */
  warnings: z.array(standingWarningSchema),
  /** The worker's memory on disk. When it fails the worker goes on, and `problem` says what that means. */
  journal: z.object({ ok: z.boolean(), path: z.string().nullable(), problem: z.string().nullable() }),
  /** True while an operator keeps new runs from starting. */
  paused: z.boolean(),
  tracker: trackerStatusSchema,
  /** Null while no secret for webhooks is configured. */
  webhooks: webhookStatusSchema.nullable(),
  hosts: z.array(hostSchema),
  /** `today` is the UTC day; `worker` is since this process started. */
  /** `day_limits`: what `agent.budgets.day` allows; units without a limit, and older workers, leave them out. */
  spending: z.object({
    today: spendSchema,
    worker: spendSchema,
    day_limits: spendSchema.partial().optional(),
  }),
  versions: z.object({ aiops: z.string(), node: z.string(), api: z.literal(1) }),
});
export type StateSnapshot = z.infer<typeof stateSnapshotSchema>;
