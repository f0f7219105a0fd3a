import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { TimelineEntry } from '../../contract/runs.ts';
import type { Line } from '../text/paint.ts';

/** What has been read about the issue that is open. */
export interface IssueData {
  readonly issueId: string;
  /** Null until the worker has answered, and when it does not know the issue any more. */
  readonly detail: IssueDetail | null;
  /** The latest run; null when there was none. */
  readonly runId: string | null;
  /** Whether more may come. */
  readonly live: boolean;
  /** The last ones, oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** How many entries before these are not shown. */
  readonly earlier: number;
  /** Null until it has been read. */
  readonly diff: readonly Line[] | null;
  /** What kept something from being read; null when nothing did. */
  readonly problem: string | null;
}

export function noIssueData(issueId: string): IssueData {
  return {
    issueId,
    detail: null,
    runId: null,
    live: false,
    entries: [],
    earlier: 0,
    diff: null,
    problem: null,
  };
}
