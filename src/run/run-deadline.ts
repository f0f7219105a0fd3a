import type { Clock } from '../domain/clock.ts';
import { type RunSpec, stopReasonOf } from './protocol.ts';

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

/** How long something may go on after a stop order: until `byMs` after the order, and `atLeastMs` in any case. */
export interface AfterStop {
  readonly byMs: number;
  readonly atLeastMs: number;
  /** True when a shutdown leaves it all its time: it has a limit of its own, and the worker says what it waits for. */
  readonly shutdownWaits: boolean;
}

/** Gives what has to happen after a stop order the rest of a time that began with the order, and no more. */
export function createPatience(clock: Clock, stop: AbortSignal): (limits: AfterStop) => Patience {
  let stoppedAt = stop.aborted ? clock.elapsed() : null;
  if (stoppedAt === null)
    stop.addEventListener(
      'abort',
      () => {
        stoppedAt = clock.elapsed();
      },
      { once: true },
    );
  return ({ byMs, atLeastMs, shutdownWaits }) => {
    const controller = new AbortController();
    let cancel = (): void => {};
    const start = (): void => {
      if (shutdownWaits && stopReasonOf(stop).kind === 'shutdown') return;
      const gone = stoppedAt === null ? 0 : clock.elapsed() - stoppedAt;
      const left = Math.max(byMs - gone, atLeastMs);
      cancel = clock.setTimer(left, () => controller.abort(new Error('the run was stopped')));
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
  };
}
