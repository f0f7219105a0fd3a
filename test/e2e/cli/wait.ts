import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const DEFAULT_LIMIT_MS = 45_000;

export interface WaitOptions {
  readonly withinMs?: number;
  /** Says, when time is up, what was there instead. */
  describe?(): string;
}

/** Looks until the answer is neither null nor false, and gives it. Bounded: a condition that never comes is an error. */
export async function waitFor<T>(
  what: string,
  look: () => T | null | false | Promise<T | null | false>,
  options: WaitOptions = {},
): Promise<T> {
  const limitMs = options.withinMs ?? DEFAULT_LIMIT_MS;
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() > deadline) {
      const instead = options.describe === undefined ? '' : `\n${options.describe()}`;
      throw new Error(`not within ${limitMs} ms: ${what}${instead}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
