import type { Clock } from '../domain/clock.ts';

/** Real time, with timers that keep no process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  setTimer(delayMs, callback) {
    const handle = setTimeout(callback, Math.max(0, delayMs));
    handle.unref();
    return () => clearTimeout(handle);
  },
};
