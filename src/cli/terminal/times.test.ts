import { describe, expect, it } from 'vitest';
import { formatClock, formatInstant, formatTime, timeHeading } from './times.ts';

const AT = Date.parse('2026-11-14T09:01:30.000Z');
const UTC = { utc: true };
const LOCAL = { utc: false };

describe('times', () => {
  it('are in UTC when asked for, and say so', () => {
    expect(formatTime(AT, UTC)).toBe('2026-11-14 09:01:30');
    expect(formatClock(AT, UTC)).toBe('09:01:30');
    expect([formatInstant(AT, UTC), timeHeading('ENDED', UTC)]).toEqual([
      '2026-11-14 09:01:30 UTC',
      'ENDED (UTC)',
    ]);
  });

  it('are those of the clock on the wall otherwise', () => {
    const wall = new Date(2026, 1, 3, 4, 5, 6).getTime();
    expect([formatTime(wall, LOCAL), formatInstant(wall, LOCAL)]).toEqual([
      '2026-02-03 04:05:06',
      '2026-02-03 04:05:06',
    ]);
    expect(timeHeading('ENDED', LOCAL)).toBe('ENDED');
  });

  it.each([Number.NaN, 8.7e15])('survive %d, which no calendar has', (instant) => {
    for (const zone of [UTC, LOCAL]) expect(formatTime(instant, zone)).toBe('????-??-?? ??:??:??');
  });
});
