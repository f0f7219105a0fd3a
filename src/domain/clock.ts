import { createWorkingTime, type WorkingTime } from './working-time.ts';

/** The only source of time and timers. Decisions take `now` as an argument instead. */
export interface Clock extends WorkingTime {
  /** Milliseconds since the Unix epoch, for people and due dates. It can be set to any other value at any moment. */
  now(): number;
  /** Calls back once after `delayMs` (at least 0) of `elapsed` time; the returned function cancels it. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** Node clamps longer timers to 1 ms, so long waits are made of several. */
const MAX_TIMER_MS = 2_000_000_000;
/** Node's timers count whole milliseconds and may be this early. */
const TIMER_SLACK_MS = 2;

const workingTime = createWorkingTime({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  // Not an import: the domain has none.
  uptime: () => process.getBuiltinModule('node:os').uptime() * 1000,
  every(ms, callback) {
    setInterval(callback, ms).unref();
  },
});

export const systemClock: Clock = createSystemClock(true);

/** The same time, with timers that keep no process alive. */
export const backgroundClock: Clock = createSystemClock(false);

function createSystemClock(keepsAlive: boolean): Clock {
  return {
    now: () => Date.now(),
    ...workingTime,
    setTimer(delayMs, callback) {
      const dueAt = workingTime.elapsed() + Math.max(0, delayMs);
      let handle: ReturnType<typeof setTimeout>;
      const wait = (left: number): void => {
        handle = setTimeout(fire, Math.min(Math.max(0, left), MAX_TIMER_MS));
        if (!keepsAlive) handle.unref();
      };
      const fire = (): void => {
        const left = dueAt - workingTime.elapsed();
        if (left > TIMER_SLACK_MS) wait(left);
        else callback();
      };
      wait(delayMs);
      return () => clearTimeout(handle);
    },
  };
}
