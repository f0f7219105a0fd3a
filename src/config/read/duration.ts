const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const WHOLE = /^([-+]?)((?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/;
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;

/** Milliseconds of a Go duration such as `1h30m`, `45s` or `0`; null when it is none. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (/^[-+]?0+$/.test(trimmed)) return 0;
  const match = WHOLE.exec(trimmed);
  if (match === null) return null;
  let total = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(PART))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return match[1] === '-' ? -total : total;
}

/** As Go prints it: `30m0s`, `1h30m0s`, `1.5s`. */
export function formatDuration(ms: number): string {
  const seconds = (ms % 60_000) / 1000;
  const minutes = Math.floor(ms / 60_000) % 60;
  const hours = Math.floor(ms / 3_600_000);
  if (ms !== 0 && ms < 1000) return `${ms}ms`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
