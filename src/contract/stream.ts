import * as z from 'zod';
import { endedRunSchema, recentEventSchema, sessionUsageSchema } from './ended-rows.ts';
import { timelineEntrySchema } from './runs.ts';
import { stateSnapshotSchema } from './state.ts';
import { timestampSchema } from './wire.ts';

/** The whole state: sent first, and again whenever what a client missed is no longer at hand. */
export const stateMessageSchema = z.object({ type: z.literal('state'), state: stateSnapshotSchema });

/** What has changed since the message before. */
export const patchMessageSchema = z.object({
  type: z.literal('patch'),
  /** Replaces these parts of the snapshot; `generated_at` is always among them. */
  set: stateSnapshotSchema
    .omit({ ended: true, recent_events: true, completed_session_usage: true })
    .partial()
    .required({ generated_at: true }),
  /** New rows of the lists that only grow, oldest first. */
  add: z.object({
    ended: z.array(endedRunSchema).optional(),
    recent_events: z.array(recentEventSchema).optional(),
    completed_session_usage: z.array(sessionUsageSchema).optional(),
  }),
});

/** An event of a live run: sent to clients that asked for that run, or for all. */
export const runMessageSchema = z.object({
  type: z.literal('run'),
  run_id: z.string(),
  issue_identifier: z.string(),
  entry: timelineEntrySchema,
});

/** Nothing has happened, and the connection is alive. Carries no id. */
export const heartbeatMessageSchema = z.object({ type: z.literal('heartbeat'), at: timestampSchema });

/** One message of `GET /api/v1/events`; the SSE event name is its `type`. */
export const streamMessageSchema = z.discriminatedUnion('type', [
  stateMessageSchema,
  patchMessageSchema,
  runMessageSchema,
  heartbeatMessageSchema,
]);
export type StreamMessage = z.infer<typeof streamMessageSchema>;
export type PatchMessage = z.infer<typeof patchMessageSchema>;
export type RunMessage = z.infer<typeof runMessageSchema>;
