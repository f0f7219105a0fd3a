import type { Author } from '../domain/issue.ts';
import type { Repository } from '../domain/repository.ts';

/**
 * Where branches of one repository become pull requests. What the forge does not accept is a ToolRefusal in the forge's own
 * words; a forge that cannot be reached is an AppError.
 */
export interface Forge {
  readonly kind: string;
  readonly repository: Repository;
  /** The pull request that comes from this branch of this very repository: the open one, else the newest; else null. */
  find(branch: string, signal: AbortSignal): Promise<PullRequest | null>;
  /** Refuses a branch that is not on the forge yet, has nothing new, or has an open pull request into the same base. */
  open(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>;
  update(pull: PullRequest, changes: PullRequestChanges, signal: AbortSignal): Promise<PullRequest>;
  /** Asks these people, and teams written `organisation/team`, for a review. */
  requestReviews(pull: PullRequest, reviewers: readonly string[], signal: AbortSignal): Promise<void>;
  /** What has become of it: checks, reviews, what people wrote. */
  inspect(pull: PullRequest, signal: AbortSignal): Promise<PullRequestDetails>;
  /** Takes the credential out of a text. */
  redact(text: string): string;
}

export interface PullRequest {
  readonly number: number;
  /** As the forge itself names it elsewhere than in paths. */
  readonly nativeId: string | null;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  readonly base: string;
  readonly branch: string;
  readonly headCommit: string | null;
  readonly author: Author | null;
  readonly requestedReviewers: readonly string[];
}

export interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** What is left out stays as it is. */
export interface PullRequestChanges {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly state?: 'open' | 'closed' | undefined;
}

/** The newest entries, oldest first, of `total` that there are. */
export interface Listing<Entry> {
  readonly items: readonly Entry[];
  readonly total: number;
}

export interface PullRequestDetails {
  /** Null while the forge has not worked it out. */
  readonly mergeable: boolean | null;
  /** What the reviews amount to, where the forge says: `approved`, `changes_requested`, `review_required`. */
  readonly reviewDecision: string | null;
  readonly requestedReviewers: readonly string[];
  readonly checks: Listing<Check>;
  readonly reviews: Listing<Review>;
  /** Those that nobody has resolved. */
  readonly threads: Listing<Thread>;
  readonly comments: Listing<WrittenText>;
  /** Parts that the credential may not read. */
  readonly unreadable: readonly string[];
}

export interface Check {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'pending' | 'skipped';
  /** The forge's own word. */
  readonly status: string;
  readonly url: string | null;
  /** What the check says of itself. */
  readonly summary: string | null;
}

export interface WrittenText {
  readonly author: Author | null;
  readonly at: string | null;
  readonly body: string;
}

export interface Review extends WrittenText {
  /** `approved`, `changes_requested`, `commented`, `dismissed`, `pending`. */
  readonly state: string;
}

export interface Thread {
  readonly path: string | null;
  readonly line: number | null;
  /** About lines that have changed since. */
  readonly outdated: boolean;
  readonly comments: readonly WrittenText[];
}
