import * as z from 'zod';
import { trackerIssueSchema } from './tracker-issues.ts';

/** Every failure under `/api/` has this shape. */
export const errorEnvelopeSchema = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.string().min(1),
    /** What to do about it. */
    hint: z.string().optional(),
  }),
  /** With `issue_conflict`: the issue as it is now. */
  current: trackerIssueSchema.optional(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
