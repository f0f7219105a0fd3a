import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchName } from './branch-name.ts';

describe('branch names', () => {
  test('keep an id that git accepts', () => {
    expect(branchName('7c1b0a52-90ab')).toBe('ai/7c1b0a52-90ab');
    expect(branchName('42')).toBe('ai/42');
  });

  test.each([
    'a..b',
    'x.lock',
    '-x',
    '.hidden',
    'a b',
    'a~1',
    'a@{b',
    'ends.',
    'a/b',
    '',
    '--',
    'a.lock.lock',
  ])('%j is changed to something git accepts, with a hash of the original', (id) => {
    expect(branchName(id)).toMatch(/^ai\/[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{16}$/);
  });

  test('follow the rules of git-check-ref-format for any id, and differ for different ids', () => {
    const id = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('.', '-', 'l', 'o', 'c', 'k', '/', '@', '{', 'A', '\u0007') }),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        const name = branchName(a);
        expect(name).toMatch(/^ai\/[A-Za-z0-9_][A-Za-z0-9._-]*$/);
        expect(name).not.toMatch(/\.\.|\.lock$|[.]$/i);
        expect(name.length).toBeLessThan(200);
        if (a !== b) expect(branchName(b)).not.toBe(name);
      }),
      { numRuns: 1_000 },
    );
  });
});
