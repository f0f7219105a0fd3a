import { expect, it } from 'vitest';
import { createEtagCache } from './etag-cache.ts';

function answer(bytes: number) {
  return { etag: '"e"', status: 200, headers: new Headers(), json: bytes, bytes };
}

it('forgets what was used longest ago, by number and by size', () => {
  const cache = createEtagCache(2, 100);
  cache.set('a', answer(10));
  cache.set('b', answer(10));
  expect(cache.get('a')?.json).toBe(10);
  cache.set('c', answer(10));
  expect(cache.get('b')).toBeUndefined();
  cache.set('d', answer(95));
  expect([cache.get('a'), cache.get('c')]).toEqual([undefined, undefined]);
  expect(cache.get('d')?.json).toBe(95);
  cache.set('e', answer(101));
  expect(cache.get('e')).toBeUndefined();
  cache.set('f', answer(50));
  cache.set('f', answer(60));
  cache.set('g', answer(40));
  expect([cache.get('f')?.json, cache.get('g')?.json]).toEqual([60, 40]);
});
