import { expect, it } from 'vitest';
import { readPause, readStandardLimits } from './limits.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

it.each([
  [{ 'retry-after': '30' }, 30_000],
  [{ 'retry-after': '0' }, 1_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 12:02:00 GMT' }, 120_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 1_000],
  [{ 'retry-after': '99999999999999999999' }, 3_600_000],
  [{ 'retry-after': 'soon' }, 60_000],
  [{}, 60_000],
  [{ 'x-ratelimit-reset': String(NOW / 1000 + 90), 'x-ratelimit-remaining': '0' }, 90_000],
  [{ 'x-ratelimit-reset': String(NOW / 1000 + 90), 'x-ratelimit-remaining': '12' }, 60_000],
  [{ 'x-ratelimit-reset': '99999999999999999999' }, 60_000],
  [{ 'x-ratelimit-requests-reset': String(NOW + 45_000), 'x-ratelimit-requests-remaining': '0' }, 45_000],
  [
    {
      'x-ratelimit-requests-reset': String(NOW + 45_000),
      'x-ratelimit-requests-remaining': '3',
      'x-ratelimit-complexity-reset': String(NOW + 75_000),
      'x-ratelimit-complexity-remaining': '0',
    },
    75_000,
  ],
  [{ 'retry-after': '5', 'x-ratelimit-reset': String(NOW / 1000 + 900) }, 5_000],
])('reads the pause from %j', (headers: Record<string, string>, pause) => {
  expect(readPause(new Headers(headers), NOW)).toBe(pause);
});

it('reads the standard allowance, and nothing from headers that make no sense', () => {
  const reset = String(NOW / 1000 + 60);
  const whole = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': reset };
  expect(readStandardLimits(new Headers({ ...whole, 'x-ratelimit-resource': 'core' }), NOW)).toEqual([
    { meter: 'core', limit: 5000, remaining: 4999, resetAt: NOW + 60_000, cost: 1 },
  ]);
  for (const wrong of [
    { 'x-ratelimit-limit': '0' },
    { 'x-ratelimit-limit': '-1' },
    { 'x-ratelimit-remaining': 'many' },
    { 'x-ratelimit-reset': '12' },
    { 'x-ratelimit-reset': '' },
  ]) {
    expect(readStandardLimits(new Headers({ ...whole, ...wrong }), NOW)).toEqual([]);
  }
});
