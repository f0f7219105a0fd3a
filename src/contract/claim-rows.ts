import * as z from 'zod';
import {
  agentShape,
  costSchema,
  countSchema,
  issueRefShape,
  phaseSchema,
  secondsSchema,
  timestampSchema,
  tokensSchema,
} from './wire.ts';

/** An issue with a live run. */
export const runningRowSchema = z.object({
  ...issueRefShape,
  run_id: z.string(),
  title: z.string(),
  /** Tracker state as last seen. */
  state: z.string(),
  phase: phaseSchema,
  /** '' until the agent has opened its session. */
  session_id: z.string(),
  /** The turn under way, 1-based; 0 before the first. */
  turn_count: countSchema,
  /** Turns this run may take. */
  max_turns: countSchema,
  /** Kind of the agent's last event, '' before the first. */
  last_event: z.string(),
  /** The live activity line, '' before the first. */
  last_message: z.string(),
  started_at: timestampSchema,
  runtime_seconds: secondsSchema,
  last_event_at: timestampSchema.nullable(),
  tokens: tokensSchema,
  /** What the agent says this run has cost so far; left out when it does not say. */
  cost_usd: costSchema.optional(),
  /** Why the run is being stopped; left out while it is not. */
  stopping: z.string().optional(),
  /** The work branch, null until the workspace is ready or when there is no repository. */
  branch: z.string().nullable(),
  /** Left out on the first run of an issue. */
  retry_attempt: countSchema.optional(),
  workspace_path: z.string().optional(),
  /** Process id of the agent, whatever its kind; the name is the Go worker's. */
  codex_app_server_pid: z.int().optional(),
  ...agentShape,
  agent_model: z.string().optional(),
  workflow_source: z.string().optional(),
  workflow_path: z.string().optional(),
});
export type RunningRow = z.infer<typeof runningRowSchema>;

/** An issue that is held until a person acts. */
export const blockedRowSchema = z.object({
  ...issueRefShape,
  title: z.string(),
  state: z.string(),
  blocked_at: timestampSchema,
  /**
   * What holds it: `continuation_budget`, `budget_exceeded`, `no_progress`, `not_pushed`, `operator`, or the agent's
   * request method.
   */
  method: z.string(),
  /** One line that says why. */
  error: z.string(),
  /** What the agent asked, when it asked something. */
  question: z.string().optional(),
  branch: z.string().nullable(),
  workspace_path: z.string().optional(),
  session_id: z.string().optional(),
  last_event_at: timestampSchema.optional(),
  runtime_seconds: secondsSchema,
  tokens: tokensSchema,
  codex_app_server_pid: z.int().optional(),
  ...agentShape,
});
export type BlockedRow = z.infer<typeof blockedRowSchema>;

export const retryKindSchema = z.enum(['failure', 'continuation', 'quota_backoff']);
export type WireRetryKind = z.infer<typeof retryKindSchema>;

/** An issue whose next run waits for a timer. */
export const retryRowSchema = z.object({
  ...issueRefShape,
  title: z.string(),
  state: z.string(),
  kind: retryKindSchema,
  /** The attempt that is due, 1-based. */
  attempt: countSchema,
  due_at: timestampSchema,
  error: z.string().nullable(),
  /** Why it has not started although it is due: `waiting for a slot (2 of 2 in use)`, `paused`; left out before. */
  reason: z.string().optional(),
  workspace_path: z.string().optional(),
  startup_failure: z.object({ phase: z.string(), error: z.string().optional() }).optional(),
  ...agentShape,
});
export type RetryRow = z.infer<typeof retryRowSchema>;

/** A candidate that is not claimed, and why. */
export const waitingRowSchema = z.object({
  ...issueRefShape,
  title: z.string(),
  state: z.string(),
  /** For people: `all 2 agent slots are busy`, `blocked by DEMO-3 (Todo)`. */
  reason: z.string(),
  ...agentShape,
});
export type WaitingRow = z.infer<typeof waitingRowSchema>;

/** An issue a person moved to a terminal state; not dispatched again until the stop is cleared. */
export const operatorStopRowSchema = z.object({
  issue_id: z.string().min(1),
  issue_identifier: z.string(),
  state: z.string().optional(),
  stopped_at: timestampSchema.optional(),
  suppressed_dispatches: countSchema,
  first_suppressed_at: timestampSchema.optional(),
  first_suppressed_state: z.string().optional(),
  first_suppressed_reason: z.string().optional(),
});
export type OperatorStopRow = z.infer<typeof operatorStopRowSchema>;
