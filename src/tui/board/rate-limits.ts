import { formatDuration, formatWhole } from '../../contract/format.ts';
import { type LimitWindow, readLimitWindows, recordIn, textIn } from '../../contract/rate-limits.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanLine } from '../text/clean.ts';

const MAX_PARTS = 4;
const MAX_RAW = 60;

/** What an agent last said about its limits, whatever shape it has; `n/a` when none said anything. */
export function describeRateLimits(limits: StateSnapshot['rate_limits'], now: number): string {
  if (limits === null || Object.keys(limits).length === 0) return 'n/a';
  const name = textIn(limits, 'limit_id', 'limit_name', 'limitId', 'limitName', 'rateLimitType', 'type');
  const parts = [
    ...(name === null ? [] : [name]),
    ...readLimitWindows(limits, now).map(windowText),
    ...creditsText(limits),
  ];
  const shown = parts.length === 0 || (parts.length === 1 && name !== null) ? rawParts(limits, name) : parts;
  return cleanLine(shown.slice(0, MAX_PARTS).join(' | '));
}

/** `12,345/20,000 reset 30s`, `primary 41% used`, `remaining 5` */
function windowText(window: LimitWindow): string {
  const { name, resetSeconds } = window;
  const prefix = name === null ? '' : `${name.replaceAll('_', ' ')} `;
  const reset = resetSeconds === null ? '' : ` reset ${formatDuration(resetSeconds)}`;
  return `${prefix}${amountText(window)}${reset}`;
}

function amountText({ usedPercent, remaining, limit, status }: LimitWindow): string {
  if (remaining !== null && limit !== null) return `${formatWhole(remaining)}/${formatWhole(limit)}`;
  if (remaining !== null) return `remaining ${formatWhole(remaining)}`;
  if (limit !== null) return `limit ${formatWhole(limit)}`;
  return usedPercent === null ? (status ?? '') : `${formatWhole(usedPercent)}% used`;
}

function creditsText(limits: Readonly<Record<string, unknown>>): readonly string[] {
  const credits = recordIn(limits, 'credits');
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
