import { expect, test } from 'vitest';
import { createKnownFacts } from './known-facts.ts';

test('what the remote said counts for this very commit and for a short while', () => {
  let now = 0;
  const facts = createKnownFacts(() => now);
  facts.noteOnRemote('/ws/A-1', 'c1');
  expect(facts.isOnRemote('/ws/A-1', 'c1')).toBe(true);
  expect(facts.isOnRemote('/ws/A-1', 'c2')).toBe(false);
  expect(facts.isOnRemote('/ws/A-2', 'c1')).toBe(false);
  now = 30_000;
  expect(facts.isOnRemote('/ws/A-1', 'c1')).toBe(false);
});

test('how far a head is behind is known for the last pair of commits of a workspace', () => {
  const facts = createKnownFacts();
  facts.noteBehind('/ws/A-1', 'head', 'base', 3);
  expect(facts.behind('/ws/A-1', 'head', 'base')).toBe(3);
  expect(facts.behind('/ws/A-1', 'head', 'newer')).toBeNull();
  expect(facts.behind('/ws/A-2', 'head', 'base')).toBeNull();
  facts.noteBehind('/ws/A-1', 'next', 'base', 0);
  expect(facts.behind('/ws/A-1', 'head', 'base')).toBeNull();
});
