import type {
  IssueChangeBody,
  IssueMoveBody,
  NewIssueBody,
  TrackerBoard,
  TrackerIssue,
} from '../contract/tracker-issues.ts';

/**
 * Lets people write issues through the worker, for a tracker without a page of its own. Others may write at the same time:
 * nothing is overwritten that was not read. Failures are AppErrors; an `issue_conflict` has the issue as it is now in its
 * context, as `current`.
 */
export interface IssueEditor {
  board(signal?: AbortSignal): Promise<TrackerBoard>;
  read(id: string): Promise<TrackerIssue>;
  create(draft: NewIssueBody): Promise<TrackerIssue>;
  change(id: string, change: IssueChangeBody): Promise<TrackerIssue>;
  move(id: string, move: IssueMoveBody): Promise<TrackerIssue>;
}
