import { QUOTA_AMOUNT, QUOTA_PHRASES, type QuotaMeaning, WINDOW_FIELDS } from './quota-phrases.ts';

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
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The longest wait taken from a text; a misread date must not park an issue for years. */
const MAX_WAIT_MS = 45 * 86_400_000;
/** How far behind the phrase that announces a wait its amounts are looked for. */
const MAX_WAIT_TEXT = 80;
const MAX_DEPTH = 5;

/** When a quota is back, from what the agent said and its last rate-limit report; null when neither tells. */
export function quotaResetAt({ message, rateLimits, now }: QuotaFacts): number | null {
  const at = momentIn(message, now) ?? exhaustedWindow(rateLimits, now);
  return at !== null && at > now && at - now <= MAX_WAIT_MS ? at : null;
}

function momentIn(text: string, now: number): number | null {
  for (const { pattern, meaning } of QUOTA_PHRASES) {
    const match = pattern.exec(text);
    const at = match === null ? null : READERS[meaning](match, now);
    if (at !== null && !Number.isNaN(at)) return at;
  }
  return null;
}

const READERS: Readonly<Record<QuotaMeaning, (match: RegExpExecArray, now: number) => number | null>> = {
  iso_date: ([date]) => Date.parse(date),
  written_date({ groups = {} }, now) {
    const { month = '', day, year, hour, minute = 0, half } = groups;
    const named = new Date(now);
    named.setMonth(MONTHS.indexOf(month.toLowerCase().slice(0, 3)), Number(day));
    if (year !== undefined) named.setFullYear(Number(year));
    named.setHours(hour === undefined ? 0 : hours24(Number(hour), half), Number(minute), 0, 0);
    if (year === undefined && named.getTime() < now) named.setFullYear(named.getFullYear() + 1);
    return named.getTime();
  },
  wait({ 0: words, index, input }, now) {
    const from = index + words.length;
    let total = 0;
    for (const [, amount, unit = ''] of input.slice(from, from + MAX_WAIT_TEXT).matchAll(QUOTA_AMOUNT))
      total += Number(amount) * (UNIT_MS[unit.toLowerCase()] ?? 0);
    return total > 0 ? now + total : null;
  },
  clock_time({ groups = {} }, now) {
    const { hour, minute, half, hour24, minute24 } = groups;
    const named = new Date(now);
    named.setHours(hours24(Number(hour ?? hour24), half), Number(minute ?? minute24 ?? 0), 0, 0);
    if (named.getTime() <= now) named.setDate(named.getDate() + 1);
    return named.getTime();
  },
};

function hours24(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

type Fields = Readonly<Record<string, unknown>>;

/** The latest reset among the windows that are used up. Windows are looked for at any depth: agents nest them differently. */
function exhaustedWindow(value: unknown, now: number, depth = 0): number | null {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  const fields = value as Fields;
  const used = field(fields, WINDOW_FIELDS.usedPercent);
  const own = typeof used === 'number' && used >= 100 ? resetOf(fields, now) : null;
  const nested = Object.values(fields).map((inner) => exhaustedWindow(inner, now, depth + 1));
  return nested.reduce((latest, at) => (at !== null && at > (latest ?? 0) ? at : latest), own);
}

function resetOf(window: Fields, now: number): number | null {
  const at = field(window, WINDOW_FIELDS.resetsAt);
  if (typeof at === 'number') return at < 100_000_000_000 ? at * 1000 : at;
  if (typeof at === 'string') return Number.isNaN(Date.parse(at)) ? null : Date.parse(at);
  const seconds = field(window, WINDOW_FIELDS.resetsInSeconds);
  return typeof seconds === 'number' ? now + seconds * 1000 : null;
}

function field(fields: Fields, names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
}
