import type { WaitingView } from '../view/derive-queue.ts';
import { IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

export function WaitingList({ rows }: { rows: readonly WaitingView[] }) {
  return (
    <Section id="waiting" title="Waiting" rows={rows} empty="No issue waits for a slot or a blocker.">
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
