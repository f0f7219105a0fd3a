import type { StateSnapshot } from '../../../src/contract/state.ts';
import { client } from '../access/browser-access.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { BlockedBody, PushButton } from '../parts/blocked-body.tsx';
import { deriveBlocked } from '../view/derive-blocked.ts';
import { deriveRetrying } from '../view/derive-queue.ts';
import type { RunView } from './facts/derive-run.ts';
import { MessageForm } from './message-form.tsx';

interface RunActionsProps {
  readonly view: RunView;
  readonly snapshot: StateSnapshot;
  readonly workerNow: number;
}

/** What can be done about this run's issue now, and why it stands where it does. */
export function RunActions({ view, snapshot, workerNow }: RunActionsProps) {
  const { issueId, identifier } = view;
  if (issueId === null) return null;
  if (view.live) {
    return (
      <div className="run-actions">
        <ActionButton
          label="Stop"
          confirm="Stop this run?"
          title={`Stop the run of ${identifier}; the issue is then held until it is retried`}
          run={() => client.act('stop', { issue: identifier, by: 'dashboard' })}
        />
        <MessageForm issue={identifier} />
      </div>
    );
  }
  const blocked = deriveBlocked(snapshot, workerNow).find(({ key }) => key === issueId);
  if (blocked !== undefined) {
    return (
      <section className="card card-blocked" aria-label="Needs you">
        <p>
          <span className="badge badge-attention">{blocked.heading}</span>{' '}
          <span className="muted">blocked {blocked.age}</span>
        </p>
        <BlockedBody row={blocked} />
      </section>
    );
  }
  const retry = deriveRetrying(snapshot, workerNow).find(({ key }) => key === issueId);
  return (
    <div className="run-actions">
      {retry !== undefined && (
        <>
          <span>
            {retry.kind}, {retry.attempt}: {retry.due}
          </span>
          <ActionButton
            label="Retry now"
            title={`Do not wait: run ${identifier} as soon as a slot is free`}
            run={() => client.act('retry', { issue: identifier, by: 'dashboard' })}
          />
        </>
      )}
      {view.unpushed && <PushButton issue={identifier} />}
    </div>
  );
}
