import * as z from 'zod';
import { costSchema, countSchema, outcomeSchema, secondsSchema, timestampSchema } from './wire.ts';

export const historyPointSchema = z.object({
  /** When the bucket begins. */
  at: timestampSchema,
  runs: countSchema,
  /** Runs per outcome; an outcome nobody had is left out. */
  outcomes: z.partialRecord(outcomeSchema, countSchema),
  input_tokens: countSchema,
  output_tokens: countSchema,
  cost_usd: costSchema,
  runtime_seconds: secondsSchema,
});
export type HistoryPoint = z.infer<typeof historyPointSchema>;

/** `GET /api/v1/history?bucket=hour|day&points=`: finished runs over time, oldest first, empty buckets included. */
export const historySchema = z.object({
  bucket: z.enum(['hour', 'day']),
  points: z.array(historyPointSchema),
  /** Runs before this moment may be missing; null when everything on record was counted. */
  complete_since: timestampSchema.nullable(),
});
export type History = z.infer<typeof historySchema>;
