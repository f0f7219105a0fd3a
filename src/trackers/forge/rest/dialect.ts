import type { Repository } from '../../../domain/repository.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { BlockerRecord, ForgeRecord } from '../record.ts';

export type ParsedIssue =
  | { readonly kind: 'record'; readonly record: ForgeRecord }
  | { readonly kind: 'pull_request' }
  /** What is known of its number; 0 stands for nothing. */
  | { readonly kind: 'malformed'; readonly number: number };

/** What differs between the REST APIs of Gitea and GitHub, which are otherwise alike. */
export interface RestDialect {
  /** How messages name the forge. */
  readonly provider: string;
  /** What to check when an answer makes no sense. */
  readonly hint: string;
  /** Statuses that say that an issue or a pull request is no longer there. */
  readonly gone: readonly number[];
  parseIssue(json: unknown, repository: Repository): ParsedIssue;
  /** A blocker may live in another repository; null when the entry is not usable. */
  parseBlocker(json: unknown, repository: Repository): BlockerRecord | null;
}

export function unusable({ provider, hint }: RestDialect, what: string): AppError {
  return new AppError('tracker_response', `${provider} gave something unusable for ${what}.`, { hint });
}

export function malformed(json: unknown): ParsedIssue {
  const number = typeof json === 'object' && json !== null && 'number' in json ? json.number : null;
  const isNumber = typeof number === 'number' && Number.isSafeInteger(number);
  return { kind: 'malformed', number: isNumber ? number : 0 };
}

export function recordsIn(
  items: readonly unknown[],
  repository: Repository,
  dialect: RestDialect,
): { readonly records: readonly ForgeRecord[]; readonly malformed: readonly number[] } {
  const parsed = items.map((item) => dialect.parseIssue(item, repository));
  return {
    records: parsed.flatMap((issue) => (issue.kind === 'record' ? [issue.record] : [])),
    malformed: parsed.flatMap((issue) => (issue.kind === 'malformed' ? [issue.number] : [])),
  };
}
