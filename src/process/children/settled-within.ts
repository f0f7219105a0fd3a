import { setTimeout as delay } from 'node:timers/promises';

/** True if the promise settled in time. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const timeout = delay(Math.max(0, ms), false, { signal: timer.signal }).catch(() => false);
  return Promise.race([settled, timeout]).finally(() => timer.abort());
}
