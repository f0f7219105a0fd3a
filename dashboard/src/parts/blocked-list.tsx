import type { BlockedView } from '../view/derive-blocked.ts';
import { BlockedBody } from './blocked-body.tsx';
import { Branch, IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

export function BlockedList({ rows }: { rows: readonly BlockedView[] }) {
  return (
    <Section id="blocked" title="Needs you" rows={rows} empty="Nothing is blocked.">
      {(shown) => (
        <ul className="rows">
          {shown.map((row) => (
            <li key={row.key} className="card card-blocked">
              <div className="card-top">
                <IssueHeading issue={row.issue} />
                <span className="badge badge-attention">{row.heading}</span>
              </div>
              <BlockedBody row={row} />
              <p className="fineprint">
                {row.branch !== null && <Branch name={row.branch} />}
                <span>{row.state}</span>
                <span>spent {row.spent}</span>
                <span>blocked {row.age}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
