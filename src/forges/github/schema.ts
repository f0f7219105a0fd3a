import { z } from 'zod';

const account = z.object({ login: z.string() }).nullish().catch(null);

/** A pull request as REST gives it, in lists and by itself. */
export const RestPull = z.object({
  number: z.int().positive(),
  node_id: z.string().nullish(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  user: account,
  author_association: z.string().nullish(),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullish().catch(null),
  }),
  base: z.object({ ref: z.string() }),
  requested_reviewers: z
    .array(z.object({ login: z.string() }))
    .nullish()
    .catch(null),
  requested_teams: z
    .array(z.object({ slug: z.string() }))
    .nullish()
    .catch(null),
});
export type RestPull = z.infer<typeof RestPull>;

const Actor = z.object({ __typename: z.string().nullish(), login: z.string() }).nullish().catch(null);

const Written = z.object({
  author: Actor,
  authorAssociation: z.string().nullish(),
  body: z.string().catch(''),
  createdAt: z.string().nullish(),
});

function connection<Schema extends z.ZodType>(node: Schema) {
  return z
    .object({ totalCount: z.int().nullish(), nodes: z.array(node.nullable().catch(null)).nullish() })
    .nullish()
    .catch(null);
}

const CheckRun = z.object({
  __typename: z.literal('CheckRun'),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  detailsUrl: z.string().nullish(),
  title: z.string().nullish(),
  summary: z.string().nullish(),
});
const StatusContext = z.object({
  __typename: z.literal('StatusContext'),
  context: z.string(),
  state: z.string(),
  targetUrl: z.string().nullish(),
  description: z.string().nullish(),
});
export const CheckNode = z.discriminatedUnion('__typename', [CheckRun, StatusContext]);
export type CheckNode = z.infer<typeof CheckNode>;

const Rollup = z
  .object({ contexts: connection(CheckNode) })
  .nullish()
  .catch(null);
const HeadCommit = z.object({ commit: z.object({ oid: z.string(), statusCheckRollup: Rollup }) });

/** What the one query about a pull request answers. */
export const PullNode = z.object({
  mergeable: z.string().nullish(),
  reviewDecision: z.string().nullish(),
  reviewRequests: connection(
    z.object({
      requestedReviewer: z
        .object({ login: z.string().nullish(), combinedSlug: z.string().nullish() })
        .nullish()
        .catch(null),
    }),
  ),
  reviews: connection(
    Written.omit({ createdAt: true }).extend({ state: z.string(), submittedAt: z.string().nullish() }),
  ),
  reviewThreads: connection(
    z.object({
      isResolved: z.boolean(),
      isOutdated: z.boolean().nullish(),
      path: z.string().nullish(),
      line: z.int().nullish(),
      comments: connection(Written),
    }),
  ),
  comments: connection(Written),
  commits: connection(HeadCommit),
});
export type PullNode = z.infer<typeof PullNode>;
export type WrittenNode = z.infer<typeof Written>;
