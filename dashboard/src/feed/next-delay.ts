const INTERVAL_MS = 1_000;
const HIDDEN_INTERVAL_MS = 10_000;
const LONGEST_BACKOFF_MS = 10_000;

/** How long to wait before asking again: every second, less often when nobody looks or nobody answers. */
export function nextDelayMs(failuresInARow: number, hidden: boolean): number {
  const backoff = failuresInARow === 0 ? INTERVAL_MS : INTERVAL_MS * 2 ** Math.min(failuresInARow - 1, 10);
  return Math.max(hidden ? HIDDEN_INTERVAL_MS : INTERVAL_MS, Math.min(backoff, LONGEST_BACKOFF_MS));
}
