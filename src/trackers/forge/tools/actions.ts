import type { Author } from '../../../domain/issue.ts';
import type { Repository } from '../../../domain/repository.ts';
import type { ForgeRecord } from '../record.ts';

export interface ForgeComment {
  readonly author: Author | null;
  readonly at: string | null;
  readonly body: string;
}

export interface PullRequestRecord {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string | null;
  readonly open: boolean;
  /** The branch it came from. */
  readonly headRef: string | null;
  /** Null when the fork it came from is gone. */
  readonly headRepository: Repository | null;
}

/** What the tools do to one repository with the worker's credential. */
export interface ForgeActions {
  readonly repository: Repository;
  /** Null when there is no such issue. */
  read(number: number, signal: AbortSignal): Promise<ForgeRecord | null>;
  comments(number: number, signal: AbortSignal): Promise<readonly ForgeComment[]>;
  comment(number: number, body: string, signal: AbortSignal): Promise<{ readonly url: string | null }>;
  /** Gives the labels the issue has afterwards. */
  addLabel(number: number, label: string, signal: AbortSignal): Promise<readonly string[]>;
  /** A label that is not there is no error. */
  removeLabel(number: number, label: string, signal: AbortSignal): Promise<void>;
  close(number: number, signal: AbortSignal): Promise<void>;
  /** Null when there is no such pull request. */
  pullRequest(number: number, signal: AbortSignal): Promise<PullRequestRecord | null>;
}
