import { describe, expect, it } from 'vitest';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { formatStatus } from '../remote/format-status.ts';
import { formatLine, formatTable } from './format-table.ts';
import { widthOf, wrapTo } from './text-width.ts';

const TITLE = 'Let the page say why an issue of a closed milestone does not run, and what to do about it';
const ID = '0f6d5a52-90ab-4c1b-8f00-7c1b0a5290ab';
const widest = (text: string): number => Math.max(...text.split('\n').map(widthOf));
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('formatTable', () => {
  it('aligns columns and leaves no blanks at the end of a line', () => {
    expect(
      formatTable([
        ['A', 'BB', ''],
        ['long', 'x', 'y'],
      ]),
    ).toBe('A     BB\nlong  x   y\n');
  });

  it('aligns letters that take two columns', () => {
    expect(
      formatTable([
        ['日本', 'a'],
        ['x', 'b'],
      ]),
    ).toBe('日本  a\nx     b\n');
  });

  it('breaks nothing where there is no terminal', () => {
    expect(
      formatTable([
        ['ID', 'TITLE'],
        ['TASK-1', TITLE.repeat(9)],
      ]),
    ).toContain(TITLE.repeat(9));
  });

  it('lets a long title go on under itself, and loses no word', () => {
    const text = formatTable(
      [
        ['ID', 'TITLE'],
        ['TASK-1', TITLE],
      ],
      40,
    );
    expect(widest(text)).toBeLessThanOrEqual(40);
    const [, first = '', second = ''] = text.split('\n');
    expect(first).toMatch(/^TASK-1 {2}Let the page/);
    expect(second).toMatch(/^ {8}\S/);
    expect(words(text)).toEqual(['ID', 'TITLE', 'TASK-1', ...words(TITLE)]);
  });

  it('shares the room between several long columns, and leaves ids whole', () => {
    const rows = [
      ['RUN', 'FATE', 'TITLE'],
      [ID, `would not run: ${TITLE}`, TITLE],
    ];
    for (const columns of [100, 90, 82]) {
      const text = formatTable(rows, columns);
      expect(widest(text)).toBeLessThanOrEqual(columns);
      expect(text).toContain(ID);
    }
  });

  it('gives the last column lines of its own where the others fill the terminal', () => {
    const head = ['RUN', 'ISSUE', 'OUTCOME', 'ENDED (UTC)', 'SUMMARY'];
    const row = ['rmwia7831e4d1-1', 'TASK-1', 'delivered', '2026-11-15 20:22:50', TITLE];
    const lines = formatTable([head, row], 60).trimEnd().split('\n');
    expect(widest(lines.join('\n'))).toBeLessThanOrEqual(60);
    expect(lines[1]).toBe('    SUMMARY');
    expect(lines[2]).toBe('rmwia7831e4d1-1 TASK-1 delivered 2026-11-15 20:22:50');
    expect(lines[3]).toMatch(/^ {4}Let the page/);
    expect(words(lines.slice(3).join(' '))).toEqual(words(TITLE));
  });

  it('breaks a title without blanks, but no address', () => {
    const text = formatTable([['A', '修复登录页面'.repeat(20)]], 60);
    expect(widest(text)).toBeLessThanOrEqual(60);
    const address = `https://forge.test/${'a'.repeat(100)}`;
    expect(formatTable([['A', `see ${address}`]], 60)).toContain(address);
  });

  it.each([0, 1, 5, 19])('goes on in a terminal of %i columns', (columns) => {
    const text = formatTable([['TASK-1', TITLE]], columns);
    expect(words(text)).toEqual(['TASK-1', ...words(TITLE)]);
    expect(words(formatLine(TITLE, columns))).toEqual(words(TITLE));
  });
});

describe('wrapTo', () => {
  it('keeps the indentation of the first line, and every word', () => {
    expect(wrapTo('  one two three', 9)).toEqual(['  one two', 'three']);
    expect(wrapTo('', 9)).toEqual(['']);
    expect(wrapTo('abcdefghijkl', 5)).toEqual(['abcde', 'fghij', 'kl']);
    expect(wrapTo('👩‍💻👩‍💻👩‍💻', 4)).toEqual(['👩‍💻👩‍💻', '👩‍💻']);
  });
});

describe('the status', () => {
  it('is as wide as the terminal and says the same', () => {
    const state = richState(Date.parse('2026-07-01T09:30:00Z'));
    const whole = formatStatus(state);
    expect(widest(whole)).toBeGreaterThan(80);
    const fitted = formatStatus(state, 80);
    expect(widest(fitted)).toBeLessThanOrEqual(80);
    expect(words(fitted).toSorted()).toEqual(words(whole).toSorted());
  });
});
