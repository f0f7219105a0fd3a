/** Time for measuring durations: what passes while this process can work. */
export interface WorkingTime {
  /** Milliseconds since some moment. Never goes back, and stands still while the process cannot run: stopped, starved, asleep. */
  elapsed(): number;
  /** Milliseconds, in all, that passed while it could not run; `elapsed` is without them. */
  paused(): number;
}

export interface TimeSources {
  wall(): number;
  /** Nobody can set it. It goes on while the process is stopped, and need not while the machine sleeps. */
  monotonic(): number;
  /** Milliseconds since the machine was started, its sleep included. */
  uptime(): number;
  every(ms: number, callback: () => void): void;
}

/** A process that works notes the time this often; one that could not comes late. */
const BEAT_MS = 500;
/** So late is nobody on a machine that merely has much to do. */
const LATE_MS = 1_500;
/** Less is the drift of a clock, not a jump or a sleep; also the precision of an uptime in seconds. */
const DRIFT_MS = 1_000;
const MIN_SLEEP_MS = 2_000;

/** Begins to note gaps with the first question; what lies before it is nobody's. */
export function createWorkingTime(sources: TimeSources): WorkingTime {
  let beatAt: number | null = null;
  /** Gaps that the monotonic clock counted, and those that it did not. */
  let stoppedMs = 0;
  let sleptMs = 0;
  let anchor = { wall: 0, monotonic: 0, uptime: 0 };

  function beat(): void {
    const now = sources.monotonic();
    if (beatAt === null) {
      anchor = { wall: sources.wall(), monotonic: now, uptime: sources.uptime() };
      sources.every(BEAT_MS, beat);
    } else if (now - beatAt > LATE_MS) stoppedMs += now - beatAt - BEAT_MS;
    beatAt = now;
    noteSleep(now);
  }

  /** Only a wall clock that went another way makes it worth looking at the uptime. */
  function noteSleep(monotonic: number): void {
    const wall = sources.wall();
    const passed = monotonic - anchor.monotonic;
    if (Math.abs(wall - anchor.wall - passed) < DRIFT_MS) return;
    const uptime = sources.uptime();
    const asleep = uptime - anchor.uptime - passed;
    if (asleep >= MIN_SLEEP_MS) sleptMs += asleep;
    anchor = { wall, monotonic, uptime };
  }

  function look(): number {
    const now = sources.monotonic();
    if (beatAt === null || now - beatAt > LATE_MS) beat();
    return now;
  }

  return {
    elapsed: () => look() - stoppedMs,
    paused() {
      noteSleep(look());
      return stoppedMs + sleptMs;
    },
  };
}
