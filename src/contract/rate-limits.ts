import type { StateSnapshot } from './state.ts';

/** What an agent said about one window of its limits; null where it did not say. */
export interface LimitWindow {
  /** The agent's key for it, such as `primary` or `five_hour`; null for what is said without one. */
  readonly name: string | null;
  readonly usedPercent: number | null;
  readonly remaining: number | null;
  readonly limit: number | null;
  /** In the agent's words, such as `allowed`. */
  readonly status: string | null;
  /** Seconds until it is whole again, 0 when that is over. */
  readonly resetSeconds: number | null;
}

const WINDOW_NAMES = ['primary', 'secondary', 'five_hour', 'seven_day'] as const;

/** The windows in the payload of an agent, each agent with its own words for it. Those that say nothing are left out. */
export function readLimitWindows(limits: StateSnapshot['rate_limits'], now: number): readonly LimitWindow[] {
  if (limits === null) return [];
  const named = WINDOW_NAMES.map((name) => ({ name, bucket: recordIn(limits, name) }));
  return [{ name: null, bucket: limits }, ...named].flatMap(({ name, bucket }) => {
    const window = bucket === null ? null : windowOf(name, bucket, now);
    return window === null ? [] : [window];
  });
}

function windowOf(name: string | null, bucket: LimitFields, now: number): LimitWindow | null {
  const window = {
    name,
    usedPercent: numberIn(bucket, 'used_percent', 'usedPercent', 'utilization'),
    remaining: numberIn(bucket, 'remaining'),
    limit: numberIn(bucket, 'limit'),
    status: textIn(bucket, 'status'),
    resetSeconds: secondsToReset(bucket, now),
  };
  const says = window.usedPercent ?? window.remaining ?? window.limit ?? window.status;
  return says === null ? null : window;
}

function secondsToReset(bucket: LimitFields, now: number): number | null {
  const left = numberIn(bucket, 'reset_in_seconds', 'resets_in_seconds', 'resetsInSeconds');
  if (left !== null) return left;
  const at = ['reset_at', 'resets_at', 'resetAt', 'resetsAt']
    .map((key) => bucket[key])
    .find((value) => value != null);
  const instant = instantOf(at);
  return Number.isNaN(instant) ? null : Math.max(0, (instant - now) / 1000);
}

/** Seconds or milliseconds since 1970, or a written time. */
function instantOf(value: unknown): number {
  if (typeof value === 'number') return value < 1e12 ? value * 1000 : value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

export type LimitFields = Readonly<Record<string, unknown>>;

export function recordIn(from: LimitFields, key: string): LimitFields | null {
  const value = from[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LimitFields) : null;
}

function numberIn(from: LimitFields, ...keys: readonly string[]): number | null {
  const found = keys
    .map((key) => from[key])
    .find((value) => typeof value === 'number' && Number.isFinite(value));
  return typeof found === 'number' ? found : null;
}

/** The first of these keys that holds a text. */
export function textIn(from: LimitFields, ...keys: readonly string[]): string | null {
  const found = keys.map((key) => from[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}
