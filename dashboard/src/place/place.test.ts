import { expect, it } from 'vitest';
import { readPlace, runAddress, writeQuery } from './place.ts';

it.each([
  ['/', '', { view: 'board', query: {} }],
  ['/', '?q=login', { view: 'board', query: { q: 'login' } }],
  ['/history', '?days=7&agent=mock', { view: 'history', query: { days: '7', agent: 'mock' } }],
  ['/', '?q=a&worker=http://b&worker=http://c', { view: 'board', query: { q: 'a' } }],
  ['/issues', '?issue=TASK-1', { view: 'issues', query: { issue: 'TASK-1' } }],
  ['/runs/abc', '?tab=diff', { view: 'run', run: 'abc', query: { tab: 'diff' } }],
  ['/runs/a%2Fb', '', { view: 'run', run: 'a/b', query: {} }],
  ['/runs/%E0%A4%A', '', { view: 'nowhere', query: {} }],
  ['/runs', '', { view: 'nowhere', query: {} }],
  ['/elsewhere', '', { view: 'nowhere', query: {} }],
])('reads %s%s', (path, search, place) => {
  expect(readPlace(path, search)).toEqual(place);
});

it('writes an address that is read as the same run', () => {
  const address = new URL(runAddress('a/b c', { tab: 'diff', q: '' }), 'http://page');
  expect(readPlace(address.pathname, address.search)).toEqual({
    view: 'run',
    run: 'a/b c',
    query: { tab: 'diff' },
  });
});

it('leaves out what is empty', () => {
  expect(writeQuery({ q: '', sort: '' })).toBe('');
  expect(writeQuery({ q: 'a&b', sort: 'age' })).toBe('?q=a%26b&sort=age');
});
