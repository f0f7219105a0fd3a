import { formatDuration } from '../../../src/contract/format.ts';
import { client } from '../access/browser-access.ts';
import type { RunningView } from '../view/derive-running.ts';
import { ActionButton } from './action-button.tsx';
import { Branch, IssueHeading } from './issue-heading.tsx';
import { Section } from './section.tsx';

interface RunningListProps {
  readonly rows: readonly RunningView[];
  readonly pollIntervalMs: number;
}

export function RunningList({ rows, pollIntervalMs }: RunningListProps) {
  const empty = `Nothing runs right now. The worker looks for work every ${formatDuration(pollIntervalMs / 1000)}, and at once when its tracker tells it of a change.`;
  return (
    <Section id="running" title="Running" rows={rows} empty={empty}>
      {(shown) => (
        <ul className="rows">
          {shown.map((row) => (
            <RunningCard key={row.key} row={row} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function RunningCard({ row }: { row: RunningView }) {
  return (
    <li className="card card-running">
      <div className="card-top">
        <IssueHeading issue={row.issue} />
        <span className="badge">{row.state}</span>
      </div>
      <p className="activity">
        <bdi className="activity-text">{row.activity}</bdi>
        {row.activityAge !== null && (
          <span className={row.quiet ? 'activity-age quiet' : 'activity-age'}>{row.activityAge}</span>
        )}
      </p>
      <div className="vitals">
        <span className="phase">
          <span className="dot dot-live" aria-hidden="true" />
          {row.phase}
        </span>
        <span className="turns">
          <TurnSteps turn={row.turn} max={row.maxTurns} />
          {row.turnLabel}
        </span>
        <span title={row.tokenDetail}>
          <b>{row.tokens}</b> tokens
        </span>
        <span className="runtime">
          <span className="visually-hidden">running for </span>
          <b>{row.runtime}</b>
        </span>
      </div>
      {(row.branch !== null || row.facts.length > 0) && (
        <p className="fineprint">
          {row.branch !== null && <Branch name={row.branch} />}
          {row.facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      )}
      <p className="actions">
        <ActionButton
          label="Stop"
          confirm="Stop this run?"
          title={`Stop the run of ${row.issue.identifier}; the issue is then held until it is retried`}
          run={() => client.act('stop', { issue: row.issue.identifier, by: 'dashboard' })}
        />
      </p>
    </li>
  );
}

const MAX_STEPS = 12;

/** A small picture of turn n of max; the text beside it says the same. */
function TurnSteps({ turn, max }: { turn: number; max: number }) {
  if (max < 2 || max > MAX_STEPS) return null;
  const steps = Array.from({ length: max }, (_, index) => index + 1);
  const look = (step: number) => (step < turn ? 'step step-done' : step === turn ? 'step step-now' : 'step');
  return (
    <span className="steps" aria-hidden="true">
      {steps.map((step) => (
        <span key={step} className={look(step)} />
      ))}
    </span>
  );
}
