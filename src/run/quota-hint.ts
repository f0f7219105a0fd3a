/** Facts a quota wait can be read from; `now` is the moment the agent spoke. */
export interface QuotaFacts {
  readonly message: string;
  readonly rateLimits: Readonly<Record<string, unknown>> | null;
  readonly now: number;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Longest wait taken from a text; a misread date must not park an issue for years. */
const LONGEST_WAIT_MS = 45 * 86_400_000;

/**
 * When a quota is back, from what the agent said and its last rate-limit report; null when neither tells.
 * Understands waits (`try again in 2 days 3 hours`), clock times (`at 3:40 PM`), ISO and written dates
 * (`2026-11-20T08:00:00Z`, `Nov 20th, 2026 9:15 AM`), and windows that are used up in a report.
 */
export function quotaResetAt({ message, rateLimits, now }: QuotaFacts): number | null {
  const found =
    isoDate(message) ?? writtenDate(message, now) ?? wait(message, now) ?? clockTime(message, now);
  const at = found ?? exhaustedWindow(rateLimits, now);
  return at !== null && at > now && at - now <= LONGEST_WAIT_MS ? at : null;
}

function isoDate(text: string): number | null {
  const match = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/.exec(text);
  return match === null ? null : validTime(Date.parse(match[0]));
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function writtenDate(text: string, now: number): number | null {
  const match =
    /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,? (?:at )?(\d{1,2}):(\d{2}) ?(am|pm)?)?/i.exec(
      text,
    );
  if (match === null) return null;
  const [, month = '', day = '', year, hour, minute, half] = match;
  const named = new Date(now);
  named.setMonth(MONTHS.indexOf(month.toLowerCase().slice(0, 3)), Number(day));
  if (year !== undefined) named.setFullYear(Number(year));
  named.setHours(hour === undefined ? 0 : hours24(Number(hour), half), Number(minute ?? 0), 0, 0);
  if (year === undefined && named.getTime() < now) named.setFullYear(named.getFullYear() + 1);
  return validTime(named.getTime());
}

function wait(text: string, now: number): number | null {
  const start = /\b(?:again|retry|resets?|available|wait)\b[^.\n]{0,30}?\b(?:in|after|for)\b/i.exec(text);
  if (start === null) return null;
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + 80);
  let total = 0;
  for (const [, amount, unit] of rest.matchAll(
    /(\d+(?:\.\d+)?)\s*(s|m|h|d|w)(?:ec|in|our|ay|eek|r)?[a-z]*/gi,
  )) {
    total += Number(amount) * (UNIT_MS[(unit ?? '').toLowerCase()] ?? 0);
  }
  return total > 0 ? now + total : null;
}

function clockTime(text: string, now: number): number | null {
  const match = /\bat (\d{1,2})(?::(\d{2}))? ?(am|pm)\b|\bat (\d{1,2}):(\d{2})\b/i.exec(text);
  if (match === null) return null;
  const [, hour12, minute12, half, hour24, minute24] = match;
  const named = new Date(now);
  named.setHours(hours24(Number(hour12 ?? hour24), half), Number(minute12 ?? minute24 ?? 0), 0, 0);
  if (named.getTime() <= now) named.setDate(named.getDate() + 1);
  return validTime(named.getTime());
}

function hours24(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** The latest reset among the windows that are used up. Windows are looked for at any depth: agents nest them differently. */
function exhaustedWindow(value: unknown, now: number, depth = 0): number | null {
  if (typeof value !== 'object' || value === null || depth > 5) return null;
  let latest: number | null = null;
  const keep = (at: number | null): void => {
    if (at !== null && (latest === null || at > latest)) latest = at;
  };
  const fields = value as Readonly<Record<string, unknown>>;
  const used = fields['used_percent'] ?? fields['usedPercent'];
  if (typeof used === 'number' && used >= 100) keep(resetOf(fields, now));
  for (const nested of Object.values(fields)) keep(exhaustedWindow(nested, now, depth + 1));
  return latest;
}

function resetOf(window: Readonly<Record<string, unknown>>, now: number): number | null {
  const at = window['resets_at'] ?? window['resetsAt'];
  if (typeof at === 'number') return at < 100_000_000_000 ? at * 1000 : at;
  if (typeof at === 'string') return validTime(Date.parse(at));
  const seconds = window['resets_in_seconds'] ?? window['resetsInSeconds'];
  return typeof seconds === 'number' ? now + seconds * 1000 : null;
}

function validTime(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
