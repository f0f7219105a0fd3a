import { describe, expect, it } from 'vitest';
import { buildMatrix, type Matrix } from './matrix.ts';
import { partUnder } from './pages.ts';
import { formatMatrix } from './print-matrix.ts';
import { deferred, documented, line, type Requirement } from './requirement.ts';

/** The matrix of one section over these files. */
function matrixOf(
  lines: readonly Requirement[],
  files: Readonly<Record<string, string>> = {},
  count = lines.length,
): Matrix {
  return buildMatrix([{ name: '§1', count, lines }], {
    paths: Object.keys(files),
    read: (path) => files[path] ?? '',
  });
}

const standings = (matrix: Matrix): unknown =>
  matrix.sections.flatMap(({ lines }) =>
    lines.map(({ requirement, standing }) => [requirement.id, standing]),
  );
const titled = (title: string): Readonly<Record<string, string>> => ({
  'src/a.test.ts': `it('${title}', () => {});`,
});

describe('a line', () => {
  it('is cited by a title, else open', () => {
    const lines = [line('R-1-a', 'must', 'a'), line('R-1-b', 'must', 'b')];
    expect(standings(matrixOf(lines, titled('x (R-1-a)')))).toEqual([
      ['R-1-a', 'cited'],
      ['R-1-b', 'open'],
    ]);
  });

  it('is documented when the page has the heading and the phrase under it', () => {
    const page = '# Top\n\n## Trust\n\nWe trust nobody.\n\n## Other\n\nNothing.\n';
    const at = (where: string, phrase: string): unknown =>
      standings(matrixOf([line('R-1-a', 'docs', 'a', documented(where, phrase))], { 'S.md': page }));
    expect(at('S.md#trust', 'trust nobody')).toEqual([['R-1-a', 'documented']]);
    for (const [where, phrase] of [
      ['S.md#trust', 'Nothing'],
      ['S.md#gone', 'trust'],
      ['gone.md#trust', 'trust'],
    ] as const)
      expect(at(where, phrase)).toEqual([['R-1-a', 'open']]);
  });

  it('that is deferred must not be cited', () => {
    const lines = [line('R-1-a', 'must', 'a', deferred('Later', 'not built'))];
    expect(matrixOf(lines).problems).toEqual([]);
    expect(matrixOf(lines, titled('x (R-1-a)')).problems).toEqual([
      'R-1-a is deferred, but src/a.test.ts:1 cites it',
    ]);
  });

  it('that deviates must be proven', () => {
    const lines = [line('R-1-a', 'must', 'a')];
    const page = { 'DEVIATIONS.md': '| 1 | R-1-a | does otherwise |' };
    expect(matrixOf(lines, page).problems).toEqual([
      'R-1-a is in DEVIATIONS.md, but no test proves what is done instead',
    ]);
    const proven = matrixOf(lines, { ...page, ...titled('x (R-1-a)') });
    expect(proven.problems).toEqual([]);
    expect(proven.sections[0]?.lines[0]?.deviates).toBe(true);
  });
});

describe('the list', () => {
  it('has each line once and as many as it says', () => {
    const twice = [line('R-1-a', 'must', 'a'), line('R-1-a', 'must', 'a')];
    expect(matrixOf(twice, titled('x (R-1-a)')).problems).toEqual(['R-1-a is listed twice']);
    expect(matrixOf([], {}, 3).problems).toEqual(['§1 has 0 lines, not 3']);
  });

  it('knows every line that is cited or deviated from, by its full name', () => {
    const lines = [line('R-1-a', 'must', 'a')];
    expect(matrixOf(lines, titled('x (R-1-a, R-9.9-z)')).problems).toEqual([
      'src/a.test.ts:1 cites R-9.9-z, which does not exist',
    ]);
    expect(matrixOf(lines, { 'DEVIATIONS.md': 'R-9.9-z' }).problems).toEqual([
      'DEVIATIONS.md names R-9.9-z, which does not exist',
    ]);
    expect(matrixOf(lines, titled('x (R-1-a, b)')).problems).toEqual([
      'src/a.test.ts:1 abbreviates: x (R-1-a, b)',
    ]);
  });
});

describe('the print', () => {
  it('sums up, then names what is open, wrong and put off', () => {
    const lines = [
      line('R-1-a', 'must', 'cited'),
      line('R-1-b', 'must', 'still to do'),
      line('R-1-c', 'must', 'later', deferred('Trackers', 'not built')),
    ];
    const text = formatMatrix(matrixOf(lines, titled('x (R-1-a)')), false);
    expect(text).toMatch(/§1\s+1\s+0\s+1\s+1\s+0\s+3/);
    expect(text).toContain('R-1-b (must) still to do');
    expect(text).toContain('Trackers: not built (1)\n    R-1-c');
    expect(text).not.toContain('src/a.test.ts');
    expect(formatMatrix(matrixOf(lines, titled('x (R-1-a)')), true)).toContain('R-1-a cited src/a.test.ts:1');
  });
});

describe('partUnder', () => {
  it('ends at the next heading of the same rank or above, and knows anchors as GitHub makes them', () => {
    const page = '## What `x`, y & z?\na\n### Deeper\nb\n## Next\nc';
    expect(partUnder(page, 'what-x-y--z')).toBe('## What `x`, y & z?\na\n### Deeper\nb');
    expect(partUnder(page, 'next')).toBe('## Next\nc');
    expect(partUnder(page, 'nowhere')).toBeNull();
  });
});
