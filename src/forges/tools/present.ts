import { type TrustRules, trustsAuthor } from '../../domain/trust.ts';
import { noticeFor, shownText } from '../../tools/outside-texts.ts';
import type { Check, Listing, PullRequest, PullRequestDetails, WrittenText } from '../forge.ts';

const WITHHELD = '[withheld: its author is not trusted here]';
const MAX_SHOWN = { checks: 50, reviews: 30, threads: 30, comments: 20 } as const;
const MAX_TEXT_LENGTH = 4_000;
/** All texts of one answer together: an answer must fit into a conversation. */
const MAX_TEXT_TOTAL = 60_000;

/** What an agent is shown of its pull request. Behind a gate, texts of strangers are withheld or counted. */
export function presentPull(pull: PullRequest, trust: TrustRules | null): Readonly<Record<string, unknown>> {
  const isTrusted = trustsAuthor(pull.author, trust);
  return {
    number: pull.number,
    url: pull.url,
    state: pull.state,
    draft: pull.draft,
    title: isTrusted ? shownText(pull.title, trust) : WITHHELD,
    base: pull.base,
    head: { branch: pull.branch, commit: pull.headCommit },
  };
}

export function presentDetails(
  pull: PullRequest,
  details: PullRequestDetails,
  trust: TrustRules | null,
): Readonly<Record<string, unknown>> {
  const cut = createCut(trust);
  const shown = (text: WrittenText) => ({
    author: text.author?.names[0] ?? null,
    at: text.at,
    body: cut(text.body),
  });
  const { checks, reviews, threads, comments, unreadable } = details;
  const body = trustsAuthor(pull.author, trust) ? cut(pull.body) : WITHHELD;
  return {
    pull_request: {
      ...presentPull(pull, trust),
      body,
      mergeable: details.mergeable,
      review_decision: details.reviewDecision,
      waiting_for_review_by: details.requestedReviewers,
    },
    checks: presentChecks(checks, cut),
    reviews: sift(reviews, MAX_SHOWN.reviews, trust, (review) => ({ state: review.state, ...shown(review) })),
    unresolved_threads: {
      total: threads.total,
      items: threads.items.slice(-MAX_SHOWN.threads).map(({ comments: texts, ...place }) => {
        const trusted = texts.filter(({ author }) => trustsAuthor(author, trust));
        return { ...place, comments: trusted.map(shown), ...withheld(texts.length - trusted.length, trust) };
      }),
    },
    comments: sift(comments, MAX_SHOWN.comments, trust, shown),
    ...(unreadable.length === 0 ? {} : { not_readable_with_this_credential: unreadable }),
    ...noticeFor(trust),
  };
}

/** What failed comes first, and only there is the summary worth its length. */
function presentChecks(
  { items, total }: Listing<Check>,
  cut: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const order: readonly Check['outcome'][] = ['failed', 'pending', 'passed', 'skipped'];
  const sorted = items.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const count = (outcome: Check['outcome']): number =>
    items.filter((check) => check.outcome === outcome).length;
  return {
    total: Math.max(total, items.length),
    failed: count('failed'),
    pending: count('pending'),
    passed: count('passed'),
    items: sorted.slice(0, MAX_SHOWN.checks).map(({ summary, name, ...check }) => ({
      name: name.slice(0, 200),
      ...check,
      ...(check.outcome === 'failed' && summary !== null ? { summary: cut(summary) } : {}),
    })),
  };
}

function sift<Entry extends WrittenText>(
  { items, total }: Listing<Entry>,
  most: number,
  trust: TrustRules | null,
  present: (entry: Entry) => object,
): Readonly<Record<string, unknown>> {
  const trusted = items.filter(({ author }) => trustsAuthor(author, trust));
  return {
    total,
    items: trusted.slice(-most).map(present),
    ...withheld(items.length - trusted.length, trust),
  };
}

function withheld(count: number, trust: TrustRules | null): { readonly withheld?: number } {
  return trust === null ? {} : { withheld: count };
}

/** Cuts texts to a bound each and together. */
function createCut(trust: TrustRules | null): (text: string) => string {
  let left = MAX_TEXT_TOTAL;
  return (text) => {
    const visible = shownText(text, trust);
    const cut = visible.slice(0, Math.max(0, Math.min(MAX_TEXT_LENGTH, left)));
    left -= cut.length;
    return cut.length === visible.length
      ? cut
      : `${cut}… [${visible.length - cut.length} characters left out]`;
  };
}
