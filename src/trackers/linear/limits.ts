import { type ReadLimits, readCount, readInstant } from '../../http/budget/limits.ts';
import type { LimitReading } from '../../http/budget/meters.ts';

/** Linear counts requests and points of complexity, each in a window of an hour. */
export const readLinearLimits: ReadLimits = (headers, now) => [
  ...reading(headers, now, 'requests', 1),
  ...reading(headers, now, 'complexity', Number(headers.get('x-complexity') ?? 0)),
];

function reading(headers: Headers, now: number, meter: string, cost: number): readonly LimitReading[] {
  const limit = readCount(headers, `x-ratelimit-${meter}-limit`);
  const remaining = readCount(headers, `x-ratelimit-${meter}-remaining`);
  const resetAt = readInstant(headers.get(`x-ratelimit-${meter}-reset`));
  if (limit === null || limit === 0 || remaining === null || resetAt === null || resetAt <= now) return [];
  return [{ meter, limit, remaining, resetAt, cost: Number.isFinite(cost) && cost > 0 ? cost : 0 }];
}
