import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNaturally } from './natural-order.ts';

test.each([
  [
    ['TASK-10', 'TASK-9', 'TASK-1'],
    ['TASK-1', 'TASK-9', 'TASK-10'],
  ],
  [
    ['b', 'A', 'a', 'B'],
    ['A', 'a', 'B', 'b'],
  ],
  [
    ['a2b10', 'a2b9', 'a10b1', 'a'],
    ['a', 'a2b9', 'a2b10', 'a10b1'],
  ],
  [
    ['x-007', 'x-8', 'x-7', 'x-0', 'x-00'],
    ['x-0', 'x-00', 'x-007', 'x-7', 'x-8'],
  ],
  [
    ['n20000000000000000001', 'n20000000000000000000', 'n3'],
    ['n3', 'n20000000000000000000', 'n20000000000000000001'],
  ],
  [
    ['A-1', 'A', 'A-1-x', ''],
    ['', 'A', 'A-1', 'A-1-x'],
  ],
])('orders %j as %j', (names, wanted) => {
  expect(names.toSorted(compareNaturally)).toEqual(wanted);
});

const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '-', '0', '1', '9', 'é'), maxLength: 8 });

test('is one order: either way round the same answer, nothing in a circle, nothing equal but itself', () => {
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(compareNaturally(a, b))).toBe(0 - Math.sign(compareNaturally(b, a)));
      expect(compareNaturally(a, b) === 0).toBe(a === b);
      if (compareNaturally(a, b) <= 0 && compareNaturally(b, c) <= 0)
        expect(compareNaturally(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
