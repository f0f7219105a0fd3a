import { describe, expect, it } from 'vitest';
import { QUOTA_PHRASES } from './quota-phrases.ts';
import { quotaResetAt } from './quota-reset.ts';

const now = new Date(2026, 10, 15, 14, 0, 0).getTime();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const read = (message: string, rateLimits: Record<string, unknown> | null = null): number | null =>
  quotaResetAt({ message, rateLimits, now });
const local = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime();

describe('when a quota is back', () => {
  it.each([
    ['usage limit reached, try again in 45 seconds', 45_000],
    ['Please retry in 12 min', 12 * MINUTE],
    ['try again in 1 hour 30 minutes.', 90 * MINUTE],
    ['You can try again in 3 days 4 hours', 3 * DAY + 4 * HOUR],
    ['limit resets in 2d', 2 * DAY],
    ['wait for 1.5 h', 90 * MINUTE],
  ])('a wait: %s', (text, ms) => {
    expect(read(text)).toBe(now + ms);
  });

  it.each([
    ['try again at 3:40 PM', local(2026, 10, 15, 15, 40)],
    ['try again at 9 am', local(2026, 10, 16, 9, 0)],
    ['available at 13:00', local(2026, 10, 16, 13, 0)],
    ['try again at Nov 20th, 2026 9:15 AM.', local(2026, 10, 20, 9, 15)],
    ['resets on December 3', local(2026, 11, 3, 0, 0)],
    ['until 2026-11-20T08:00:00Z', Date.UTC(2026, 10, 20, 8)],
  ])('a moment: %s', (text, at) => {
    expect(read(text)).toBe(at);
  });

  it('a used-up window of the last rate-limit report, the latest of several, at any depth', () => {
    const seconds = (ms: number): number => Math.round((now + ms) / 1000);
    const limits = {
      primary: { used_percent: 100, resets_at: seconds(HOUR) },
      nested: { secondary: { usedPercent: 100, resetsAt: seconds(2 * DAY) } },
      fresh: { used_percent: 40, resets_at: seconds(5 * DAY) },
    };
    expect(read('usage limit', limits)).toBe(seconds(2 * DAY) * 1000);
    expect(read('usage limit', { primary: { used_percent: 100, resets_in_seconds: 90 } })).toBe(now + 90_000);
  });

  it('nothing to read, nonsense, the past and the far future give no hint', () => {
    for (const text of [
      'limit',
      'try again in the morning',
      'at 2020-01-01T00:00:00Z',
      'try again in 9999 days',
    ]) {
      expect(read(text)).toBeNull();
    }
    expect(read('limit', { a: { used_percent: 100, resets_at: 'soon' } })).toBeNull();
  });

  it('every phrase is told by its own example, with a source and a date', () => {
    for (const { example, pattern, source, asOf } of QUOTA_PHRASES) {
      expect(QUOTA_PHRASES.find((phrase) => phrase.pattern.test(example))?.pattern, example).toBe(pattern);
      expect(read(example), example).toBeGreaterThan(now);
      expect(source).not.toBe('');
      expect(Date.parse(asOf)).not.toBeNaN();
    }
  });

  it('comes back from long hostile text', () => {
    expect(read(`retry ${'in '.repeat(50_000)}${'1'.repeat(50_000)}`)).toBeNull();
  });
});
