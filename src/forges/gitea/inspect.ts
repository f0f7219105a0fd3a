import type { z } from 'zod';
import type { ApiResponse } from '../../http/request/api-http.ts';
import type { Listing, PullRequest, PullRequestDetails, Thread } from '../forge.ts';
import { checkOf, reviewOf, threadsOf, writtenOf } from './normalize.ts';
import {
  GiteaCombinedStatus,
  GiteaComment,
  GiteaPull,
  GiteaReview,
  GiteaReviewComment,
  GiteaStatus,
} from './schema.ts';

/** GET below the repository; 403 and 404 are answers. */
export type Read = (path: string) => Promise<ApiResponse>;

const PAGE = 50;
const MAX_REVIEWS_READ = 15;
const COMMENTS_SHOWN = 30;

/** What has become of a pull request: four requests, and one for each of the last reviews that has comments. */
export async function inspectPull(read: Read, pull: PullRequest): Promise<PullRequestDetails> {
  const unreadable: string[] = [];
  const list = async (part: string, path: string): Promise<ApiResponse | null> => {
    const response = await read(path);
    if (response.status < 300) return response;
    unreadable.push(part);
    return null;
  };
  const root = `/pulls/${pull.number}`;
  const fresh = GiteaPull.safeParse((await read(root)).json).data;
  const checks = await readChecks(list, fresh?.head.sha ?? pull.headCommit);
  const reviewPage = await lastPage(list, 'reviews', `${root}/reviews`);
  const reviews = parseAll(GiteaReview, reviewPage.items);
  const threads: Thread[] = [];
  for (const { id } of reviews
    .filter((review) => (review.comments_count ?? 0) > 0)
    .slice(-MAX_REVIEWS_READ)) {
    const answer = await list('threads', `${root}/reviews/${id}/comments`);
    threads.push(...threadsOf(parseAll(GiteaReviewComment, answer?.json)));
  }
  const comments = parseAll(GiteaComment, (await list('comments', `/issues/${pull.number}/comments`))?.json);
  const shown = reviews.flatMap((review) => reviewOf(review) ?? []);
  return {
    mergeable: fresh?.mergeable ?? null,
    reviewDecision: null,
    requestedReviewers: (fresh?.requested_reviewers ?? []).map(({ login }) => login),
    checks,
    reviews: {
      items: shown,
      total: Math.max(shown.length, reviewPage.total - (reviews.length - shown.length)),
    },
    threads: { items: threads, total: threads.length },
    comments: {
      items: comments.slice(-COMMENTS_SHOWN).map((comment) => writtenOf(comment, comment.created_at)),
      total: comments.length,
    },
    unreadable: [...new Set(unreadable)],
  };
}

type List = (part: string, path: string) => Promise<ApiResponse | null>;

async function readChecks(list: List, sha: string | null): Promise<PullRequestDetails['checks']> {
  if (sha === null) return { items: [], total: 0 };
  const answer = await list('checks', `/commits/${encodeURIComponent(sha)}/status?limit=${PAGE}`);
  const combined = GiteaCombinedStatus.safeParse(answer?.json).data;
  const items = parseAll(GiteaStatus, combined?.statuses).map(checkOf);
  return { items, total: Math.max(items.length, combined?.total_count ?? 0) };
}

/** The newest page of a list that begins with the oldest entry. */
async function lastPage(list: List, part: string, path: string): Promise<Listing<unknown>> {
  const first = await list(part, `${path}?limit=${PAGE}`);
  const items = Array.isArray(first?.json) ? (first.json as readonly unknown[]) : [];
  const total = Number(first?.headers.get('x-total-count') ?? items.length) || items.length;
  const pages = Math.ceil(total / PAGE);
  if (pages <= 1) return { items, total };
  const last = await list(part, `${path}?limit=${PAGE}&page=${pages}`);
  const newest = Array.isArray(last?.json) ? (last.json as readonly unknown[]) : [];
  return { items: pages === 2 ? [...items, ...newest] : newest, total };
}

/** Entries that make no sense are left out. */
function parseAll<Schema extends z.ZodType>(schema: Schema, json: unknown): readonly z.output<Schema>[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry: unknown) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}
