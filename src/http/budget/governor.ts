import type { Clock } from '../../domain/clock.ts';
import { MAX_PAUSE_MS } from '../../domain/max-pause.ts';
import { AppError } from '../../errors/app-error.ts';
import { type LimitReading, Meters } from './meters.ts';
import type { BudgetReading, RequestBudget } from './request-budget.ts';

/** What a request is for. Polling gives way first, then the refresh of claims, then agents' tools. */
export type Purpose = 'poll' | 'refresh' | 'tool';

/** One per token: every request of polling, refreshing and tools goes through it. */
export interface Governor extends RequestBudget {
  /** Called once before each listing. Rejects when polling at this pace would use the allowance up before its reset. */
  beginPoll(): void;
  /** Called before each request, which it counts; rejects with `tracker_rate_limited` while the tracker wants to be left alone. */
  admit(purpose: Purpose, signal: AbortSignal, meter?: string): Promise<void>;
  /** Called after each answer. */
  observe(answer: { readonly notModified: boolean; readonly readings: readonly LimitReading[] }): void;
  /** The tracker asked for silence. */
  pause(forMs: number): void;
}

/** Part of each allowance that is kept for more important requests. */
const RESERVES: Readonly<Record<Purpose, number>> = { poll: 0.02, refresh: 0.02, tool: 0 };
/** The next poll also looks after the claims, so pacing never puts it off for longer than this. */
const MAX_POLL_GAP_MS = 120_000;
/** A tool call waits this long for a pause to end before it fails. */
const MAX_TOOL_WAIT_MS = 10_000;

export function createGovernor({ clock }: { readonly clock: Clock }): Governor {
  return new MeteredGovernor(clock);
}

class MeteredGovernor implements Governor {
  readonly #clock: Clock;
  readonly #meters = new Meters();
  readonly #wallOffset: () => number;
  #requests = 0;
  #notModified = 0;
  #pausedUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wallOffset = createWallOffset(() => clock.now() - this.#time());
  }

  beginPoll(): void {
    const now = this.#time();
    const wait = Math.max(Math.min(this.#meters.pacing(now), MAX_POLL_GAP_MS), this.#pausedUntil - now);
    if (wait > 0) throw slowedDown(wait);
    this.#meters.beginPoll(now);
  }

  async admit(purpose: Purpose, signal: AbortSignal, meter?: string): Promise<void> {
    const now = this.#time();
    const at = this.#meters.availableAt(RESERVES[purpose], meter, now);
    const wait = Math.max(at, this.#pausedUntil) - now;
    if (wait > 0) {
      if (purpose !== 'tool' || wait > MAX_TOOL_WAIT_MS) throw slowedDown(wait);
      await pauseFor(this.#clock, wait, signal);
    }
    this.#requests += 1;
  }

  observe(answer: { readonly notModified: boolean; readonly readings: readonly LimitReading[] }): void {
    if (answer.notModified) this.#notModified += 1;
    this.#meters.observe(answer.readings, this.#time(), this.#wallOffset());
  }

  pause(forMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#time() + Math.min(forMs, MAX_PAUSE_MS));
  }

  read(): BudgetReading {
    const now = this.#time();
    const toWall = (at: number): number => Math.round(at + this.#wallOffset());
    const allowances = this.#meters
      .current(now)
      .map(([name, { limit, remaining, resetAt }]) => ({ name, limit, remaining, resetAt: toWall(resetAt) }))
      .sort((a, b) => a.remaining / a.limit - b.remaining / b.limit);
    const scarcest = allowances[0];
    const slowedUntil = Math.max(now + this.#meters.pacing(now), this.#pausedUntil);
    return {
      remaining: scarcest?.remaining ?? null,
      limit: scarcest?.limit ?? null,
      resetAt: scarcest?.resetAt ?? null,
      requests: this.#requests,
      notModified: this.#notModified,
      pausedUntil: this.#pausedUntil > now ? toWall(this.#pausedUntil) : null,
      slowedUntil: slowedUntil > now ? toWall(slowedUntil) : null,
      allowances,
    };
  }

  /** Time that really passes, sleep included: a wall clock that is set changes no wait. */
  #time(): number {
    return this.#clock.elapsed() + this.#clock.paused();
  }
}

/** The same until the wall clock is set: two clocks are never read at the very same moment. */
function createWallOffset(read: () => number): () => number {
  let offset = read();
  return () => {
    const current = read();
    if (Math.abs(current - offset) >= 1_000) offset = current;
    return offset;
  };
}

function slowedDown(waitMs: number): AppError {
  const retryAfterMs = Math.ceil(waitMs);
  return new AppError(
    'tracker_rate_limited',
    `Requests to the tracker are slowed to stay within its limit; the next one may be sent in ${Math.ceil(retryAfterMs / 1000)} s.`,
    {
      hint: 'Wait, poll less often (polling.interval_ms), or give this worker a token of its own.',
      context: { retryAfterMs },
    },
  );
}

function pauseFor(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      cancel();
      reject(new AppError('tracker_request', 'The request was cancelled while it waited for its turn.'));
    };
    const cancel = clock.setTimer(waitMs, () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
