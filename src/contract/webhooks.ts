import * as z from 'zod';
import { countSchema, timestampSchema } from './wire.ts';

/** What became of a webhook that was taken. */
const acceptedSchema = z.enum([
  /** A poll follows in a moment. */
  'queued',
  /** A poll was due anyway; this one joined it. */
  'coalesced',
  /** It tells of nothing a poll would see: another event, another repository. */
  'ignored',
  /** It came before. */
  'replayed',
]);
export type WebhookAcceptance = z.infer<typeof acceptedSchema>;

/** Why a webhook was not taken. */
const REFUSALS = [
  'unsigned',
  'bad_signature',
  'stale',
  'too_large',
  'too_many_failures',
  'busy',
  'broken_off',
] as const;
export type WebhookRefusal = (typeof REFUSALS)[number];

const webhookResultSchema = z.enum([...acceptedSchema.options, ...REFUSALS]);
export type WebhookResult = z.infer<typeof webhookResultSchema>;

/** `POST /api/v1/webhooks/{kind}`: the worker has taken note. */
export const webhookAnswerSchema = z.object({ result: acceptedSchema });
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;

/** The webhooks of this worker's tracker, since the worker started. */
export const webhookStatusSchema = z.object({
  received_total: countSchema,
  last: z.object({ at: timestampSchema, result: webhookResultSchema }).nullable(),
  /** When one last made the worker poll. */
  last_wake_at: timestampSchema.nullable(),
});
export type WebhookStatus = z.infer<typeof webhookStatusSchema>;
