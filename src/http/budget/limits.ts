import { MAX_PAUSE_MS } from '../../domain/max-pause.ts';
import type { LimitReading } from './meters.ts';

/** Reads what an answer says about allowances; each provider has headers of its own. */
export type ReadLimits = (headers: Headers, now: number) => readonly LimitReading[];

const MIN_PAUSE_MS = 1_000;
const UNSTATED_PAUSE_MS = 60_000;
/** Larger epoch values are milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

/** `X-RateLimit-Limit/-Remaining/-Reset` as GitHub sends them; a 304 costs nothing there. */
export const readStandardLimits: ReadLimits = (headers, now) => {
  const limit = readCount(headers, 'x-ratelimit-limit');
  const remaining = readCount(headers, 'x-ratelimit-remaining');
  const resetAt = readInstant(headers.get('x-ratelimit-reset'));
  if (limit === null || limit === 0 || remaining === null || resetAt === null || resetAt <= now) return [];
  return [{ meter: headers.get('x-ratelimit-resource') ?? 'requests', limit, remaining, resetAt, cost: 1 }];
};

export function readCount(headers: Headers, name: string): number | null {
  const text = headers.get(name)?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Epoch seconds or milliseconds, as milliseconds. */
export function readInstant(text: string | null): number | null {
  if (text === null || !/^\s*\d{1,15}\s*$/.test(text)) return null;
  const value = Number(text);
  return value < MILLISECONDS_FROM ? value * 1000 : value;
}

/** How long the tracker wants to be left alone: `Retry-After` (seconds or a date), then resets, then a minute. */
export function readPause(headers: Headers, now: number): number {
  const wait = retryAfter(headers.get('retry-after'), now) ?? untilReset(headers, now) ?? UNSTATED_PAUSE_MS;
  return Math.min(Math.max(wait, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

function retryAfter(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - now;
}

/** The latest reset of the allowances that are used up. */
function untilReset(headers: Headers, now: number): number | null {
  let latest: number | null = null;
  for (const [name, value] of headers) {
    if (!/^x-ratelimit-(?:.+-)?reset$/.test(name)) continue;
    const remaining = headers.get(name.replace(/reset$/, 'remaining'));
    const resetAt = readInstant(value);
    if (resetAt === null || (remaining !== null && remaining.trim() !== '0')) continue;
    latest = Math.max(latest ?? 0, resetAt);
  }
  return latest === null ? null : latest - now;
}
