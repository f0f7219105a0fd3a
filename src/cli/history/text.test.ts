import { describe, expect, it } from 'vitest';
import { formatCost, formatDuration, oneLine, oneLineOfSentences } from './text.ts';

describe('oneLine', () => {
  it('keeps what can be read and nothing that steers a terminal', () => {
    expect(oneLine(' a\n\tb\r\n c ')).toBe('a b c');
    expect(oneLine('\u001b[31mred\u0007')).toBe('\u{FFFD}[31mred\u{FFFD}');
    expect(oneLine('abc\u202Ecba')).toBe('abc\u{FFFD}cba');
    expect(oneLine('a 👩‍💻 b')).toBe('a 👩‍💻 b');
  });

  it('cuts by characters, not in the middle of one', () => {
    expect(oneLine('ab😀cd', 4)).toBe('ab😀…');
    expect(oneLine('abcd', 4)).toBe('abcd');
  });
});

it('makes sentences of lines', () => {
  expect(oneLineOfSentences('a is wrong\n  Do this.\n  Or that\n')).toBe('a is wrong. Do this. Or that');
});

describe('figures', () => {
  it('are short and exact where it matters', () => {
    expect([0, 59_400, 61_000, 3_725_000, -5].map(formatDuration)).toEqual([
      '0s',
      '59s',
      '1m 01s',
      '1h 02m',
      '0s',
    ]);
    expect([0, 0.12, 0.0049, 3, null].map(formatCost)).toEqual(['$0.00', '$0.12', '$0.0049', '$3.00', '-']);
  });
});
