import { describe, expect, it } from 'vitest';
import { quietCpuMs } from '../../test/fakes/measured-time.ts';
import { closingReferences, mentions, waitingReferences } from './issue-references.ts';

const REPO = { owner: 'octo', name: 'app' };

describe('closing references', () => {
  it.each([
    ['Closes #12', [12]],
    ['close #12, fixed #13', [12, 13]],
    ['FIXES: #12', [12]],
    ['Resolves octo/app#12', [12]],
    ['resolved OCTO/App#12.', [12]],
    ['Fixes https://github.com/octo/app/issues/12', [12]],
    ['closes GH-12', [12]],
    ['Closes #12 and closes #13', [12, 13]],
    ['see issue #12', []],
    ['fixes evil/app#12', []],
    ['fixes https://github.com/octo/other/issues/12', []],
    ['prefixes #12', []],
    ['disclose #12', []],
    ['Closes #12abc', []],
    ['Closes #012', []],
    ['`Closes #12`', []],
    ['```\nCloses #12\n```\nCloses #13', [13]],
    ['~~~\nCloses #12', []],
    ['<!-- Closes #12 -->', []],
    ['> Closes #12', []],
    ['Closes#12', []],
    ['', []],
  ])('in %j', (text, numbers) => {
    expect([...closingReferences(text, REPO)]).toEqual(numbers);
  });

  it('are found in linear time, whatever the text', async () => {
    const spent = await quietCpuMs(() => {
      closingReferences('closes '.repeat(100_000), REPO);
      closingReferences('<!--'.repeat(100_000), REPO);
      closingReferences('```\n'.repeat(50_000), REPO);
      waitingReferences(`depends on #1${', #2'.repeat(40_000)}`, REPO);
    });
    expect(spent).toBeLessThan(2_000);
  });
});

it.each([
  ['Blocked by #3', [3]],
  ['depends on: #3', [3]],
  ['Depends on #3, #4 and #5', [3, 4, 5]],
  ['depends on octo/app#3, evil/app#4', [3]],
  ['- [ ] blocked by #3\n- [ ] blocked by #4', [3, 4]],
  ['nothing depends on it', []],
  ['`blocked by #3`', []],
])('waiting references in %j', (text, numbers) => {
  expect([...waitingReferences(text, REPO)]).toEqual(numbers);
});

it.each([
  ['part of #3', true],
  ['part of octo/app#3', true],
  ['part of evil/app#3', false],
  ['part of #33', false],
  ['color#3', false],
])('mention of #3 in %j', (text, expected) => {
  expect(mentions(text, REPO, 3)).toBe(expected);
});
