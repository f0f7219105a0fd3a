import { client } from '../access/browser-access.ts';
import type { BlockedView } from '../view/derive-blocked.ts';
import { ActionButton } from './action-button.tsx';
import { AnswerForm } from './answer-form.tsx';
import { Branch, IssueHeading } from './issue-heading.tsx';
import { Prose } from './prose.tsx';
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
              {row.reason !== null && (
                <p className="reason">
                  <Prose text={row.reason} />
                </p>
              )}
              {row.question !== null && (
                <blockquote className="question">
                  <bdi>{row.question}</bdi>
                </blockquote>
              )}
              <p className="todo">
                <b>What to do:</b> <Prose text={row.todo} />
              </p>
              {row.question !== null && <AnswerForm issue={row.issue.identifier} />}
              <p className="actions">
                {row.notPushed ? (
                  <PushActions issue={row.issue.identifier} />
                ) : (
                  <RetryActions issue={row.issue.identifier} outOfBudget={row.outOfBudget} />
                )}
              </p>
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

function RetryActions({ issue, outOfBudget }: { issue: string; outOfBudget: boolean }) {
  return (
    <>
      {!outOfBudget && (
        <ActionButton
          label="Try again"
          title={`Run ${issue} as soon as a slot is free`}
          run={() => client.act('retry', { issue, by: 'dashboard' })}
        />
      )}
      <ActionButton
        label="Try again with fresh budgets"
        title={`Count the budgets of ${issue} from nothing again and run it`}
        run={() => client.act('unblock', { issue, by: 'dashboard' })}
      />
    </>
  );
}

function PushActions({ issue }: { issue: string }) {
  return (
    <>
      <ActionButton
        label="Push it"
        busy="Pushing…"
        title={`Push the branch of ${issue} as its workspace has it`}
        run={() => client.act('push', { issue, by: 'dashboard' })}
      />
      <ActionButton
        label="Let it go"
        title={`Stop holding ${issue}; its commits stay in its workspace`}
        confirm="Really without a push?"
        run={() => client.act('retry', { issue, by: 'dashboard' })}
      />
    </>
  );
}
