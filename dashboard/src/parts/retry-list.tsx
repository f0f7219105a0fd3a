import { client } from '../access/browser-access.ts';
import type { RetryView } from '../view/derive-queue.ts';
import { ActionButton } from './action-button.tsx';
import { IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

export function RetryList({ rows }: { rows: readonly RetryView[] }) {
  return (
    <Section id="retrying" title="Retrying" rows={rows} empty="No retry is scheduled.">
      {(shown) => (
        <ul className="lines">
          {shown.map((row) => (
            <li key={row.key} className="line">
              <div className="line-main">
                <IssueHeading issue={row.issue} />
                {row.error !== null && (
                  <p className="line-detail">
                    <bdi>{row.error}</bdi>
                  </p>
                )}
              </div>
              <div className="line-side">
                <b className="due">{row.due}</b>
                <span className={row.isFailure ? 'badge badge-bad' : 'badge'}>{row.kind}</span>
                <span className="muted">{row.attempt}</span>
                <ActionButton
                  label="Retry now"
                  title={`Do not wait: run ${row.issue.identifier} as soon as a slot is free`}
                  run={() => client.act('retry', { issue: row.issue.identifier, by: 'dashboard' })}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
