import type { Author } from '../../domain/issue.ts';
import type { Check, PullRequest, Review, Thread, WrittenText } from '../forge.ts';
import { commonPullRequest } from '../rest/rest-pull.ts';
import type { GiteaPull, GiteaReview, GiteaReviewComment, GiteaStatus, GiteaWritten } from './schema.ts';

/** A draft is a title that begins like this, as Gitea and Forgejo are set up by default. */
const DRAFT_PREFIX = /^\s*(?:WIP:|\[WIP\])\s*/i;

export function draftTitle(title: string, draft: boolean): string {
  if (!draft) return title.replace(DRAFT_PREFIX, '');
  return DRAFT_PREFIX.test(title) ? title : `WIP: ${title}`;
}

export function pullRequestOf(pull: GiteaPull): PullRequest {
  return {
    ...commonPullRequest(pull, pull.merged === true),
    nativeId: null,
    title: draftTitle(pull.title, false),
    draft: DRAFT_PREFIX.test(pull.title),
  };
}

export function writtenOf(entry: GiteaWritten, at: string | null | undefined): WrittenText {
  return { author: authorOf(entry), at: at ?? null, body: entry.body ?? '' };
}

function authorOf({ user, original_author: original }: GiteaWritten): Author | null {
  if (user === null || user === undefined || (original ?? '') !== '') return null;
  return { names: [user.login], association: null };
}

const REVIEW_STATES: Readonly<Record<string, string>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
  PENDING: 'pending',
};

/** Null for what is no review: a request for one is listed among them. */
export function reviewOf(review: GiteaReview): Review | null {
  if (review.state === 'REQUEST_REVIEW') return null;
  const state = REVIEW_STATES[review.state] ?? review.state.toLowerCase();
  return {
    ...writtenOf(review, review.submitted_at),
    state: review.dismissed === true ? 'dismissed' : state,
  };
}

/** The comments of one review by place; a place that somebody resolved is left out. */
export function threadsOf(comments: readonly GiteaReviewComment[]): readonly Thread[] {
  const places = new Map<string, GiteaReviewComment[]>();
  for (const comment of comments) {
    if ((comment.resolver ?? null) !== null) continue;
    const key = JSON.stringify([comment.path, comment.position, comment.original_position]);
    places.set(key, [...(places.get(key) ?? []), comment]);
  }
  return [...places.values()].map((entries) => ({
    path: entries[0]?.path ?? null,
    line: entries[0]?.position || entries[0]?.original_position || null,
    outdated: (entries[0]?.position ?? 0) === 0,
    comments: entries.map((entry) => writtenOf(entry, entry.created_at)),
  }));
}

export function checkOf({ context: name, status, target_url: url, description }: GiteaStatus): Check {
  const outcome = ['success', 'warning'].includes(status)
    ? 'passed'
    : status === 'pending'
      ? 'pending'
      : 'failed';
  return {
    name,
    outcome: status === 'skipped' ? 'skipped' : outcome,
    status,
    url: (url ?? '') === '' ? null : (url ?? null),
    summary: (description ?? '') === '' ? null : (description ?? null),
  };
}
