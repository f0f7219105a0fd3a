import type { Clock } from '../../domain/clock.ts';
import { LONGEST_PAUSE_MS } from '../../domain/longest-pause.ts';
import { AppError } from '../../errors/app-error.ts';
import type { BudgetReading, RequestBudget } from './request-budget.ts';

/** What a request is for. Polling gives way first, then the refresh of claims, then agents' tools. */
export type Purpose = 'poll' | 'refresh' | 'tool';

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

/** Polls are spread out once less than this part of an allowance is left. */
const PACED_BELOW = 0.5;
/** Part of each allowance that is kept for more important requests. */
const POLL_RESERVE = 0.1;
const RESERVES: Readonly<Record<Purpose, number>> = { poll: 0.02, refresh: 0.02, tool: 0 };
/** The next poll also looks after the claims, so pacing never puts it off for longer than this. */
const MAX_POLL_GAP_MS = 120_000;
/** More allowances than any server has; a header can name one. */
const MAX_METERS = 20;
/** A tool call waits this long for a pause to end before it fails. */
const MAX_TOOL_WAIT_MS = 10_000;

interface Meter {
  limit: number;
  remaining: number;
  resetAt: number;
  /** Used since the last poll began, whatever for. */
  spent: number;
}

export function createGovernor({ clock }: { readonly clock: Clock }): Governor {
  const meters = new Map<string, Meter>();
  let requests = 0;
  let notModified = 0;
  let pausedUntil: number | null = null;
  let lastPollAt: number | null = null;
  /** Time that really passes, sleep included: a wall clock that is set changes no wait. */
  const time = (): number => clock.elapsed() + clock.paused();
  const wallOffset = createWallOffset(() => clock.now() - time());
  const toWall = (at: number): number => Math.round(at + wallOffset());

  function current(): [string, Meter][] {
    const now = time();
    for (const [name, meter] of meters) if (meter.resetAt <= now) meters.delete(name);
    if (pausedUntil !== null && pausedUntil <= now) pausedUntil = null;
    return [...meters];
  }

  /** When a request for this purpose may be sent: now or later. */
  function allowedAt(purpose: Purpose, wanted: string | undefined): number {
    let at = time();
    for (const [name, meter] of current()) {
      if (wanted !== undefined && wanted !== name) continue;
      if (meter.remaining <= meter.limit * RESERVES[purpose]) at = Math.max(at, meter.resetAt);
    }
    return Math.max(at, pausedUntil ?? 0);
  }

  /** How long a listing would have to wait for the allowances to last until their resets. */
  function pacing(): number {
    const now = time();
    let pace = 0;
    for (const [, meter] of current()) {
      const gap = Math.min(sustainableGap(meter, now), meter.resetAt - now);
      pace = Math.max(pace, (lastPollAt ?? now) + gap - now);
      if (isReserved(meter)) pace = Math.max(pace, meter.resetAt - now);
    }
    return pace;
  }

  return {
    beginPoll() {
      const now = time();
      const wait = Math.max(Math.min(pacing(), MAX_POLL_GAP_MS), (pausedUntil ?? now) - now);
      if (wait > 0) throw slowedDown(wait);
      lastPollAt = now;
      for (const meter of meters.values()) meter.spent = 0;
    },
    async admit(purpose, signal, meter) {
      const wait = allowedAt(purpose, meter) - time();
      if (wait > 0) {
        if (purpose !== 'tool' || wait > MAX_TOOL_WAIT_MS) throw slowedDown(wait);
        await pauseFor(clock, wait, signal);
      }
      requests += 1;
    },
    observe(answer) {
      if (answer.notModified) notModified += 1;
      const latest = time() + LONGEST_PAUSE_MS;
      for (const { meter, limit, remaining, resetAt, cost } of answer.readings) {
        if (!meters.has(meter) && meters.size >= MAX_METERS) continue;
        const spent = (meters.get(meter)?.spent ?? 0) + cost;
        meters.set(meter, { limit, remaining, resetAt: Math.min(resetAt - wallOffset(), latest), spent });
      }
    },
    pause(forMs) {
      pausedUntil = Math.max(pausedUntil ?? 0, time() + Math.min(forMs, LONGEST_PAUSE_MS));
    },
    read(): BudgetReading {
      const allowances = current()
        .map(([name, { limit, remaining, resetAt }]) => ({
          name,
          limit,
          remaining,
          resetAt: toWall(resetAt),
        }))
        .sort((a, b) => a.remaining / a.limit - b.remaining / b.limit);
      const scarcest = allowances[0];
      const now = time();
      const slowedUntil = Math.max(now + pacing(), pausedUntil ?? now);
      return {
        remaining: scarcest?.remaining ?? null,
        limit: scarcest?.limit ?? null,
        resetAt: scarcest?.resetAt ?? null,
        requests,
        notModified,
        pausedUntil: pausedUntil === null ? null : toWall(pausedUntil),
        slowedUntil: slowedUntil > now ? toWall(slowedUntil) : null,
        allowances,
      };
    },
  };
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

/** True when all that is left is kept for refreshes and tools. */
function isReserved(meter: Meter): boolean {
  return meter.remaining <= meter.limit * POLL_RESERVE;
}

/** How far apart polls must be for the allowance to last until its reset, at the cost of the last one. */
function sustainableGap(meter: Meter, now: number): number {
  if (isReserved(meter)) return Number.POSITIVE_INFINITY;
  if (meter.remaining >= meter.limit * PACED_BELOW) return 0;
  return ((meter.resetAt - now) * meter.spent) / (meter.remaining - meter.limit * POLL_RESERVE);
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
