import type { WaitingView } from '../view/derive-queue.ts';
import { IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

interface WaitingListProps {
  readonly rows: readonly WaitingView[];
  /** Why there is something to do, or nothing; null when the worker does not tell. */
  readonly queue: string | null;
}

export function WaitingList({ rows, queue }: WaitingListProps) {
  const nobody = 'No issue waits for a slot or a blocker.';
  return (
    <Section id="waiting" title="Waiting" rows={rows} empty={queue === null ? nobody : `${nobody} ${queue}.`}>
      {(shown) => (
        <ul className="lines">
          {shown.map((row) => (
            <li key={row.key} className="line">
              <div className="line-main">
                <IssueHeading issue={row.issue} />
                <p className="line-detail">
                  <bdi>{row.reason}</bdi>
                </p>
              </div>
              <div className="line-side">
                <span className="badge">{row.state}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
