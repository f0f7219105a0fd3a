import { normaliseLabels } from '../../fields.ts';
import type { FrontMatter } from '../schema.ts';

/** What a person says about a new issue. */
export interface NewIssue {
  readonly title: string;
  readonly state: string;
  readonly priority?: number | null | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Ids of issues that are there. */
  readonly blockedBy?: readonly string[];
  readonly assignee?: string | undefined;
  readonly author?: string | undefined;
}

/** The front matter of an issue that is written now. */
export function newIssueFields(issue: NewIssue, at: string): FrontMatter {
  return {
    title: issue.title,
    state: issue.state,
    priority: issue.priority ?? null,
    labels: normaliseLabels(issue.labels ?? []),
    blocked_by: issue.blockedBy ?? [],
    assignee: issue.assignee?.trim() || null,
    author: issue.author?.trim() || null,
    branch: null,
    url: null,
    created_at: at,
    updated_at: at,
  };
}

/** One line of text, whatever was written. */
export function plainLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
