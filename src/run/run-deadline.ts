import type { Clock } from '../domain/clock.ts';
import type { RunSpec } from './protocol.ts';

export interface RunDeadline {
  /** Aborted by a stop order or by the deadline, whichever comes first. */
  readonly signal: AbortSignal;
  /** What to say when the deadline passed, else null. */
  timedOut(): string | null;
  clear(): void;
}

/** Bounds a whole run by its timeout, beside the scheduler's stop order. */
export function createRunDeadline(
  clock: Clock,
  { profile, settings }: Pick<RunSpec, 'profile' | 'settings'>,
  stop: AbortSignal,
): RunDeadline {
  const { timeoutMs } = settings.agent;
  const deadline = new AbortController();
  const limit = profile === null ? 'agent.timeout' : `the timeout of profile ${profile}`;
  const message = `the run took longer than ${limit} (${Math.round(timeoutMs / 1000)} s)`;
  const clear = clock.setTimer(timeoutMs, () => deadline.abort(new Error(message)));
  return {
    signal: AbortSignal.any([stop, deadline.signal]),
    timedOut: () => (deadline.signal.aborted ? message : null),
    clear,
  };
}

export interface Patience {
  readonly signal: AbortSignal;
  clear(): void;
}

/** For what may go on for a while after a stop order, and no longer. */
export function patienceAfter(clock: Clock, stop: AbortSignal, delayMs: number): Patience {
  const controller = new AbortController();
  let cancel = (): void => {};
  const start = (): void => {
    cancel = clock.setTimer(delayMs, () => controller.abort(new Error('the run was stopped')));
  };
  if (stop.aborted) start();
  else stop.addEventListener('abort', start, { once: true });
  return {
    signal: controller.signal,
    clear() {
      stop.removeEventListener('abort', start);
      cancel();
    },
  };
}
