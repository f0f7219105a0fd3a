/** The only source of time and timers. Decisions take `now` as an argument instead. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls back once after `delayMs` (at least 0); the returned function cancels it. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** Node clamps longer timers to 1 ms, so long waits are made of several. */
const LONGEST_TIMER_MS = 2_000_000_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(delayMs, callback) {
    let handle: ReturnType<typeof setTimeout>;
    const wait = (remaining: number): void => {
      const step = Math.min(Math.max(0, remaining), LONGEST_TIMER_MS);
      handle = setTimeout(() => (remaining > step ? wait(remaining - step) : callback()), step);
    };
    wait(delayMs);
    return () => clearTimeout(handle);
  },
};
