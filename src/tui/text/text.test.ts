import { describe, expect, it } from 'vitest';
import { cleanCode, cleanLine, cleanLines } from './clean.ts';
import { line, paintLine, span } from './paint.ts';
import { fitTo, padTo, widthOf, wrapTo } from './width.ts';

describe('cleanLine', () => {
  it.each([
    ['plain text', 'plain text'],
    ['  two\n lines\t', 'two lines'],
    ['\u001B[2J\u001B]0;title\u0007gone', '\u{FFFD}[2J\u{FFFD}]0;title\u{FFFD}gone'],
    ['\u009B31mred', '\u{FFFD}31mred'],
    ['a\u202Egnp.exe', 'a\u{FFFD}gnp.exe'],
    ['a\u0000b\u007Fc', 'a\u{FFFD}b\u{FFFD}c'],
    ['zero\u200Bwidth\uFEFF', 'zerowidth'],
    ['family 👩‍👩‍👧 and 👍🏽', 'family 👩👩👧 and 👍'],
    ['flag 🇩🇪', 'flag DE'],
    ['heart ❤️ key 1️⃣', 'heart ❤ key 1'],
    ['cafe\u0301', 'café'],
  ])('%j becomes %j', (text, clean) => expect(cleanLine(text)).toBe(clean));

  it('bounds piled marks and length', () => {
    expect([...cleanLine(`z${'\u0335'.repeat(50)}`)].length).toBeLessThanOrEqual(4);
    expect(cleanLine('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(4000);
  });

  it('keeps the spaces of code', () => {
    expect(cleanCode('\tif (a)  b\r')).toBe('    if (a)  b\u{FFFD}');
    expect(cleanLines('a\r\n  b\u001B')).toEqual(['a', '  b\u{FFFD}']);
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本語', 6],
    ['한국', 4],
    ['🚀', 2],
    ['café', 4],
    ['e\u0323\u0302', 1],
    ['│ ● … ▸', 7],
  ])('%s takes %d columns', (text, columns) => expect(widthOf(text)).toBe(columns));

  it.each(['abcdefghij', '日本語日本語', '🚀🚀🚀🚀🚀🚀', 'a日b本c語d', 'ééééééééééé'])('fits %s', (text) => {
    for (let columns = 1; columns < 12; columns += 1) {
      expect(widthOf(fitTo(text, columns))).toBeLessThanOrEqual(columns);
      expect(widthOf(padTo(text, columns))).toBe(columns);
      expect(widthOf(padTo(text, columns, 'right'))).toBe(columns);
      for (const part of wrapTo(text, Math.max(2, columns)))
        expect(widthOf(part)).toBeLessThanOrEqual(Math.max(2, columns));
    }
  });

  it('wraps between words and loses nothing', () => {
    expect(wrapTo('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapTo('abcdefgh ij', 3).join('')).toBe('abcdefghij');
  });
});

describe('paintLine', () => {
  const sample = line(span('ok', 'good'), ' plain');

  it('colours only where colours are wanted', () => {
    expect(paintLine(sample, 20, false)).toBe('ok plain');
    expect(paintLine(sample, 20, true)).toBe('\u001B[32mok\u001B[39m plain');
  });

  it('cuts at the width, and fills a selected line', () => {
    expect(paintLine(sample, 6, false)).toBe('ok pl…');
    expect(paintLine({ ...sample, selected: true }, 10, true)).toBe('\u001B[7mok plain  \u001B[27m');
  });
});
