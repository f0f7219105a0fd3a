import type { IssueChangeBody, NewIssueBody, TrackerIssue } from '../../../src/contract/tracker-issues.ts';

/** What the fields of the form hold. */
export interface Draft {
  readonly title: string;
  readonly description: string;
  /** Separated by commas. */
  readonly labels: string;
  /** Empty for none. */
  readonly priority: string;
  readonly state: string;
}

export function newDraft(state: string): Draft {
  return { title: '', description: '', labels: '', priority: '', state };
}

export function draftOf(issue: TrackerIssue): Draft {
  return {
    title: issue.title,
    description: issue.description,
    labels: issue.labels.join(', '),
    priority: issue.priority === null ? '' : String(issue.priority),
    state: issue.state,
  };
}

export function newIssueBody(draft: Draft): NewIssueBody {
  return {
    title: draft.title,
    state: draft.state,
    priority: priorityOf(draft),
    labels: labelsOf(draft),
    description: draft.description,
  };
}

/** What was changed against what was read, and nothing else: other fields are for others to change. */
export function changesOf(base: TrackerIssue, draft: Draft): Omit<IssueChangeBody, 'version'> {
  const was = draftOf(base);
  return {
    ...(draft.title === was.title ? {} : { title: draft.title }),
    ...(draft.description === was.description ? {} : { description: draft.description }),
    ...(draft.labels === was.labels ? {} : { labels: labelsOf(draft) }),
    ...(draft.priority === was.priority ? {} : { priority: priorityOf(draft) }),
    ...(draft.state === was.state ? {} : { state: draft.state }),
  };
}

/** The same changes on top of what somebody else wrote meanwhile. */
export function rebase(base: TrackerIssue, draft: Draft, current: TrackerIssue): Draft {
  const [was, is] = [draftOf(base), draftOf(current)];
  const keep = (name: keyof Draft): string => (draft[name] === was[name] ? is[name] : draft[name]);
  return {
    title: keep('title'),
    description: keep('description'),
    labels: keep('labels'),
    priority: keep('priority'),
    state: keep('state'),
  };
}

/** The fields that both changed, to different ends. */
export function clashes(base: TrackerIssue, draft: Draft, current: TrackerIssue): readonly (keyof Draft)[] {
  const [was, is] = [draftOf(base), draftOf(current)];
  return (Object.keys(draft) as (keyof Draft)[]).filter(
    (name) => draft[name] !== was[name] && is[name] !== was[name] && draft[name] !== is[name],
  );
}

function labelsOf({ labels }: Draft): string[] {
  return labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}

function priorityOf({ priority }: Draft): number | null {
  return priority.trim() === '' ? null : Number(priority);
}
