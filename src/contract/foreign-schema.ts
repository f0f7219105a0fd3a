import * as z from 'zod';

const instant = z
  .string()
  .transform((text) => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()))
  .optional()
  .catch(undefined);
const word = z.string().optional().catch(undefined);
const text = z.string().catch('');
const count = z.number().nonnegative().transform(Math.round).catch(0);
const number = z.number().nonnegative().catch(0);
const tokens = z
  .object({ input_tokens: count, output_tokens: count, total_tokens: count })
  .catch({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
const pid = z.coerce.number().int().optional().catch(undefined);

/** What is no row is left out; a list may be null. */
function list<Row extends z.ZodType>(row: Row) {
  return z
    .array(row.nullable().catch(null))
    .nullish()
    .catch([])
    .transform((rows) => (rows ?? []).flatMap((found) => (found === null ? [] : [found as z.output<Row>])));
}

const refShape = {
  issue_id: z.string().min(1),
  issue_identifier: word,
  issue_url: word,
  title: word,
  state: text,
};
const agentShape = { agent_provider: word, agent_model: word, workflow_source: word, workflow_path: word };

/** Lenient: what is odd counts as nothing. */
export const foreignSchema = z.object({
  version: text,
  agent_default: text,
  generated_at: instant,
  poll_interval_ms: count,
  max_concurrent_agents: count,
  max_concurrent_agents_by_state: z.record(z.string(), count).catch({}),
  counts: z.record(z.string(), count).catch({}),
  running: list(
    z.object({
      ...refShape,
      ...agentShape,
      session_id: text,
      turn_count: count,
      last_event: text,
      last_message: text,
      started_at: instant,
      runtime_seconds: number,
      last_event_at: instant,
      retry_attempt: count.optional(),
      workspace_path: word,
      tokens,
      codex_app_server_pid: pid,
    }),
  ),
  blocked: list(
    z.object({
      ...refShape,
      blocked_at: instant,
      workspace_path: word,
      session_id: word,
      last_event_at: instant,
      runtime_seconds: number,
      tokens,
      method: text,
      error: text,
      codex_app_server_pid: pid,
    }),
  ),
  retrying: list(
    z.object({
      ...refShape,
      attempt: count,
      due_at: instant,
      error: z.string().nullable().catch(null),
      kind: z.enum(['failure', 'continuation', 'quota_backoff']).catch('failure'),
      startup_failure: z.object({ phase: z.string(), error: word }).optional().catch(undefined),
    }),
  ),
  operator_terminal_stops: list(
    z.object({
      issue_id: z.string().min(1),
      issue_identifier: word,
      state: word,
      stopped_at: instant,
      suppressed_dispatches: count,
    }),
  ),
  completed_session_usage: list(
    z.object({
      ...refShape,
      ...agentShape,
      tokens,
      runtime_seconds: number,
      completed_at: instant,
      outcome: text,
    }),
  ),
  codex_totals: z
    .object({ input_tokens: count, output_tokens: count, total_tokens: count, seconds_running: number })
    .catch({ input_tokens: 0, output_tokens: 0, total_tokens: 0, seconds_running: 0 }),
  rate_limits: z.record(z.string(), z.unknown()).nullable().catch(null),
});
export type Foreign = z.infer<typeof foreignSchema>;
