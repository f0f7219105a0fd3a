import { issuePath } from '../../../src/contract/api.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { runAddress } from '../place/place.ts';

export interface IssueView {
  readonly identifier: string;
  readonly title: string;
  /** The tracker's page when it has one we may link to. */
  readonly url: string | null;
  /** The worker's own record of the issue. */
  readonly recordUrl: string;
  /** The page of its run, where one is known. */
  readonly runUrl: string | null;
}

interface IssueRow {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_url: string | null;
  readonly title: string;
}

export function deriveIssue(row: IssueRow, runId: string | null = null): IssueView {
  const identifier = row.issue_identifier === '' ? row.issue_id : row.issue_identifier;
  return {
    identifier,
    title: row.title,
    url: webAddress(row.issue_url),
    recordUrl: issuePath(row.issue_id),
    runUrl: runId === null ? null : runAddress(runId),
  };
}

/** Only http and https: a tracker is not trusted to name anything else. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

/** The last run of an issue that the state still shows; null when it shows none. */
export function lastRunOf({ ended }: StateSnapshot, issueId: string): string | null {
  return ended.find((run) => run.issue_id === issueId)?.run_id ?? null;
}
