import type { Clock } from '../../src/domain/clock.ts';

interface Timer {
  at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that passes only when told. Timers of one instant fire in the order they were set. */
export class VirtualClock implements Clock {
  /** A leap has made retries due whose timers still keep their distance; the next poll takes them up. */
  leapt = false;
  /** From the first leap on, timers and due times can disagree; a due retry then waits for the next poll. */
  everLeapt = false;
  #now = 1_700_000_000_000;
  #order = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    this.#order += 1;
    const timer: Timer = { at: this.#now + Math.max(0, delayMs), order: this.#order, callback };
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

  /** The wall clock leaps, as after a suspend or a correction; timers keep their distance. */
  jump(ms: number): void {
    this.leapt = true;
    this.everLeapt = true;
    this.#now += ms;
    for (const timer of this.#timers) timer.at += ms;
  }

  get pending(): number {
    return this.#timers.size;
  }
}

/** Lets every promise that can settle now settle. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
