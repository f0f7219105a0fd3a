import { z } from 'zod';
import { RestPull } from '../rest/rest-pull.ts';

/** A pull request as REST gives it, in lists and by itself. */
export const GithubPull = RestPull.extend({
  node_id: z.string().nullish(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  requested_teams: z
    .array(z.object({ slug: z.string() }))
    .nullish()
    .catch(null),
});
export type GithubPull = z.infer<typeof GithubPull>;

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
