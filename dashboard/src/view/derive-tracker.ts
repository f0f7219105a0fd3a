import { formatAge, formatCountdown, formatPlural } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { AlertView } from './derive-alerts.ts';
import type { FactView } from './derive-overview.ts';

/** How the tracker is asked, what its token has left, and who wakes the worker. */
export function deriveTrackerFacts(snapshot: StateSnapshot, workerNow: number): readonly FactView[] {
  const { tracker, webhooks } = snapshot;
  return [
    { label: 'Last poll', value: describeLastPoll(snapshot, workerNow) },
    { label: 'Next poll', value: describeNextPoll(snapshot, workerNow) },
    ...tracker.allowances.map(({ name, limit, remaining, reset_at: reset }) => ({
      label: `${capitalise(name)} left`,
      value: `${exact(remaining)} of ${exact(limit)}, whole again ${until(reset, workerNow)}`,
    })),
    ...(webhooks === null ? [] : [{ label: 'Last webhook', value: describeWebhook(webhooks, workerNow) }]),
  ];
}

/** What keeps the worker from polling as configured. */
export function deriveTrackerAlerts({ tracker }: StateSnapshot, workerNow: number): readonly AlertView[] {
  const { paused_until: paused, slowed_until: slowed } = tracker;
  if (paused !== null) {
    return [
      {
        key: 'tracker-paused',
        severity: 'warning',
        title: 'The tracker asked for silence',
        detail: `Nothing is sent to it for now; the next request is ${until(paused, workerNow)}. Running agents go on.`,
      },
    ];
  }
  if (slowed === null) return [];
  return [
    {
      key: 'tracker-slowed',
      severity: 'warning',
      title: 'The tracker is asked less often',
      detail: `The token must last until its allowance is whole again: new issues are looked for ${until(slowed, workerNow)}. Running agents go on.`,
    },
  ];
}

function describeLastPoll({ last_poll: poll }: StateSnapshot, workerNow: number): string {
  if (poll === null) return 'none yet';
  const age = formatAge((workerNow - Date.parse(poll.at)) / 1000);
  if (!poll.ok) return `${age}, failed`;
  const unchanged = poll.not_modified ? ` (${poll.not_modified} unchanged)` : '';
  const requests = poll.requests === null ? '' : `, ${formatPlural(poll.requests, 'request')}${unchanged}`;
  return `${age}, ${formatPlural(poll.candidates, 'candidate')}${requests}`;
}

function describeNextPoll({ next_poll_at: next }: StateSnapshot, workerNow: number): string {
  return next === null ? 'now' : until(next, workerNow);
}

function describeWebhook({ last }: NonNullable<StateSnapshot['webhooks']>, workerNow: number): string {
  if (last === null) return 'none yet';
  const age = formatAge((workerNow - Date.parse(last.at)) / 1000);
  return `${age}, ${last.result.replaceAll('_', ' ')}`;
}

function until(at: string, workerNow: number): string {
  return formatCountdown((Date.parse(at) - workerNow) / 1000);
}

/** Near a limit every request counts. */
function exact(count: number): string {
  return count.toLocaleString('en-US');
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
