import type { StateSnapshot } from '../../../src/contract/state.ts';
import { Prose } from '../parts/prose.tsx';
import { deriveQueue } from '../view/derive-queue.ts';

/** What the worker sees and why nothing runs, until something has. */
export function FirstRun({ snapshot }: { snapshot: StateSnapshot }) {
  const queue = deriveQueue(snapshot);
  const local = snapshot.tracker.kind === 'local';
  return (
    <section className="first-run" aria-labelledby="first-run-title">
      <h2 id="first-run-title">Nothing has run yet</h2>
      <p>
        This worker follows <code>{snapshot.config.workflow_path}</code>, runs up to{' '}
        {snapshot.max_concurrent_agents} agents of the kind <code>{snapshot.agent_default}</code>, and looks
        at its tracker (<code>{snapshot.tracker.kind}</code>) by itself.
      </p>
      {queue !== null && (
        <p>
          <b>What it sees:</b> <Prose text={queue} />
        </p>
      )}
      <ol>
        <li>
          {local ? (
            <>
              Write an issue: <code>aiops issue new &quot;What is to be done&quot;</code>
            </>
          ) : (
            'Put an issue into an active state of the tracker, with the labels that the workflow asks for'
          )}
        </li>
        <li>
          When it does not run, <code>aiops explain ISSUE</code> says why, rule by rule
        </li>
        <li>
          <code>aiops doctor</code> checks everything that a run needs
        </li>
      </ol>
    </section>
  );
}
