import { describe, expect, it } from 'vitest';
import { citationsIn, holdsTests, isAbbreviated, titlesIn } from './citations.ts';

const titles = (source: string): readonly string[] => titlesIn(source).map(({ title }) => title);

describe('titles of tests', () => {
  it('are found in every form a test can have', () => {
    const source = `
      describe('one', () => {
        it("two", { retry: 2 }, () => {});
        test(\`three \${name}\`, () => {});
        it.each([['a', 1], ['b', (2)]])('four %s', () => {});
        it.each<[string, Map<string, number>]>([['x', new Map()]])('five', () => {});
        test.runIf(process.platform === 'linux')('six', async () => {});
        it.each(cases)(
          'seven ' +
            'and eight',
          () => {},
        );
        describe.each\`a | b\`('nine', () => {});
      });`;
    expect(titles(source)).toEqual([
      'one',
      'two',
      '`three ${name}`',
      'four %s',
      'five',
      'six',
      'seven and eight',
      'nine',
    ]);
  });

  it('are not looked for in comments, texts, methods and other calls', () => {
    const source = `
      // it('comment', () => {})
      const text = "it('text', () => {})";
      suite.test('method', () => {});
      expect('call');
      it(name, () => {});`;
    expect(titles(source)).toEqual([]);
  });
});

describe('citations', () => {
  it('are the full names of lines, each once, with their place', () => {
    const source = "\nit('a (R-8.4-d, R-A.1-b, R-13.5-h2, R-6.2-0, R-10-a) and R-8.4-d again', () => {});";
    expect(citationsIn('x.test.ts', source).map(({ id, line }) => [id, line])).toEqual(
      ['R-8.4-d', 'R-A.1-b', 'R-13.5-h2', 'R-6.2-0', 'R-10-a'].map((id) => [id, 2]),
    );
  });

  it.each(['(R-8.2-j..l)', '(R-8.5-f, h, i)', '(R-6.2-0, a, b)', 'R-8.2-a .. d', '(R-5.4-a, b, R-12.2-a)'])(
    'that are abbreviated are noticed: %s',
    (title) => expect(isAbbreviated(title)).toBe(true),
  );

  it.each(['(R-8.2-j, R-8.2-k)', 'R-8.4-d, a test', 'priority 1..4 (R-8.2-j)', '(R-5.3.1-i), b is c'])(
    'in full are not: %s',
    (title) => expect(isAbbreviated(title)).toBe(false),
  );

  it.each([
    ['src/a/b.test.ts', true],
    ['test/e2e/cli/x.test.ts', true],
    ['dashboard/src/x.test.tsx', true],
    ['test/contracts/tracker-contract-reads.ts', true],
    ['src/a/b.ts', false],
    ['test/fakes/x.ts', false],
    ['scripts/x.test.mjs', false],
  ])('count in %s: %s', (path, counts) => expect(holdsTests(path)).toBe(counts));
});
