import type { ForgeRecord } from '../record.ts';
import type { BlockerSource } from './blockers.ts';
import type { ListQuery } from './list-query.ts';

export type RecordOutcome =
  | { readonly kind: 'record'; readonly record: ForgeRecord }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface ForgeListing {
  readonly records: readonly ForgeRecord[];
  /** Numbers of entries that cannot be made into an issue; 0 stands for one without a number. */
  readonly malformed: readonly number[];
  readonly capped: boolean;
}

/** Issue numbers and the open pull request that would close each. */
export interface PullRequestClaims {
  readonly byIssue: ReadonlyMap<number, number>;
  readonly capped: boolean;
}

/** What the reader needs of a forge. Failures are AppErrors. */
export interface ForgeReads extends BlockerSource {
  /** Called once before the listings of a poll. */
  beginPoll(): void;
  /** Reads all pages the configuration allows, or no more than `pageLimit`. */
  list(query: ListQuery, signal: AbortSignal, pageLimit?: number): Promise<ForgeListing>;
  refresh(numbers: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, RecordOutcome>>;
  /** Null when the forge's pull requests claim nothing. */
  readonly claims: ((signal: AbortSignal) => Promise<PullRequestClaims>) | null;
  /** The login that `me` stands for. */
  viewer(signal: AbortSignal): Promise<string>;
}
