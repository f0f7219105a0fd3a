import type { Clock } from '../domain/clock.ts';

export interface RunDeadline {
  /** Aborted by a stop order or by the deadline, whichever comes first. */
  readonly signal: AbortSignal;
  /** What to say when the deadline passed, else null. */
  timedOut(): string | null;
  clear(): void;
}

/** Bounds a whole run by `agent.timeout`, beside the scheduler's stop order. */
export function createRunDeadline(clock: Clock, timeoutMs: number, stop: AbortSignal): RunDeadline {
  const deadline = new AbortController();
  const message = `the run took longer than agent.timeout (${Math.round(timeoutMs / 1000)} s)`;
  const clear = clock.setTimer(timeoutMs, () => deadline.abort(new Error(message)));
  return {
    signal: AbortSignal.any([stop, deadline.signal]),
    timedOut: () => (deadline.signal.aborted ? message : null),
    clear,
  };
}
