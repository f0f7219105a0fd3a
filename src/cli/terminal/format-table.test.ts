import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { formatStatus } from '../remote/format-status.ts';
import { formatLine, formatListing, formatTable } from './format-table.ts';
import { type Look, PLAIN } from './look.ts';
import { widthOf, wrapTo } from './text-width.ts';

const TITLE = 'Let the page say why an issue of a closed milestone does not run, and what to do about it';
const ID = '0f6d5a52-90ab-4c1b-8f00-7c1b0a5290ab';
const at = (columns: number, more: Partial<Look> = {}): Look => ({ ...PLAIN, columns, ...more });
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
      at(40),
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
      const text = formatTable(rows, at(columns));
      expect(widest(text)).toBeLessThanOrEqual(columns);
      expect(text).toContain(ID);
    }
  });

  it('gives the last column lines of its own where the others fill the terminal', () => {
    const head = ['RUN', 'ISSUE', 'OUTCOME', 'ENDED (UTC)', 'SUMMARY'];
    const row = ['rmwia7831e4d1-1', 'TASK-1', 'delivered', '2026-11-15 20:22:50', TITLE];
    const lines = formatTable([head, row], at(60)).trimEnd().split('\n');
    expect(widest(lines.join('\n'))).toBeLessThanOrEqual(60);
    expect(lines[1]).toBe('    SUMMARY');
    expect(lines[2]).toBe('rmwia7831e4d1-1 TASK-1 delivered 2026-11-15 20:22:50');
    expect(lines[3]).toMatch(/^ {4}Let the page/);
    expect(words(lines.slice(3).join(' '))).toEqual(words(TITLE));
  });

  it('breaks a title without blanks, but no address', () => {
    const text = formatTable([['A', '修复登录页面'.repeat(20)]], at(60));
    expect(widest(text)).toBeLessThanOrEqual(60);
    const address = `https://forge.test/${'a'.repeat(100)}`;
    expect(formatTable([['A', `see ${address}`]], at(60))).toContain(address);
  });

  it('cuts what may be cut before anything goes on below, with an ellipsis', () => {
    const rows = [['TASK-1', { text: TITLE, cut: true as const }, 'waiting for a slot (2 of 2 in use)']];
    for (const columns of [60, 80, 200]) {
      const text = formatTable(rows, at(columns));
      expect(widest(text)).toBeLessThanOrEqual(columns);
      expect(text.split('\n')).toHaveLength(2);
      expect(text.includes('…')).toBe(columns < 200);
    }
    expect(formatTable(rows)).toContain(TITLE);
  });

  it('measures wide letters where it cuts', () => {
    const text = formatTable([['A', { text: '修复登录页面'.repeat(9), cut: true }, 'end']], at(30));
    expect(widest(text)).toBe(30);
    expect(text).toMatch(/^A {2}(?:[修复登录页面])+…? *end\n$/u);
  });

  it.each([60, 80, 200])('leaves columns out of a listing where %i columns are too few', (columns) => {
    const heads = ['RUN', { text: 'TURNS', spare: 2 }, { text: 'STARTED', spare: 1 }, 'OUTCOME', 'TITLE'];
    const row = ['rmwia7831e4d-1', '12 of 34', '2026-11-15 20:22:50', 'delivered'];
    const text = formatListing(heads, [[...row, { text: TITLE, cut: true }]], at(columns));
    expect(widest(text)).toBeLessThanOrEqual(columns);
    expect(words(text.split('\n')[0] ?? '')).toEqual([
      'RUN',
      ...(columns > 60 ? ['TURNS'] : []),
      ...['STARTED', 'OUTCOME', 'TITLE'],
    ]);
    expect(text.split('\n')).toHaveLength(3);
  });

  it('colours by meaning, the same columns with and without', () => {
    const rows = [['TASK-1', { text: 'failed', tone: 'bad' as const }, 'why']];
    const plain = formatListing(['ID', 'OUTCOME', 'SUMMARY'], rows, at(60));
    const colored = formatListing(['ID', 'OUTCOME', 'SUMMARY'], rows, at(60, { color: true }));
    expect(plain).not.toContain('\u001B');
    expect(colored).toContain('\u001B[31mfailed\u001B[39m ');
    expect(colored).toContain('\u001B[1mID\u001B[22m ');
    expect(stripVTControlCharacters(colored)).toBe(plain);
  });

  it.each([0, 1, 5, 19])('goes on in a terminal of %i columns', (columns) => {
    const text = formatTable([['TASK-1', TITLE]], at(columns));
    expect(words(text)).toEqual(['TASK-1', ...words(TITLE)]);
    expect(words(formatLine(TITLE, at(columns)))).toEqual(words(TITLE));
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
  it.each([60, 80, 120, 200])('fits %i columns and says the same but for titles', (columns) => {
    const state = richState(Date.parse('2026-07-01T09:30:00Z'));
    const untitled = <Row extends object>(rows: Row[]): Row[] => rows.map((row) => ({ ...row, title: 'T' }));
    const { running, blocked, retrying, waiting } = state;
    const short = {
      ...state,
      running: untitled(running),
      blocked: untitled(blocked),
      retrying: untitled(retrying),
      waiting: untitled(waiting),
    };
    const whole = formatStatus(short);
    expect(widest(whole)).toBeGreaterThan(120);
    const fitted = formatStatus(short, at(columns));
    expect(widest(fitted)).toBeLessThanOrEqual(columns);
    expect(words(fitted).toSorted()).toEqual(words(whole).toSorted());
    expect(widest(formatStatus(state, at(columns)))).toBeLessThanOrEqual(columns);
  });

  it('has the titles, and the exact command for whoever waits for a person', () => {
    const state = richState(Date.parse('2026-07-01T09:30:00Z'));
    const [asks] = state.blocked;
    if (asks === undefined) throw new Error('nobody is blocked');
    const text = formatStatus({ ...state, blocked: [{ ...asks, question: 'Which one?' }] }, PLAIN, {
      workflow: 'my flow.md',
    });
    expect(text).toContain(asks.title);
    expect(text).toContain(
      `  > aiops answer ${asks.issue_identifier} 'YOUR ANSWER' --workflow 'my flow.md'\n`,
    );
  });
});
