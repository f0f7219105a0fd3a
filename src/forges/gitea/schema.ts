import { z } from 'zod';
import { RestPull } from '../rest/rest-pull.ts';

const Account = z.object({ login: z.string() }).nullish().catch(null);

export const GiteaPull = RestPull.extend({
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
});
export type GiteaPull = z.infer<typeof GiteaPull>;

/** Texts that came with an import from elsewhere name an `original_author`; nobody here wrote them. */
const Written = z.object({
  user: Account,
  original_author: z.string().nullish(),
  body: z.string().nullish(),
});

export const GiteaComment = Written.extend({ created_at: z.string().nullish() });
export const GiteaReview = Written.extend({
  id: z.int(),
  state: z.string(),
  stale: z.boolean().nullish(),
  dismissed: z.boolean().nullish(),
  comments_count: z.int().nullish(),
  submitted_at: z.string().nullish(),
});
export const GiteaReviewComment = GiteaComment.extend({
  path: z.string().nullish(),
  position: z.int().nullish(),
  original_position: z.int().nullish(),
  resolver: z.unknown(),
});
export const GiteaStatus = z.object({
  context: z.string(),
  status: z.string(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
});
export const GiteaCombinedStatus = z.object({
  total_count: z.int().nullish(),
  statuses: z.array(z.unknown()).nullish(),
});
export type GiteaReview = z.infer<typeof GiteaReview>;
export type GiteaReviewComment = z.infer<typeof GiteaReviewComment>;
export type GiteaStatus = z.infer<typeof GiteaStatus>;
export type GiteaWritten = z.infer<typeof Written>;
