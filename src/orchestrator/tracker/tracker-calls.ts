import type { Clock } from '../../domain/clock.ts';
import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import { MAX_PAUSE_MS } from '../../domain/max-pause.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { TrackerFailure } from '../../scheduler/core/events.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { withDeadline } from '../clock/deadline.ts';

/** A tracker call is given up after this long, so that a poll always ends. */
const CALL_TIMEOUT_MS = 45_000;

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: TrackerFailure };

export function listCandidates(
  clock: Clock,
  tracker: Tracker | null,
  states: readonly string[],
  brief = false,
): Promise<Answer<readonly Issue[]>> {
  return call(clock, tracker, (present, signal) => present.fetchIssuesByStates(states, signal, { brief }));
}

export function refreshIssues(
  clock: Clock,
  tracker: Tracker | null,
  ids: readonly IssueId[],
): Promise<Answer<ReadonlyMap<IssueId, RefreshOutcome>>> {
  return call(clock, tracker, (present, signal) => present.fetchIssuesByIds(ids, signal));
}

async function call<T>(
  clock: Clock,
  tracker: Tracker | null,
  request: (tracker: Tracker, signal: AbortSignal) => Promise<T>,
): Promise<Answer<T>> {
  if (tracker === null) {
    return { ok: false, failure: { message: 'there is no usable tracker', retryAfterMs: null } };
  }
  try {
    return {
      ok: true,
      value: await withDeadline(clock, CALL_TIMEOUT_MS, (signal) => request(tracker, signal)),
    };
  } catch (error) {
    const retryAfter = error instanceof AppError ? error.context['retryAfterMs'] : null;
    return {
      ok: false,
      failure: {
        message: messageOf(error),
        retryAfterMs: typeof retryAfter === 'number' ? Math.min(retryAfter, MAX_PAUSE_MS) : null,
      },
    };
  }
}
