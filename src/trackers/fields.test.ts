import { expect, it } from 'vitest';
import { normaliseInstant, normaliseLabels, normalisePriority } from './fields.ts';

it('trims and lower-cases labels and drops what is no label (R-11.3-c, R-11.3-g)', () => {
  expect(normaliseLabels([' Bug ', 'bug', '', '  ', 7, null, 'UI', {}])).toEqual(['bug', 'ui']);
});

it.each([
  [2, 2],
  [0, 0],
  [-1, -1],
  [1.5, null],
  ['2', null],
  [Number.NaN, null],
  [1e300, null],
  [null, null],
  [true, null],
])('reads priority %j as %j (R-11.3-d)', (value, expected) => {
  expect(normalisePriority(value)).toBe(expected);
});

it.each([
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01t09:30:00.5z', '2026-03-01T09:30:00.500Z'],
  [' 2026-03-01 09:30:00+02:00 ', '2026-03-01T07:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', null],
  ['2026-02-30T00:00:00Z', null],
  ['2026-13-01T00:00:00Z', null],
  ['2026-00-10', null],
  ['2026-03-00', null],
  ['2026-03-01T25:00:00Z', null],
  ['2026-03-01T09:30:00', null],
  ['2026-03-01T09:30Z', null],
  ['yesterday', null],
  [1_772_000_000, null],
  [null, null],
])('reads instant %j as %j (R-11.3-f)', (value, expected) => {
  expect(normaliseInstant(value)).toBe(expected);
});
