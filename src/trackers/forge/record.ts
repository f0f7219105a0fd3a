import type { Author, NativeRef } from '../../domain/issue.ts';

/** `owner/name`, as the forge spells it; compare with `sameRepository`. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** One issue as either forge gives it, before states and blockers are judged. */
export interface ForgeRecord {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly closed: boolean;
  /** As the forge spells them. */
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly author: Author | null;
  readonly url: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** How many unfinished issues the forge says it waits for; null when the forge does not say. */
  readonly openBlockers: number | null;
  readonly nativeRef: NativeRef;
}

/** An issue that another one waits for; it may live in another repository. */
export interface BlockerRecord {
  readonly repository: Repository;
  readonly number: number;
  readonly closed: boolean;
  readonly labels: readonly string[];
}

/** Null when the text is not `owner/name`, or has a part that would change the meaning of a path. */
export function parseRepository(text: unknown): Repository | null {
  if (typeof text !== 'string') return null;
  const match = /^(?<owner>[\w.-]+)\/(?<name>[\w.-]+)$/.exec(text.trim());
  const { owner = '', name = '' } = match?.groups ?? {};
  return [owner, name].some((part) => /^\.*$/.test(part)) ? null : { owner, name };
}

export function sameRepository(a: Repository, b: Repository): boolean {
  return repositoryKey(a) === repositoryKey(b);
}

export function repositoryKey({ owner, name }: Repository): string {
  return `${owner}/${name}`.toLowerCase();
}
