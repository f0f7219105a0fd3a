import type { Author } from '../../domain/issue.ts';
import type { Check, Listing, PullRequest, PullRequestDetails, WrittenText } from '../forge.ts';
import { commonPullRequest } from '../rest/rest-pull.ts';
import type { CheckNode, GithubPull, PullNode, WrittenNode } from './schema.ts';

export function pullRequestOf(pull: GithubPull): PullRequest {
  const common = commonPullRequest(pull, (pull.merged_at ?? null) !== null);
  const teams = (pull.requested_teams ?? []).map(({ slug }) => slug);
  return {
    ...common,
    nativeId: pull.node_id ?? null,
    title: pull.title,
    draft: pull.draft ?? false,
    requestedReviewers: [...common.requestedReviewers, ...teams],
  };
}

/** `unreadable` are the parts that GitHub left out because the token may not see them. */
export function detailsOf(node: PullNode, unreadable: readonly string[]): PullRequestDetails {
  const rollup = node.commits?.nodes?.at(-1)?.commit.statusCheckRollup;
  const threads = entries(node.reviewThreads).filter(({ isResolved }) => !isResolved);
  return {
    mergeable: node.mergeable === 'MERGEABLE' ? true : node.mergeable === 'CONFLICTING' ? false : null,
    reviewDecision: node.reviewDecision?.toLowerCase() ?? null,
    requestedReviewers: entries(node.reviewRequests).flatMap(
      ({ requestedReviewer: who }) => who?.login ?? who?.combinedSlug ?? [],
    ),
    checks: { items: entries(rollup?.contexts).map(checkOf), total: rollup?.contexts?.totalCount ?? 0 },
    reviews: listing(node.reviews, (review) => ({
      ...writtenOf({ ...review, createdAt: review.submittedAt }),
      state: review.state.toLowerCase(),
    })),
    threads: {
      items: threads.map(({ path, line, isOutdated, comments }) => ({
        path: path ?? null,
        line: line ?? null,
        outdated: isOutdated ?? false,
        comments: entries(comments).map(writtenOf),
      })),
      total: threads.length,
    },
    comments: listing(node.comments, writtenOf),
    unreadable,
  };
}

interface Connection<Node> {
  readonly totalCount?: number | null | undefined;
  readonly nodes?: readonly (Node | null)[] | null | undefined;
}

function entries<Node>(connection: Connection<Node> | null | undefined): readonly Node[] {
  return (connection?.nodes ?? []).filter((node) => node !== null);
}

function listing<Node, Entry>(
  connection: Connection<Node> | null | undefined,
  toEntry: (node: Node) => Entry,
): Listing<Entry> {
  const items = entries(connection).map(toEntry);
  return { items, total: connection?.totalCount ?? items.length };
}

function writtenOf({ author, authorAssociation, body, createdAt }: WrittenNode): WrittenText {
  return { author: authorOf(author, authorAssociation ?? null), at: createdAt ?? null, body };
}

/** Applications end in `[bot]` for people, not in GraphQL; one that stands for an account elsewhere is nobody. */
function authorOf(actor: WrittenNode['author'], association: string | null): Author | null {
  if (actor === null || actor === undefined || actor.__typename === 'Mannequin') return null;
  return { names: [actor.__typename === 'Bot' ? `${actor.login}[bot]` : actor.login], association };
}

const PASSED = new Set(['SUCCESS']);
const SKIPPED = new Set(['NEUTRAL', 'SKIPPED', 'STALE']);

function checkOf(node: CheckNode): Check {
  if (node.__typename === 'StatusContext') {
    const outcome = ['PENDING', 'EXPECTED'].includes(node.state)
      ? 'pending'
      : PASSED.has(node.state)
        ? 'passed'
        : 'failed';
    const { context: name, state, targetUrl: url, description: summary } = node;
    return { name, outcome, status: state.toLowerCase(), url: url ?? null, summary: summary ?? null };
  }
  const conclusion = node.status === 'COMPLETED' ? (node.conclusion ?? null) : null;
  const outcome =
    conclusion === null
      ? 'pending'
      : PASSED.has(conclusion)
        ? 'passed'
        : SKIPPED.has(conclusion)
          ? 'skipped'
          : 'failed';
  const summary = [node.title, node.summary].filter((text) => (text ?? '') !== '').join('\n');
  return {
    name: node.name,
    outcome,
    status: (conclusion ?? node.status).toLowerCase(),
    url: node.detailsUrl ?? null,
    summary: summary === '' ? null : summary,
  };
}
