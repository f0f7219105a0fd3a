import { expect, test } from 'vitest';
import { changesTo, relaySettings } from './relay-config.ts';

const ADDRESSES = {
  workTree: '/ws/A-1',
  mirrorPath: '/mirrors/a.shared.git',
  url: 'https://forge.invalid/a.git',
  readsMirror: true,
};
const wanted = relaySettings(ADDRESSES);
/** As git prints names: the outer parts in lower case. */
const stored = wanted.map(
  ([name, value]) => [name.replace(/[^.]*$/, (key) => key.toLowerCase()), value] as const,
);

test('a repository without settings gets all of them', () => {
  expect(changesTo([], wanted)).toEqual({ unset: [], set: wanted });
});

test('settings that are there stay untouched', () => {
  expect(changesTo(stored, wanted)).toEqual({ unset: [], set: [] });
});

test('a value beside ours, or another one, is replaced', () => {
  const doubled = [...stored, ['push.default', 'nothing'] as const];
  expect(changesTo(doubled, wanted).set).toEqual([['push.default', 'current']]);
  const emptied = stored.map(([name]) => [name, ''] as const);
  expect(changesTo(emptied, wanted).set).toEqual(wanted);
});

test('an earlier relay, an earlier mirror and an address for pushes go; other settings of the user stay', () => {
  const found = [
    ['url./old/A-1/.git/aiops/door.git.pushinsteadof', ADDRESSES.url],
    ['url./old/a.shared.git/reading.git.insteadof', ADDRESSES.url],
    ['remote.origin.pushurl', '/elsewhere'],
    ['url.git@forge.invalid:.insteadof', 'https://forge.invalid/'],
    ...stored,
  ] as const;
  const stale = found.slice(0, 3).map(([name]) => name);
  expect(changesTo(found, wanted)).toEqual({ unset: stale, set: [] });
  // Where agents push by themselves, everything of the worker's goes, and their own address stays.
  const { unset, set } = changesTo(found, []);
  expect(unset).toEqual([...stale.slice(0, 2), stored[0]?.[0], stored[1]?.[0]]);
  expect(set).toEqual([]);
});
