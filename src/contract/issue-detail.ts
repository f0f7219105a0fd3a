import * as z from 'zod';
import {
  blockedRowSchema,
  operatorStopRowSchema,
  retryRowSchema,
  runningRowSchema,
  waitingRowSchema,
} from './claim-rows.ts';
import { endedRunSchema } from './ended-rows.ts';
import { countSchema, issueRefShape, outcomeSchema, timestampSchema } from './wire.ts';

/**
 * Where the issue stands. `finished`: no claim is left and at least one run has ended; `released`: the worker has seen it
 * and lets it be, without any run that is still on record.
 */
export const issueStatusSchema = z.enum([
  'running',
  'blocked',
  'retrying',
  'waiting',
  'operator_terminal_stop',
  'finished',
  'released',
]);

/** `GET /api/v1/<issue>`: one issue the worker has seen. Of the rows, the one that `status` names is not null. */
export const issueDetailSchema = z.object({
  ...issueRefShape,
  title: z.string(),
  state: z.string(),
  status: issueStatusSchema,
  workspace: z.object({ path: z.string().nullable() }),
  attempts: z.object({
    /** Runs of this issue after its first. */
    restart_count: countSchema,
    /** The attempt that runs or is due; null on the first run and when none is due. */
    current_retry_attempt: countSchema.nullable(),
  }),
  running: runningRowSchema.nullable(),
  blocked: blockedRowSchema.nullable(),
  retry: retryRowSchema.nullable(),
  waiting: waitingRowSchema.nullable(),
  operator_terminal_stop: operatorStopRowSchema.nullable(),
  /** How the issue's last run ended, or what a push has made of it since; left out before the first. */
  last_outcome: z.object({ outcome: outcomeSchema, summary: z.string() }).optional(),
  /** Finished runs of this issue, newest first, bounded. */
  ended: z.array(endedRunSchema),
  logs: z.object({
    codex_session_logs: z.array(
      z.object({ label: z.string(), path: z.string().nullable(), url: z.string().nullable() }),
    ),
  }),
  /** Newest first, bounded. `kind` and `event` are the same word: the first is ours, the second the SPEC's. */
  recent_events: z.array(
    z.object({ at: timestampSchema, kind: z.string(), event: z.string(), message: z.string() }),
  ),
  last_error: z.string().nullable(),
  tracked: z.record(z.string(), z.unknown()),
});
export type IssueDetail = z.infer<typeof issueDetailSchema>;
