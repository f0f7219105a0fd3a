import { describe, expect, it } from 'vitest';
import { nearest } from '../../domain/nearest.ts';
import { maskUserInfo, repositoryNameOf } from '../resolve/clone-url.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { formatProblem, problemsToError, quote } from './problem.ts';

describe('durations', () => {
  it.each([
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['250ms', 250],
    ['-1m', -60_000],
    ['0', 0],
    ['+2h', 7_200_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '30', 'm', '1d', '1 h', '1h ago', 'NaNs'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it.each([
    [1_800_000, '30m0s'],
    [5_400_000, '1h30m0s'],
    [90_500, '1m30.5s'],
    [45_000, '45s'],
    [250, '250ms'],
    [0, '0s'],
  ])('%i ms prints as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('clone addresses', () => {
  it.each([
    ['https://github.com/acme/door.git', 'acme/door'],
    ['https://git.example/group/sub/door', 'sub/door'],
    ['git@github.com:acme/door.git', 'acme/door'],
    ['ssh://git@git.example:22/acme/door/', 'acme/door'],
    ['/srv/repos/door', null],
    ['file:///srv/repos/door', null],
    ['https://git.example/door', null],
  ])('%s belongs to %s', (address, name) => {
    const found = repositoryNameOf(address);
    expect(found === null ? null : `${found.owner}/${found.name}`).toBe(name);
  });

  it('lose their user part', () => {
    expect(maskUserInfo('https://a:b@c@host/x')).toBe('https://host/x');
    expect(maskUserInfo('git@host:x')).toBe('git@host:x');
  });
});

describe('nearest', () => {
  it.each([
    ['max_turn', 'max_turns'],
    ['maxTurns', 'max_turns'],
    ['trun_max', null],
    ['defualt', 'default'],
    ['x', null],
  ])('%s means %s', (word, meant) => {
    expect(nearest(word, ['default', 'max_turns', 'timeout'])).toBe(meant);
  });

  it('is not slow for long words', () => {
    expect(nearest('x'.repeat(100_000), ['default'])).toBeNull();
  });
});

describe('problems', () => {
  it('quotes on one line, without control characters, cut short', () => {
    expect(quote('a\u001b[31m\nb')).toBe('"a [31m b"');
    expect(quote('x'.repeat(200)).length).toBeLessThan(70);
  });

  it('name file, line and hint', () => {
    const problem = {
      code: 'workflow_parse_error',
      file: '/w.md',
      line: 3,
      key: 'a.b',
      message: 'a.b is wrong',
      hint: 'Do this.',
    } as const;
    expect(formatProblem(problem)).toBe('/w.md:3: a.b is wrong\n  Do this.');
    expect(problemsToError([problem])).toMatchObject({ message: '/w.md:3: a.b is wrong', hint: 'Do this.' });
    expect(problemsToError([]).code).toBe('internal_error');
  });
});
