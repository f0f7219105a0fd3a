import { client } from '../access/browser-access.ts';
import type { BlockedView } from '../view/derive-blocked.ts';
import { ActionButton } from './action-button.tsx';
import { AnswerForm } from './answer-form.tsx';
import { Prose } from './prose.tsx';

/** Why an issue is held, and everything a person can do about it. */
export function BlockedBody({ row }: { row: BlockedView }) {
  const issue = row.issue.identifier;
  return (
    <>
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
      {row.question !== null && <AnswerForm issue={issue} />}
      <p className="actions">
        {row.approval !== null && <ApproveButton issue={issue} answer={row.approval} />}
        {row.notPushed ? (
          <PushActions issue={issue} />
        ) : (
          <RetryActions issue={issue} outOfBudget={row.outOfBudget} />
        )}
      </p>
    </>
  );
}

function ApproveButton({ issue, answer }: { issue: string; answer: string }) {
  return (
    <ActionButton
      label="Approve"
      title={`Allow exactly what the agent of ${issue} asks for`}
      confirm="Approve this one request?"
      run={() => client.act('answer', { issue, text: answer, by: 'dashboard' })}
    />
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
      <PushButton issue={issue} />
      <ActionButton
        label="Let it go"
        title={`Stop holding ${issue}; its commits stay in its workspace`}
        confirm="Really without a push?"
        run={() => client.act('retry', { issue, by: 'dashboard' })}
      />
    </>
  );
}

export function PushButton({ issue }: { issue: string }) {
  return (
    <ActionButton
      label="Push it"
      busy="Pushing…"
      title={`Push the branch of ${issue} as its workspace has it`}
      run={() => client.act('push', { issue, by: 'dashboard' })}
    />
  );
}
