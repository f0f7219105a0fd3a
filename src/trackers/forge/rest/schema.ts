import { z } from 'zod';

/** Optional text; what is no text counts as missing. */
export const text = z.string().nullish().catch(null);

/** What is used of a pull request. */
export const RestPullRequest = z.object({
  number: z.int().positive(),
  title: text,
  body: text,
  html_url: text,
  state: text,
  head: z
    .object({ ref: text, repo: z.object({ full_name: text }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export const RestUrl = z.object({ html_url: z.string() });
export const Viewer = z.object({ login: z.string() });
