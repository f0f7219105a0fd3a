/** How numbers and times are written for people, on the page as in the terminal. Seconds may be fractional or negative. */

/** `45s`, `1m 30s`, `2h 05m`, `1d 3h` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${two(whole % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** `now`, `5s ago`, `3m ago`: one unit tells how old something is, and never claims it younger by more than that unit. */
export function formatAge(seconds: number): string {
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${Math.floor(seconds)}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}

/** Rounds up: it says `in 1s` until the moment has come. */
export function formatCountdown(seconds: number): string {
  return seconds <= 0 ? 'due now' : `in ${formatDuration(Math.ceil(seconds))}`;
}

/** `950`, `12.9k`, `184k`, `1.29M` */
export function formatCount(value: number): string {
  if (value < 999.5) return String(Math.round(value));
  if (value < 999_500) return `${scaled(value / 1000)}k`;
  if (value < 999_500_000) return `${scaled(value / 1_000_000)}M`;
  return `${scaled(value / 1_000_000_000)}B`;
}

/** `1 file`, `2 files`, `12.9k files` */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1,842`; without `Intl`, whose data takes a command longer to load than everything else it does. */
export function formatWhole(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `$0.12`, with more places for a fraction of a cent. */
export function formatCost(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

/** Three significant digits, never more than needed. */
function scaled(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
