import type { IssueDetail } from '../../contract/issue-detail.ts';
import { standingOf } from '../../scheduler/rules/eligibility.ts';
import { oneLine } from '../history/text.ts';
import type { Forecast } from './forecast.ts';
import type { Gathered } from './gather.ts';

/** Where an issue stands, what happens to it next, and when. */
export interface Outlook {
  readonly status:
    | 'running'
    | 'needs_you'
    | 'retrying'
    | 'waiting'
    | 'would_start'
    | 'in_review'
    | 'not_active'
    | 'over'
    | 'unknown';
  /** One sentence about now. */
  readonly now: string;
  /** One sentence about what comes. */
  readonly next: string;
  /** The moment of that, in milliseconds; null when it hangs on something else than time. */
  readonly at: number | null;
  /** What holds it, when a person has to act. */
  readonly hold: { readonly method: string; readonly question: string | null } | null;
}

type Told = Omit<Outlook, 'hold' | 'at'> & Partial<Outlook>;

function outlook(told: Told): Outlook {
  return { at: null, hold: null, ...told };
}

/** From the worker where one runs, else from what one that starts now would do. */
export function outlookOf(facts: Gathered): Outlook {
  const detail = facts.worker?.detail ?? null;
  const fromWorker = detail === null ? null : ofDetail(detail, facts);
  return fromWorker ?? ofRecord(facts) ?? ofState(facts);
}

function ofDetail(detail: IssueDetail, facts: Gathered): Outlook | null {
  const { running, blocked, retry, waiting } = detail;
  if (running !== null) {
    const turn = `turn ${running.turn_count} of at most ${running.max_turns}`;
    return outlook({
      status: 'running',
      now: `an agent works on it: ${running.phase}, ${turn}${quoted(running.last_message)}`,
      next:
        running.stopping === undefined
          ? 'after this turn the tracker is asked, and the run goes on or ends'
          : `the run is being stopped (${running.stopping})`,
    });
  }
  if (blocked !== null) return held(blocked.method, blocked.question ?? null, blocked.error);
  if (retry !== null) return retrying(retry.kind, Date.parse(retry.due_at), retry.reason ?? retry.error);
  if (waiting !== null) {
    const poll = facts.worker?.state?.next_poll_at ?? null;
    const hasAll = waiting.reason.startsWith('about to start');
    return outlook({
      status: hasAll ? 'would_start' : 'waiting',
      now: `it waits: ${oneLine(waiting.reason)}`,
      next: 'it is looked at again whenever a slot gets free or something changes, and at the next poll',
      at: poll === null ? null : Date.parse(poll),
    });
  }
  return null;
}

function held(method: string, question: string | null, error: string): Outlook {
  const why = question === null ? `${method}: ${oneLine(error)}` : `the agent asks: ${oneLine(question)}`;
  return outlook({
    status: 'needs_you',
    now: `it is held until a person acts (${why})`,
    next: 'nothing happens by itself',
    hold: { method, question },
  });
}

function retrying(kind: string, dueAt: number, why: string | null): Outlook {
  const reason = why === null ? '' : `: ${oneLine(why)}`;
  return outlook({
    status: 'retrying',
    now: `its next run is planned (${kind.replaceAll('_', ' ')})${reason}`,
    next: 'the next run starts when it is due and a slot is free',
    at: dueAt,
  });
}

/** Without a worker: what the journal remembers, and what the next worker would make of it. */
function ofRecord({ record, forecast, worker, issue, settings }: Gathered): Outlook | null {
  if (worker?.state !== undefined && worker?.state !== null) return null;
  const claim = record?.claim ?? null;
  const isActive = issue === null || standingOf(issue.state, settings) === 'active';
  if (claim?.phase === 'blocked' && isActive) return held(claim.method, claim.question, claim.error);
  if (claim?.phase === 'retrying' && isActive) {
    const { kind, dueAt, error } = claim;
    return { ...retrying(kind, dueAt, error), next: 'the next run starts when a worker runs and it is due' };
  }
  return forecast === null ? null : ofForecast(forecast);
}

function ofForecast(forecast: Forecast): Outlook | null {
  const noWorker = 'nothing runs: no worker is there';
  const idle = (status: Outlook['status'], next: string): Outlook => outlook({ status, now: noWorker, next });
  switch (forecast.kind) {
    case 'starts':
      return idle(
        'would_start',
        `a worker that starts now would run it at once, as number ${forecast.place}`,
      );
    case 'waits':
      return idle('waiting', `a worker that starts now would let it wait: ${oneLine(forecast.reason)}`);
    case 'retries':
      return { ...retrying('retry', forecast.dueAt, null), now: noWorker };
    case 'held':
      return held('held', null, forecast.error);
    case 'unknown':
      return idle('unknown', `what the next worker would do cannot be said: ${oneLine(forecast.why)}`);
    case 'ignored':
      return null;
  }
}

/** What its state alone says. */
function ofState({ issue, settings, runs, config }: Gathered): Outlook {
  const every = `every ${Math.round(config.polling.intervalMs / 1000)} s`;
  if (issue === null)
    return outlook({
      status: 'unknown',
      now: 'where it stands in the tracker is not known',
      next: 'nothing is planned for it',
    });
  const standing = standingOf(issue.state, settings);
  if (standing === 'terminal')
    return outlook({
      status: 'over',
      now: `it is over (${issue.state})`,
      next: 'nothing; a workspace that is left of it is removed',
    });
  if (standing === 'active')
    return outlook({
      status: 'waiting',
      now: 'the worker has not listed it yet',
      next: `polls happen ${every}`,
    });
  const isDelivered = runs[0]?.outcome.kind === 'delivered';
  return outlook({
    status: isDelivered ? 'in_review' : 'not_active',
    now: `${isDelivered ? 'it was handed over and waits for a person' : 'it rests'} in ${issue.state}`,
    next: `nothing, until somebody moves it to an active state (${settings.activeStates.join(', ')})`,
  });
}

function quoted(message: string): string {
  return message === '' ? '' : ` (${oneLine(message, 120)})`;
}
