import type { Author, NativeRef } from '../../domain/issue.ts';
import type { Repository } from '../../domain/repository.ts';

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
