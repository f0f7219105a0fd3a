import type { Clock } from '../domain/clock.ts';

/** Calls `flush` once for all the work that is reported within a short time. */
export interface FlushTimer {
  /** There is something to flush within `delayMs`; an earlier promise stands. */
  within(delayMs: number): void;
  cancel(): void;
}

export function createFlushTimer(clock: Clock, flush: () => void): FlushTimer {
  let dueAt = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => {};

  function cancel(): void {
    cancelTimer();
    dueAt = Number.POSITIVE_INFINITY;
  }

  return {
    within(delayMs) {
      const wanted = clock.elapsed() + delayMs;
      if (wanted >= dueAt) return;
      cancelTimer();
      dueAt = wanted;
      cancelTimer = clock.setTimer(delayMs, () => {
        dueAt = Number.POSITIVE_INFINITY;
        flush();
      });
    },
    cancel,
  };
}
