import { z } from 'zod';

const Account = z.object({ login: z.string() }).nullish().catch(null);

export const GiteaPull = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  user: Account,
  head: z.object({
    ref: z.string(),
    sha: z.string().nullish(),
    repo: z.object({ full_name: z.string() }).nullish().catch(null),
  }),
  base: z.object({ ref: z.string() }),
  requested_reviewers: z
    .array(z.object({ login: z.string() }))
    .nullish()
    .catch(null),
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
