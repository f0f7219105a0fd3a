import { describe, expect, it } from 'vitest';
import { deriveRows, foldedFiles } from './derive-rows.ts';
import { type FileDiff, parsePatch } from './parse-patch.ts';
import { changedRanges, markChanges } from './segments.ts';

const file = (path: string, lines: number): FileDiff => ({
  path,
  status: 'added',
  binary: false,
  added: lines,
  removed: 0,
  hunks: [],
});

describe('the rows of a diff', () => {
  it('pair the lines of a block that was replaced, in order', () => {
    const [changed] = parsePatch('diff --git a/x b/x\n@@ -1,3 +1,2 @@\n-one\n-two\n-three\n+ONE\n+TWO\n');
    if (changed === undefined) throw new Error('nothing was read');
    const pairs = deriveRows([changed], new Map()).flatMap((row) =>
      row.kind === 'line' ? [[row.line.text, row.partner?.text ?? null]] : [],
    );
    expect(pairs).toEqual([
      ['one', 'ONE'],
      ['two', 'TWO'],
      ['three', null],
      ['ONE', 'one'],
      ['TWO', 'two'],
    ]);
  });

  it('fold what is large, what programs made, and what is too much at once, and say so', () => {
    const files = [file('big.ts', 1_501), file('a/package-lock.json', 3)];
    for (let index = 0; index < 41; index += 1) files.push(file(`f${index}.ts`, 1_000));
    const folded = foldedFiles(files);
    expect([...folded.keys()]).toEqual(['big.ts', 'a/package-lock.json', 'f40.ts']);
    expect(folded.get('big.ts')).toBe('1,501 changed lines folded: large');
    expect(deriveRows(files.slice(0, 1), folded)).toMatchObject(
      [{ kind: 'file', folded: /large/ }].map(() => ({ kind: 'file' })),
    );
  });
});

describe('what changed within a line', () => {
  it('is found by words, on both sides', () => {
    expect(changedRanges('const a = 1;', 'const a = 2;', 'before')).toEqual([[10, 11]]);
    expect(changedRanges('const a = 2;', 'const a = 1;', 'after')).toEqual([[10, 11]]);
  });

  it('is nothing when everything did, or when the line is too long to compare', () => {
    expect(changedRanges('alpha beta', 'gamma delta', 'before')).toEqual([]);
    expect(changedRanges('x '.repeat(400), 'y', 'before')).toEqual([]);
  });

  it('cuts coloured parts without losing a character', () => {
    const parts = [
      { text: 'const', className: 'keyword' },
      { text: ' a = 1;', className: '' },
    ];
    expect(markChanges(parts, [[3, 7]])).toEqual([
      { text: 'con', className: 'keyword', changed: false },
      { text: 'st', className: 'keyword', changed: true },
      { text: ' a', className: '', changed: true },
      { text: ' = 1;', className: '', changed: false },
    ]);
  });
});
