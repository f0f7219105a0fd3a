import type { SchedulerSettings } from '../core/settings.ts';
import type { SchedulerState } from '../core/state.ts';

/** So many poll intervals may pass without news of the tracker before the worker says that it is not ready. */
const MAX_INTERVALS = 5;

/** Why the worker learns nothing of its tracker now, or null while it polls as it should. For everyone's eyes: no foreign text. */
export function whyNotPolling(
  { draining, lastPoll, tick }: Pick<SchedulerState, 'draining' | 'lastPoll' | 'tick'>,
  { pollIntervalMs }: Pick<SchedulerSettings, 'pollIntervalMs'>,
  now: number,
): string | null {
  if (draining) return 'the worker is shutting down';
  if (lastPoll === null || lastPoll.failingSince === null) return null;
  const patience = MAX_INTERVALS * pollIntervalMs;
  if (tick.dueAt !== null && tick.dueAt - lastPoll.at > patience)
    return `the next poll is put off for another ${seconds(tick.dueAt - now)} s, as the tracker asks (aiops status says more)`;
  if (now - lastPoll.failingSince > patience)
    return `no poll has succeeded for ${seconds(now - lastPoll.failingSince)} s (aiops status says why)`;
  return null;
}

function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}
