import { issuePath } from '../../../src/contract/api.ts';

export interface IssueView {
  readonly identifier: string;
  readonly title: string;
  /** The tracker's page when it has one we may link to. */
  readonly url: string | null;
  /** The worker's own record of the issue. */
  readonly recordUrl: string;
}

interface IssueRow {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_url: string | null;
  readonly title: string;
}

export function deriveIssue(row: IssueRow): IssueView {
  const identifier = row.issue_identifier === '' ? row.issue_id : row.issue_identifier;
  return { identifier, title: row.title, url: webAddress(row.issue_url), recordUrl: issuePath(row.issue_id) };
}

/** Only http and https: a tracker is not trusted to name anything else. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}
