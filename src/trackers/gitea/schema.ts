import { z } from 'zod';
import { text } from '../forge/rest/schema.ts';

const login = z.object({ login: z.string() }).nullish().catch(null);
/** Decides whether an issue may run, so that an unreadable one is never taken for nobody. */
const author = {
  user: z.object({ login: z.string() }).nullish(),
  original_author: z.string().nullish(),
};

/** What is used of an issue. Number, title, state and labels must be right; the rest falls back. */
export const GiteaIssue = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  labels: z.array(z.object({ name: z.string() })),
  id: z.int().nullish().catch(null),
  body: text,
  html_url: text,
  created_at: text,
  updated_at: text,
  assignees: z.array(login).nullish().catch([]),
  assignee: login,
  ...author,
  pull_request: z.unknown().optional(),
  repository: z.object({ owner: z.string(), name: z.string() }).nullish().catch(null),
});
export type GiteaIssue = z.infer<typeof GiteaIssue>;

export const GiteaComment = z.object({ body: z.string(), ...author, created_at: text });
export const GiteaLabels = z.array(z.object({ id: z.int(), name: z.string() })).nullable();
