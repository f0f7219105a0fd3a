import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { leaksIn } from './leaks.ts';
import { readRepositoryFile, repositoryFiles, repositoryRoot } from './repository.ts';

const BINARY = /\.(?:png|ico|woff2|gif|jpg|bundle)$/;
/** The checker's own examples. */
const SELF = 'test/architecture/leaks.test.ts';

describe('committed files', () => {
  const texts = repositoryFiles()
    .filter((path) => !BINARY.test(path) && path !== SELF)
    .map((path) => [path, readRepositoryFile(path)] as const);

  it('say nothing about a machine and hold no unfinished work', () => {
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.flatMap(([path, text]) => leaksIn(path, text))).toEqual([]);
  });

  it('do not name the machine this test runs on', () => {
    const places = [repositoryRoot, homedir()].filter((place) => place.split('/').length > 2);
    const found = texts.filter(([, text]) => places.some((place) => text.includes(`${place}/`)));
    expect(found.map(([path]) => path)).toEqual([]);
  });

  it('do not name the package registry in use', () => {
    const { host } = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim());
    expect(host).not.toBe('');
    expect(texts.filter(([, text]) => text.includes(host)).map(([path]) => path)).toEqual([]);
  });
});

describe('leaksIn', () => {
  it.each([
    ['docs/a.md', 'open /home/bob/notes'],
    ['docs/a.md', 'open /Users/bob/notes'],
    ['src/a.ts', `const a = '${['', 'root', 'secret'].join('/')}';`],
    ['src/a.ts', `const a = '${['', 'work', 'thing'].join('/')}';`],
    ['.npmrc', 'registry=https://registry.example.com/npm/'],
    ['package-lock.json', `      ${JSON.stringify('resolved')}: "https://example.com/a.tgz",`],
    ['src/a.ts', '// TODO later'],
    ['src/a.ts', 'call(); /* FIXME(me) now */'],
    ['docs/a.md', '<!-- TODO write this -->'],
    ['scripts/a.sh', '# TODO later'],
    ['src/a.test.ts', "it.only('a', () => {});"],
    ['src/a.test.ts', "describe.skip('a', () => {});"],
    ['src/a.test.ts', "it.concurrent.skip('a', () => {});"],
    ['src/a.ts', '// @ts-ignore'],
  ])('finds in %s: %s', (path, text) => {
    expect(leaksIn(path, `first line\n${text}\n`)).toEqual([expect.stringContaining(`${path}:2: `)]);
  });

  it.each([
    "state: 'Todo'",
    "sameState('TODO', 'todo')",
    '~/code/workflow.md',
    '/home/me/code',
    'workspaces/root/work/a',
    ['.', 'work', 'a'].join('/'),
    'it.skipIf(condition)',
    'context.skip()',
    'https://example.com/a/b',
  ])('accepts %s', (text) => {
    expect(leaksIn('src/a.ts', text)).toEqual([]);
  });
});
