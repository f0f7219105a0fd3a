import { z } from 'zod';
import { text } from '../forge/rest/schema.ts';

const login = z.object({ login: z.string() }).nullish().catch(null);
/** Decides whether an issue may run, so that an unreadable one is never taken for nobody. */
const author = z.object({ login: z.string(), type: z.string().nullish() }).nullish();
const association = z.string().nullish();

/** What is used of a REST issue. Only number, title and state must be right; the rest falls back. */
export const RestIssue = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  id: z.int().nullish().catch(null),
  node_id: text,
  body: text,
  html_url: text,
  created_at: text,
  updated_at: text,
  // Never defaulted: labels make the state.
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  assignees: z.array(login).nullish().catch([]),
  user: author,
  author_association: association,
  pull_request: z.unknown().optional(),
  parent_issue_url: text,
  repository_url: text,
  sub_issues_summary: z.object({ total: z.int(), completed: z.int() }).nullish().catch(null),
  issue_dependencies_summary: z.object({ blocked_by: z.int() }).nullish().catch(null),
});
export type RestIssue = z.infer<typeof RestIssue>;

export const RestComment = z.object({
  body: z.string(),
  user: author,
  author_association: association,
  created_at: text,
});

/** The issue fragment of the refresh query. */
export const GraphqlIssue = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(['OPEN', 'CLOSED']),
  id: text,
  fullDatabaseId: text,
  databaseId: z.int().nullish().catch(null),
  body: text,
  url: text,
  createdAt: text,
  updatedAt: text,
  // Never defaulted: labels make the state.
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  assignees: z
    .object({ nodes: z.array(login) })
    .nullish()
    .catch(null),
  author: z.object({ login: z.string(), __typename: z.string() }).nullish(),
  authorAssociation: association,
  parent: z
    .object({ number: z.int(), repository: z.object({ nameWithOwner: z.string() }) })
    .nullish()
    .catch(null),
  subIssuesSummary: z.object({ total: z.int(), completed: z.int() }).nullish().catch(null),
});
export type GraphqlIssue = z.infer<typeof GraphqlIssue>;

export const RestLabels = z.array(z.object({ name: z.string() }));
