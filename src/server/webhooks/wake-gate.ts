import type { Clock } from '../../domain/clock.ts';

/** Milliseconds. */
export interface WakeTimes {
  /** What comes within so long joins the same poll; the tracker's own listing has caught up by then. */
  readonly settle: number;
  /** Polls that webhooks ask for are at least so far apart, however many come. */
  readonly gap: number;
}

export interface WakeGateOptions {
  readonly clock: Clock;
  readonly times: WakeTimes;
  wake(): void;
  /** Epoch milliseconds before which the tracker is not to be polled; null when it may be. */
  notBefore(): number | null;
}

/** Turns any number of calls into few polls. The last call is always followed by one. */
export class WakeGate {
  readonly #options: WakeGateOptions;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  constructor(options: WakeGateOptions) {
    this.#options = options;
  }

  /** False when a poll was due already, which this call joins. */
  ask(): boolean {
    if (this.#cancel !== null) return false;
    const { clock, times, notBefore } = this.#options;
    const untilGap = this.#lastAt + times.gap - clock.elapsed();
    const delayMs = Math.max(times.settle, untilGap, (notBefore() ?? 0) - clock.now());
    this.#cancel = clock.setTimer(delayMs, () => {
      this.#cancel = null;
      this.#lastAt = clock.elapsed();
      this.#options.wake();
    });
    return true;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
