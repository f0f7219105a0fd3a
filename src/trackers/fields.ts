/** Normalisation every adapter owes the port (labels, priority, instants): unusable values become null or drop out. */

/** Trimmed, lower-case, no blanks, no duplicates, in the order given. */
export function normaliseLabels(values: readonly unknown[]): readonly string[] {
  const labels = new Set<string>();
  for (const value of values) {
    const label = typeof value === 'string' ? value.trim().toLowerCase() : '';
    if (label !== '') labels.add(label);
  }
  return [...labels];
}

/** An integer, or null: a numeric string or a fraction is not a priority. */
export function normalisePriority(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** An RFC 3339 instant, or a plain date meaning its first instant in UTC, as UTC text; anything else is null. */
export function normaliseInstant(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day] = match;
  if (Number(day) > daysInMonth(Number(year), Number(month))) return null;
  const milliseconds = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
