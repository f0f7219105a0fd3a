import * as z from 'zod';
import {
  agentShape,
  costSchema,
  countSchema,
  issueRefShape,
  outcomeSchema,
  secondsSchema,
  timestampSchema,
  tokensSchema,
} from './wire.ts';

/** A finished run, with what it left behind. */
export const endedRunSchema = z.object({
  ...issueRefShape,
  run_id: z.string(),
  title: z.string(),
  /** Tracker state when the run ended. */
  state: z.string(),
  outcome: outcomeSchema,
  /** One line a person can act on. */
  summary: z.string(),
  branch: z.string().nullable(),
  /** Commits on the branch that the base lacks; null when unknown. */
  commits: countSchema.nullable(),
  /** Commits made during this run; null when unknown. */
  new_commits: countSchema.nullable(),
  /** Whether the remote has the head commit; null when unknown. */
  pushed: z.boolean().nullable(),
  pull_request_url: z.string().nullable(),
  turns: countSchema,
  tokens: tokensSchema,
  /** Left out when the agent did not say. */
  cost_usd: costSchema.optional(),
  ...agentShape,
  runtime_seconds: secondsSchema,
  /** Left out by older workers, as the next. */
  started_at: timestampSchema.optional(),
  /** How it ended, in a word: the code of the failure, what stopped it, `completed`, `quota`, `input_required`, … */
  reason: z.string().optional(),
  ended_at: timestampSchema,
});
export type EndedRun = z.infer<typeof endedRunSchema>;

/** The Go worker's row for a finished session. */
export const sessionUsageSchema = z.object({
  ...issueRefShape,
  state: z.string().optional(),
  session_id: z.string().optional(),
  workflow_source: z.string().optional(),
  workflow_path: z.string().optional(),
  ...agentShape,
  agent_model: z.string().optional(),
  tokens: tokensSchema,
  runtime_seconds: secondsSchema,
  completed_at: timestampSchema,
  /** The Go worker's word for it: `completed`, `failed`, `active_success_no_handoff`, … */
  outcome: z.string(),
});
export type SessionUsage = z.infer<typeof sessionUsageSchema>;

/** Something that happened, for people to read. */
export const recentEventSchema = z.object({
  at: timestampSchema,
  /** `candidate`, `running`, `completed`, `failed`, `input_blocked`, … */
  kind: z.string().min(1),
  issue_id: z.string().optional(),
  issue_identifier: z.string().optional(),
  run_id: z.string().optional(),
  message: z.string(),
});
export type RecentEvent = z.infer<typeof recentEventSchema>;
