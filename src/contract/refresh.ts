import * as z from 'zod';
import { timestampSchema } from './wire.ts';

/** Every request that acts carries this header, which a foreign web page cannot send without asking first. */
export const ACTION_HEADER = 'x-aiops-refresh';

/** A second action with the same key and body is answered like the first and done once. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** `POST /api/v1/refresh`: a poll and a reconcile are queued. */
export const refreshResultSchema = z.object({
  queued: z.literal(true),
  /** True when an earlier request was still waiting, and this one joined it. */
  coalesced: z.boolean(),
  requested_at: timestampSchema,
  operations: z.tuple([z.literal('poll'), z.literal('reconcile')]),
});
export type RefreshResult = z.infer<typeof refreshResultSchema>;
