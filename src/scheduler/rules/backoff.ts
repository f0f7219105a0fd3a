export const CONTINUATION_DELAY_MS = 1_000;
const FAILURE_BASE_MS = 10_000;

/** Delay before failure attempt `attempt` (1-based): 10 s doubling, never above the cap. */
export function failureDelay(attempt: number, capMs: number): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 40);
  return Math.min(FAILURE_BASE_MS * 2 ** exponent, capMs);
}

/** A quota wall is waited out until its reset; without a hint the wait grows, up to an hour. */
export function quotaDelay(resetAt: number | null, now: number, waits: number): number {
  if (resetAt !== null && resetAt > now) return resetAt - now;
  return failureDelay(waits + 1, 3_600_000);
}
