import { describe, expect, it } from 'vitest';
import { isBelow, isInside } from './inside-folder.ts';

describe('isInside and isBelow', () => {
  it.each([
    ['/data/a', '/data', true, true],
    ['/data', '/data/a', false, false],
    ['/data/a/../b', '/data', true, true],
    ['/data/../etc', '/data', false, false],
    ['/data', '/data', true, false],
    ['/data/', '/data', true, false],
    ['/', '/', true, false],
    ['/data', '/', true, true],
    ['/', '/data', false, false],
    ['/data-old', '/data', false, false],
    ['/data', '/data-old', false, false],
    ['/data/..name', '/data', true, true],
    ['/data', '/data/..name', false, false],
  ])('%s in %s: inside %s, below %s', (path, folder, inside, below) => {
    expect(isInside(path, folder)).toBe(inside);
    expect(isBelow(path, folder)).toBe(below);
  });
});
