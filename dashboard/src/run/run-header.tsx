import { Branch } from '../parts/issue-heading.tsx';
import type { RunView } from './facts/derive-run.ts';

export function RunHeader({ view }: { view: RunView }) {
  return (
    <header className="run-header">
      <div className="run-heading">
        <h2 id="run-title">
          <span className="run-id">{view.identifier}</span> <bdi>{view.title}</bdi>
        </h2>
        <span className={`badge badge-${view.tone}`}>
          {view.live && <span className="dot dot-live" aria-hidden="true" />} {view.status}
        </span>
      </div>
      {view.summary !== '' && (
        <p className="run-summary">
          <bdi>{view.summary}</bdi>
        </p>
      )}
      <dl className="vitals-list">
        {view.vitals.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="fineprint">
        {view.branch !== null && <Branch name={view.branch} url={view.branchUrl} />}
        {view.pullRequestUrl !== null && (
          <a href={view.pullRequestUrl} target="_blank" rel="noopener noreferrer">
            Pull request
          </a>
        )}
        {view.issueUrl !== null && (
          <a href={view.issueUrl} target="_blank" rel="noopener noreferrer">
            {view.identifier} in the tracker
          </a>
        )}
      </p>
    </header>
  );
}
