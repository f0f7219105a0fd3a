import type { IssueView } from '../view/derive-issue.ts';
import { BranchIcon } from './icons.tsx';

/** Identifier, linked to the tracker or else to the worker's record, and title. */
export function IssueHeading({ issue }: { issue: IssueView }) {
  return (
    <h3 className="issue">
      {issue.url === null ? (
        <a className="issue-id" href={issue.recordUrl}>
          {issue.identifier}
        </a>
      ) : (
        <a className="issue-id" href={issue.url} target="_blank" rel="noreferrer">
          {issue.identifier}
        </a>
      )}{' '}
      <bdi className="issue-title">{issue.title}</bdi>
    </h3>
  );
}

export function Branch({ name }: { name: string }) {
  return (
    <span className="branch">
      <BranchIcon />
      <span className="visually-hidden">branch </span>
      <code>{name}</code>
    </span>
  );
}
