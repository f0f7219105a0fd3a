import { formatWhole } from '../../contract/format.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { formatDuration } from '../history/text.ts';
import type { Look } from '../terminal/look.ts';
import { formatMoment } from '../terminal/times.ts';

/** The tracker in one line: when it was and will be polled, what its token has left, who wakes us. */
export function formatTracker(state: StateSnapshot, look: Look): string {
  const { tracker, webhooks } = state;
  const parts = [
    lastPoll(state),
    nextPoll(state),
    ...tracker.allowances.map(
      ({ name, limit, remaining, reset_at: reset }) =>
        `${formatWhole(remaining)} of ${formatWhole(limit)} ${name} left until ${clock(reset, look)}`,
    ),
    ...(webhooks === null ? [] : [lastWebhook(webhooks, state.generated_at)]),
  ];
  return `${tracker.kind}: ${parts.join('; ')}`;
}

/** What keeps the worker from polling as configured. */
export function trackerTroubles({ tracker }: StateSnapshot, look: Look): string[] {
  const { paused_until: paused, slowed_until: slowed } = tracker;
  if (paused !== null) return [`the tracker asked for silence until ${clock(paused, look)}`];
  if (slowed !== null)
    return [
      `new issues are not looked for until ${clock(slowed, look)}, so that the token lasts until its reset`,
    ];
  return [];
}

function lastPoll({ last_poll: poll, generated_at: now }: StateSnapshot): string {
  if (poll === null) return 'not polled yet';
  const unchanged = poll.not_modified ? `, ${poll.not_modified} of them unchanged` : '';
  const requests = poll.requests === null ? '' : ` (${poll.requests} requests${unchanged})`;
  return `polled ${age(poll.at, now)}${requests}`;
}

function nextPoll({ next_poll_at: next, generated_at: now }: StateSnapshot): string {
  if (next === null) return 'polling now';
  return `next in ${formatDuration(Date.parse(next) - Date.parse(now))}`;
}

function lastWebhook({ last }: NonNullable<StateSnapshot['webhooks']>, now: string): string {
  return last === null
    ? 'no webhook yet'
    : `last webhook ${age(last.at, now)}, ${last.result.replaceAll('_', ' ')}`;
}

function age(at: string, now: string): string {
  return `${formatDuration(Date.parse(now) - Date.parse(at))} ago`;
}

function clock(at: string, look: Look): string {
  return formatMoment(Date.parse(at), look);
}
