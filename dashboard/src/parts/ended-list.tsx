import type { EndedView } from '../view/derive-ended.ts';
import { Branch, IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

interface EndedListProps {
  readonly id: string;
  readonly title: string;
  readonly empty: string;
  readonly rows: readonly EndedView[];
}

export function EndedList({ id, title, empty, rows }: EndedListProps) {
  return (
    <Section id={id} title={title} rows={rows} empty={empty}>
      {(shown) => (
        <ul className="lines">
          {shown.map((row) => (
            <li key={row.key} className={`line line-ended tone-${row.tone}`}>
              <div className="line-main">
                <div className="ended-top">
                  <span className={`badge badge-${row.tone}`}>{row.outcome}</span>
                  <time className="muted" dateTime={row.endedAt} title={row.endedAt}>
                    {row.age}
                  </time>
                </div>
                <IssueHeading issue={row.issue} />
                <p className="line-detail" title={row.summary}>
                  <bdi>{row.summary}</bdi>
                </p>
                <p className="fineprint">
                  {row.branch !== null && <Branch name={row.branch} />}
                  {row.commits !== null && <span>{row.commits}</span>}
                  {row.pullRequestUrl !== null && (
                    <a href={row.pullRequestUrl} target="_blank" rel="noopener noreferrer">
                      Pull request
                    </a>
                  )}
                  <span>{row.effort}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
