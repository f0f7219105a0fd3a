import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from './front-matter.ts';

describe('splitFrontMatter', () => {
  it('takes a file without a fence as prompt (R-5.2-c)', () => {
    expect(splitFrontMatter('\n\nHello\n')).toEqual({ frontMatter: null, body: 'Hello', bodyLine: 3 });
    expect(splitFrontMatter('')).toEqual({ frontMatter: null, body: '', bodyLine: 1 });
    expect(splitFrontMatter('----\na: 1\n---\n').frontMatter).toBeNull();
  });

  it('cuts between the fences and trims the body (R-3.1-a, R-4.1.2-a, R-5.2-b, R-5.2-e, R-18.1-b)', () => {
    expect(splitFrontMatter('---\na: 1\nb: 2\n---\n\n\n Hello \n\n')).toEqual({
      frontMatter: { text: 'a: 1\nb: 2', firstLine: 2, closed: true },
      body: 'Hello',
      bodyLine: 7,
    });
  });

  it.each([
    ['CRLF', '---\r\na: 1\r\n---\r\nHello\r\nyou\r\n', 'Hello\nyou'],
    ['a byte order mark', '\uFEFF---\na: 1\n---\nHello', 'Hello'],
    ['blanks after the fences', '---  \na: 1\n---\t\nHello', 'Hello'],
  ])('tolerates %s', (_, source, body) => {
    expect(splitFrontMatter(source)).toMatchObject({ frontMatter: { text: 'a: 1' }, body });
  });

  it('does not end at dashes inside a value, nor at longer rules', () => {
    const split = splitFrontMatter('---\nhook: |\n  ---\n  x\n----: 1\n---\nbody\n---\nmore');
    expect(split.frontMatter?.text).toBe('hook: |\n  ---\n  x\n----: 1');
    expect(split.body).toBe('body\n---\nmore');
  });

  it('keeps an empty block apart from no block', () => {
    expect(splitFrontMatter('---\n---\nHi').frontMatter).toEqual({ text: '', firstLine: 2, closed: true });
  });

  it('takes the rest as front matter when the fence is never closed', () => {
    expect(splitFrontMatter('---\na: 1\nb: 2')).toMatchObject({
      frontMatter: { text: 'a: 1\nb: 2', closed: false },
      body: '',
    });
  });
});
