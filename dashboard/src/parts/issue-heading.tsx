import { followHere } from '../place/use-place.ts';
import type { IssueView } from '../view/derive-issue.ts';
import { BranchIcon } from './icons.tsx';

/** Identifier, linked to the issue's run, else to the tracker, else to the worker's record; and title. */
export function IssueHeading({ issue }: { issue: IssueView }) {
  return (
    <h3 className="issue">
      <Identifier issue={issue} /> <bdi className="issue-title">{issue.title}</bdi>
      {issue.runUrl !== null && issue.url !== null && (
        <a
          className="issue-tracker"
          href={issue.url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`${issue.identifier} in the tracker`}
        >
          ↗
        </a>
      )}
    </h3>
  );
}

function Identifier({ issue }: { issue: IssueView }) {
  if (issue.runUrl !== null) {
    return (
      <a className="issue-id" href={issue.runUrl} onClick={followHere} data-row>
        {issue.identifier}
      </a>
    );
  }
  return issue.url === null ? (
    <a className="issue-id" href={issue.recordUrl} data-row>
      {issue.identifier}
    </a>
  ) : (
    <a className="issue-id" href={issue.url} target="_blank" rel="noopener noreferrer" data-row>
      {issue.identifier}
    </a>
  );
}

export function Branch({ name, url = null }: { name: string; url?: string | null }) {
  return (
    <span className="branch">
      <BranchIcon />
      <span className="visually-hidden">branch </span>
      {url === null ? (
        <code>{name}</code>
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          <code>{name}</code>
        </a>
      )}
    </span>
  );
}
