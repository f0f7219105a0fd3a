import type { Clock } from '../../domain/clock.ts';

/** Rejects when the work takes longer; the work itself goes on. Null is no limit. */
export async function withTimeLimit<T>(
  clock: Clock,
  limitMs: number | null,
  work: Promise<T>,
  late: (limitMs: number) => Error,
): Promise<T> {
  if (limitMs === null) return work;
  let cancel = (): void => {};
  const expired = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimer(limitMs, () => reject(late(limitMs)));
  });
  return Promise.race([work, expired]).finally(() => cancel());
}
