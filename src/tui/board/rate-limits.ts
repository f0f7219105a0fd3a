import { formatDuration, formatWhole } from '../../contract/format.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanLine } from '../text/clean.ts';

const MAX_PARTS = 4;
const MAX_RAW = 60;

/** What an agent last said about its limits, whatever shape it has; `n/a` when none said anything. */
export function describeRateLimits(limits: StateSnapshot['rate_limits'], now: number): string {
  if (limits === null || Object.keys(limits).length === 0) return 'n/a';
  const name = text(limits, 'limit_id', 'limit_name', 'limitId', 'limitName', 'rateLimitType', 'type');
  const parts = [
    ...(name === null ? [] : [name]),
    ...bucketText(limits, now),
    ...['primary', 'secondary', 'five_hour', 'seven_day'].flatMap((key) => {
      const bucket = record(limits[key]);
      const said = bucket === null ? [] : bucketText(bucket, now);
      return said.length === 0 ? [] : [`${key.replaceAll('_', ' ')} ${said.join(' ')}`];
    }),
    ...creditsText(limits['credits']),
  ];
  const shown = parts.length === 0 || (parts.length === 1 && name !== null) ? rawParts(limits, name) : parts;
  return cleanLine(shown.slice(0, MAX_PARTS).join(' | '));
}

/** `12,345/20,000 reset 30s`, `41% used`, `remaining 5` */
function bucketText(bucket: Readonly<Record<string, unknown>>, now: number): readonly string[] {
  const used = number(bucket, 'used_percent', 'usedPercent', 'utilization');
  const remaining = number(bucket, 'remaining');
  const limit = number(bucket, 'limit');
  const status = text(bucket, 'status');
  const amount =
    remaining !== null && limit !== null
      ? `${formatWhole(remaining)}/${formatWhole(limit)}`
      : remaining !== null
        ? `remaining ${formatWhole(remaining)}`
        : limit !== null
          ? `limit ${formatWhole(limit)}`
          : used !== null
            ? `${formatWhole(used)}% used`
            : status;
  if (amount === null) return [];
  const reset = secondsToReset(bucket, now);
  return [reset === null ? amount : `${amount} reset ${formatDuration(reset)}`];
}

function secondsToReset(bucket: Readonly<Record<string, unknown>>, now: number): number | null {
  const left = number(bucket, 'reset_in_seconds', 'resets_in_seconds', 'resetsInSeconds');
  if (left !== null) return left;
  const at = ['reset_at', 'resets_at', 'resetAt', 'resetsAt']
    .map((key) => bucket[key])
    .find((value) => value != null);
  const instant =
    typeof at === 'number'
      ? at < 1e12
        ? at * 1000
        : at
      : typeof at === 'string'
        ? Date.parse(at)
        : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, (instant - now) / 1000);
}

function creditsText(value: unknown): readonly string[] {
  const credits = record(value);
  if (credits === null) return [];
  if (credits['unlimited'] === true) return ['credits unlimited'];
  const balance = Number(credits['balance'] ?? Number.NaN);
  if (!Number.isNaN(balance)) return [`credits ${balance.toFixed(2)}`];
  return credits['has_credits'] === false || credits['hasCredits'] === false ? ['credits none'] : [];
}

/** An unknown shape is shown as it came: it may still tell a person something. */
function rawParts(limits: Readonly<Record<string, unknown>>, name: string | null): readonly string[] {
  const facts = Object.entries(limits)
    .filter(([, value]) => value !== null && value !== name)
    .map(([key, value]) =>
      `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, MAX_RAW),
    );
  return name === null ? facts : [name, ...facts];
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

function number(from: Readonly<Record<string, unknown>>, ...keys: readonly string[]): number | null {
  const found = keys
    .map((key) => from[key])
    .find((value) => typeof value === 'number' && Number.isFinite(value));
  return typeof found === 'number' ? found : null;
}

function text(from: Readonly<Record<string, unknown>>, ...keys: readonly string[]): string | null {
  const found = keys.map((key) => from[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}
