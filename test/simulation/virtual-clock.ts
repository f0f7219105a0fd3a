import type { Clock } from '../../src/domain/clock.ts';

interface Timer {
  at: number;
  readonly order: number;
  readonly callback: () => void;
  /** It counts the worker's own time, not the simulated's. */
  readonly ofWorker: boolean;
}

const BEGIN = 1_700_000_000_000;

/** Time that passes only when told. Timers of one instant fire in the order they were set. */
export class VirtualClock implements Clock {
  /** What the wall clock shows. */
  #now = BEGIN;
  #jumped = 0;
  #paused = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now - BEGIN - this.#jumped - this.#paused;
  }

  paused(): number {
    return this.#paused;
  }

  setTimer(delayMs: number, callback: () => void, ofWorker = false): () => void {
    this.#order += 1;
    const at = this.#now + Math.max(0, delayMs);
    const timer: Timer = { at, order: this.#order, callback, ofWorker };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Fires the next timer due by `until`; false when there is none. */
  step(until: number): boolean {
    let next: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (next === null || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
        next = timer;
    }
    if (next === null) {
      this.#now = Math.max(this.#now, until);
      return false;
    }
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.at);
    next.callback();
    return true;
  }

  /** The wall clock is set; nothing else happens. */
  jump(ms: number): void {
    this.#jumped += ms;
    this.#shift(ms, () => true);
  }

  /** The machine sleeps, agents and all; only the calendar goes on. */
  sleep(ms: number): void {
    this.#paused += ms;
    this.#shift(ms, () => true);
  }

  /** The worker alone is stopped. It cannot tell the last `unnoticedMs` of work from the beginning of the stop. */
  stop(ms: number, unnoticedMs: number): void {
    this.#paused += ms - unnoticedMs;
    this.#now += unnoticedMs;
    this.#shift(ms - unnoticedMs, ({ ofWorker }) => ofWorker);
  }

  /** A slow machine: everything that was due comes late. */
  lag(ms: number): void {
    this.#now += ms;
  }

  #shift(ms: number, keepsDistance: (timer: Timer) => boolean): void {
    this.#now += ms;
    for (const timer of this.#timers) if (keepsDistance(timer)) timer.at += ms;
  }

  get pending(): number {
    return this.#timers.size;
  }
}

/** Lets every promise that can settle now settle. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
