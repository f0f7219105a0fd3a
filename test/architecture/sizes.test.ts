import { describe, expect, it } from 'vitest';
import { NOT_ADAPTERS } from './names.ts';
import { readRepositoryFile, repositoryFiles, sourceFiles } from './repository.ts';
import { codeLines, functionSizes } from './sizes.ts';

/** Lines of code a file may have; the first prefix that fits counts. Blank lines and comments are free. */
const FILE_LIMITS: readonly (readonly [prefix: string, limit: number])[] = [
  ['src/domain/', 200],
  ['src/errors/', 200],
  ['src/contract/', 200],
  ['src/scheduler/', 200],
  ['src/', 300],
  ['dashboard/', 300],
  ['scripts/', 300],
];
const COMPONENT_LIMIT = 200;
const TEST_LIMIT = 600;
const FUNCTION_LIMIT = 60;
const ADAPTER_LIMIT = 1500;
const AGENTS_LIMIT = 150;

function isProgram(path: string): boolean {
  return /^(?:src|dashboard|scripts)\//.test(path) && !path.includes('.test.');
}

function limitOf(path: string): number {
  if (path.includes('.test.') || path.startsWith('test/')) return TEST_LIMIT;
  if (path.endsWith('.tsx')) return COMPONENT_LIMIT;
  return FILE_LIMITS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 300;
}

function tooLarge(
  sizes: readonly { readonly what: string; readonly lines: number; readonly limit: number }[],
): string[] {
  return sizes
    .filter(({ lines, limit }) => lines > limit)
    .map(({ what, lines, limit }) => `${what} has ${lines} lines of code, the limit is ${limit}`);
}

/** An adapter is measured as a whole, its guard of raw requests and its editor for people by themselves, and what adapters share by sub-folder. */
function sizedFolder(path: string): string {
  const parts = path.split('/');
  const adapter = parts.slice(0, 3).join('/');
  return parts[3] === 'guard' || parts[3] === 'editing' || NOT_ADAPTERS.includes(adapter)
    ? parts.slice(0, -1).join('/')
    : adapter;
}

describe('sizes in this repository', () => {
  const code = repositoryFiles().filter((path) => /\.(?:ts|tsx|mjs)$/.test(path));

  it('keeps files small', () => {
    expect(code.length).toBeGreaterThan(20);
    const sizes = code.map((path) => ({
      what: path,
      lines: codeLines(readRepositoryFile(path)),
      limit: limitOf(path),
    }));
    expect(tooLarge(sizes)).toEqual([]);
  });

  it('keeps functions small', () => {
    const sizes = code.filter(isProgram).flatMap((path) =>
      functionSizes(readRepositoryFile(path)).map(({ name, lines }) => ({
        what: `${path}: ${name}`,
        lines,
        limit: FUNCTION_LIMIT,
      })),
    );
    expect(sizes.length).toBeGreaterThan(50);
    expect(tooLarge(sizes)).toEqual([]);
  });

  it('keeps adapters small', () => {
    const totals = new Map<string, number>();
    for (const path of [...sourceFiles('src/trackers'), ...sourceFiles('src/runners')]) {
      const folder = sizedFolder(path);
      // What it says about its keys and its set-up is data for config, init and doctor, beside the adapter proper.
      if (folder !== path && !/\/(settings|setup|inspect)(\.ts$|\/)/.test(path))
        totals.set(folder, (totals.get(folder) ?? 0) + codeLines(readRepositoryFile(path)));
    }
    const sizes = [...totals].map(([what, lines]) => ({ what, lines, limit: ADAPTER_LIMIT }));
    expect(tooLarge(sizes)).toEqual([]);
  });

  it('keeps AGENTS.md short', () => {
    expect(readRepositoryFile('AGENTS.md').split('\n').length).toBeLessThanOrEqual(AGENTS_LIMIT);
  });
});

describe('the measures', () => {
  it('counts lines of code only', () => {
    expect(codeLines('\n// a\nconst a = 1;\n\n/*\n b\n*/\nconst b = `\n  c\n`;\n')).toBe(4);
  });

  it('counts a function with the functions inside it', () => {
    const source = [
      'export function outer(a: string): { readonly b: string } {',
      '  const one = 1;',
      '  const inner = (x: number): number => {',
      '    return x;',
      '  };',
      '  return {',
      '    method(): Promise<void> {',
      '      if (a) {',
      '        call();',
      '      }',
      '    },',
      '  };',
      '}',
    ].join('\n');
    const sizes = Object.fromEntries(functionSizes(source).map(({ name, lines }) => [name, lines]));
    expect(sizes).toEqual({ outer: 13, inner: 3, method: 5 });
  });

  it('sees functions, methods, arrows and constructors, and no blocks', () => {
    const source = [
      'class A { constructor(private x: B) { this.y = 1; } async *run<T>(a: T) { yield a; } }',
      'if (a) { b(); } for (const c of d) { e(); } switch (f) { case g(h): { i(); } }',
      'const j = k ? l(m) : { n: 1 };',
      'list.map((o) => { p(o); });',
    ].join('\n');
    expect(functionSizes(source).map(({ line }) => line)).toEqual([1, 1, 4]);
  });

  it('finds what is too large', () => {
    const source = `function big() {\n${'  call();\n'.repeat(80)}}`;
    const [size] = functionSizes(source);
    expect(size).toEqual({ name: 'big', line: 1, lines: 82 });
    expect(tooLarge([{ what: 'big', lines: size?.lines ?? 0, limit: FUNCTION_LIMIT }])).toEqual([
      'big has 82 lines of code, the limit is 60',
    ]);
  });
});
