import { expect, test } from 'vitest';
import { parseOwnCommits } from './own-commits.ts';

const id = (digit: string): string => digit.repeat(40);
const NONE = id('0');
const commit = (own: string, ...parents: string[]): string =>
  `commit ${id(own)} ${parents.map(id).join(' ')}\0`;
const change = (path: string, before: string, after: string): string =>
  `:${before === NONE ? '000000' : '100644'} ${after === NONE ? '000000' : '100644'} ${before} ${after} M\0${path}\0`;

test('commits in a row are listed with what they changed together', () => {
  const output = [
    `${commit('c', 'b')}\n${change('kept', id('1'), id('2'))}${change('back', id('4'), id('3'))}`,
    `${commit('b', 'a')}\n${change('back', id('3'), id('4'))}${change('commit :odd', NONE, id('5'))}`,
  ].join('');
  expect(parseOwnCommits(output, id('c'))).toEqual({
    ids: [id('c'), id('b')],
    onto: id('a'),
    changed: ['commit :odd', 'kept'],
  });
});

test('a file that came and went is no change, a mode is', () => {
  const mode = `:100644 100755 ${id('1')} ${id('1')} M\0run.sh\0`;
  const output = `${commit('c', 'b')}\n${change('gone', id('2'), NONE)}${mode}${commit('b', 'a')}\n${change('gone', NONE, id('2'))}`;
  expect(parseOwnCommits(output, id('c'))?.changed).toEqual(['run.sh']);
});

test.each([
  ['a merge', commit('c', 'b', 'e') + commit('b', 'a')],
  ['a history of its own', commit('c', 'b') + commit('b')],
  ['a commit beside the row', commit('c', 'b') + commit('b', 'a') + commit('d', 'a')],
  ['what git never printed', `${commit('c', 'b')}\nnonsense\0x\0`],
])('nothing is said of %s', (_, output) => {
  expect(parseOwnCommits(output, id('c'))).toBeNull();
});
