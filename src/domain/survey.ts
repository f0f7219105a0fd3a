import type { IssueId } from './issue.ts';

/** What a tracker holds besides the issues in active states, as far as it can cheaply tell. */
export interface Survey {
  /** Unfinished issues outside of the active states; the first of them when there are very many. */
  readonly others: readonly SurveyedIssue[];
  /** False when there are more of them than `others` holds. */
  readonly complete: boolean;
  /** Issues in terminal states; null when they were not counted. */
  readonly finished: number | null;
  /** The states that mean something here; null when every state there is does, so that none is a typing error. */
  readonly knownStates: readonly string[] | null;
  /** What lies where issues are expected and is none. */
  readonly ignored: readonly IgnoredItem[];
}

export interface SurveyedIssue {
  readonly id: IssueId;
  readonly identifier: string;
  /** Null when nothing puts the issue into a state. */
  readonly state: string | null;
}

export interface IgnoredItem {
  readonly name: string;
  /** In words that say how to mend it. */
  readonly why: string;
}

/** More would be of no use to a reader. */
export const MAX_SURVEYED = 1000;
