import type { OutcomeKind } from '../../domain/run-outcome.ts';
import type { RuntimeEventKind } from '../core/commands.ts';

/** The event that tells of a run's end. */
export const END_EVENTS: Readonly<Record<OutcomeKind, RuntimeEventKind>> = {
  delivered: 'completed',
  progressed: 'completed',
  no_progress: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  stalled: 'stalled',
  canceled: 'stopped',
  blocked: 'stopped',
};
