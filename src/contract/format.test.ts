import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatCost,
  formatCount,
  formatCountdown,
  formatDuration,
  formatPlural,
  formatWhole,
} from './format.ts';

describe('formatDuration', () => {
  it.each([
    [-5, '0s'],
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m 00s'],
    [193.4, '3m 13s'],
    [3599, '59m 59s'],
    [3600, '1h 00m'],
    [7_505, '2h 05m'],
    [86_399, '23h 59m'],
    [97_200, '1d 3h'],
  ])('%d s is %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});

describe('formatAge and formatCountdown', () => {
  it('never rounds an age up or a countdown down', () => {
    expect(formatAge(0.9)).toBe('now');
    expect(formatAge(1.9)).toBe('1s ago');
    expect(formatAge(119)).toBe('1m ago');
    expect(formatAge(7_199)).toBe('1h ago');
    expect(formatAge(200_000)).toBe('2d ago');
    expect(formatCountdown(0.2)).toBe('in 1s');
    expect(formatCountdown(59.5)).toBe('in 1m 00s');
    expect(formatCountdown(0)).toBe('due now');
    expect(formatCountdown(-3)).toBe('due now');
  });
});

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [0.4, '0'],
    [999, '999'],
    [999.7, '1k'],
    [1000, '1k'],
    [12_904, '12.9k'],
    [184_220, '184k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_293_121, '1.29M'],
    [2_500_000_000, '2.5B'],
  ])('%d is %s', (value, text) => expect(formatCount(value)).toBe(text));

  it('names what it counts', () => {
    expect(formatPlural(1, 'commit')).toBe('1 commit');
    expect(formatPlural(0, 'commit')).toBe('0 commits');
    expect(formatPlural(2, 'try', 'tries')).toBe('2 tries');
  });
});

it('writes whole numbers and money', () => {
  expect([0, 999, 1841.6, 1_234_567, -1_234].map(formatWhole)).toEqual([
    '0',
    '999',
    '1,842',
    '1,234,567',
    '-1,234',
  ]);
  expect([0, 0.004, 0.12, 12].map(formatCost)).toEqual(['$0.00', '$0.0040', '$0.12', '$12.00']);
});
