import type { StateSnapshot } from '../../contract/state.ts';
import { utc } from '../wire-values.ts';
import type { WorkflowSnapshot } from '../workflow-snapshot.ts';

/** What the tracker's token has left, as far as the tracker says. */
export function trackerRow({ config, tracker }: WorkflowSnapshot): StateSnapshot['tracker'] {
  const reading = tracker?.budget?.read() ?? null;
  const isLimited = reading !== null && reading.limit !== null;
  return {
    kind: config.tracker.kind,
    ...(tracker?.editor === undefined ? {} : { editable: true }),
    requests_total: reading?.requests ?? null,
    not_modified_total: reading?.notModified ?? null,
    budget: isLimited
      ? { limit: reading.limit, remaining: reading.remaining, reset_at: maybeUtc(reading.resetAt) }
      : null,
    allowances: (reading?.allowances ?? []).map(({ name, limit, remaining, resetAt }) => ({
      name,
      limit,
      remaining,
      reset_at: utc(resetAt),
    })),
    paused_until: maybeUtc(reading?.pausedUntil ?? null),
    slowed_until: maybeUtc(wholeSecond(reading?.slowedUntil ?? null)),
  };
}

/** It moves a little all the time, which is no news. */
function wholeSecond(at: number | null): number | null {
  return at === null ? null : Math.ceil(at / 1000) * 1000;
}

function maybeUtc(at: number | null): string | null {
  return at === null ? null : utc(at);
}
