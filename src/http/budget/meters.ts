import { MAX_PAUSE_MS } from '../../domain/max-pause.ts';

/** What one answer said about one allowance, e.g. `requests` or `complexity`. */
export interface LimitReading {
  readonly meter: string;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds at which the allowance is whole again; believed for an hour at most. */
  readonly resetAt: number;
  /** How much of it the answered request used. */
  readonly cost: number;
}

interface Meter {
  limit: number;
  remaining: number;
  resetAt: number;
  /** Used since the last poll began, whatever for. */
  spent: number;
}

/** Polls are spread out once less than this part of an allowance is left. */
const PACED_BELOW = 0.5;
/** Part of each allowance that is kept for more important requests. */
const POLL_RESERVE = 0.1;
/** More allowances than any server has; a header can name one. */
const MAX_METERS = 20;

/** The allowances of one token. Every `now` is of the same clock, which nobody sets. */
export class Meters {
  readonly #meters = new Map<string, Meter>();
  #lastPollAt: number | null = null;

  /** Those whose reset is still to come. */
  current(now: number): [string, Meter][] {
    for (const [name, meter] of this.#meters) if (meter.resetAt <= now) this.#meters.delete(name);
    return [...this.#meters];
  }

  /** `wallOffset` is how far the clock of the reading is ahead of ours. */
  observe(readings: readonly LimitReading[], now: number, wallOffset: number): void {
    for (const { meter, limit, remaining, resetAt, cost } of readings) {
      const known = this.#meters.get(meter);
      if (known === undefined && this.#meters.size >= MAX_METERS) continue;
      const believed = Math.min(resetAt - wallOffset, now + MAX_PAUSE_MS);
      this.#meters.set(meter, { limit, remaining, resetAt: believed, spent: (known?.spent ?? 0) + cost });
    }
  }

  beginPoll(now: number): void {
    this.#lastPollAt = now;
    for (const meter of this.#meters.values()) meter.spent = 0;
  }

  /** When more than this part of an allowance is left again, or of all of them: now or later. */
  availableAt(reserve: number, wanted: string | undefined, now: number): number {
    const resets = this.current(now)
      .filter(([name]) => wanted === undefined || wanted === name)
      .filter(([, { remaining, limit }]) => remaining <= limit * reserve)
      .map(([, { resetAt }]) => resetAt);
    return Math.max(now, ...resets);
  }

  /** How long a listing would have to wait for the allowances to last until their resets. */
  pacing(now: number): number {
    const waits = this.current(now).map(([, meter]) => {
      const untilReset = meter.resetAt - now;
      if (isReserved(meter)) return untilReset;
      const gap = Math.min(sustainableGap(meter, untilReset), untilReset);
      return (this.#lastPollAt ?? now) + gap - now;
    });
    return Math.max(0, ...waits);
  }
}

/** True when all that is left is kept for refreshes and tools. */
function isReserved(meter: Meter): boolean {
  return meter.remaining <= meter.limit * POLL_RESERVE;
}

/** How far apart polls must be for the allowance to last until its reset, at the cost of the last one. */
function sustainableGap(meter: Meter, untilReset: number): number {
  if (meter.remaining >= meter.limit * PACED_BELOW) return 0;
  return (untilReset * meter.spent) / (meter.remaining - meter.limit * POLL_RESERVE);
}
