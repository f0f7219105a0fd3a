import type { StateSnapshot } from '../../contract/state.ts';
import type { WorkflowSnapshot } from '../workflow-snapshot.ts';
import { utc } from './rows.ts';

/** What the tracker's token has left, as far as the tracker says. */
export function trackerRow({ config, tracker }: WorkflowSnapshot): StateSnapshot['tracker'] {
  const reading = tracker?.budget?.read() ?? null;
  const isLimited = reading !== null && reading.limit !== null;
  return {
    kind: config.tracker.kind,
    requests_total: reading?.requests ?? null,
    budget: isLimited
      ? {
          limit: reading.limit,
          remaining: reading.remaining,
          reset_at: reading.resetAt === null ? null : utc(reading.resetAt),
        }
      : null,
    paused_until: reading === null || reading.pausedUntil === null ? null : utc(reading.pausedUntil),
  };
}
