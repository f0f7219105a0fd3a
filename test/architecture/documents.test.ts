import { describe, expect, it } from 'vitest';
import { brokenLinks, layerTable, unknownCommands } from './documents.ts';
import { readRepositoryFile, repositoryFiles } from './repository.ts';

describe('the layers in ARCHITECTURE.md', () => {
  it('are those of layers.ts: copy the expected table when it is not', () => {
    const text = readRepositoryFile('ARCHITECTURE.md');
    const table = /(?:^\|.*\n)+/m.exec(text.slice(text.indexOf('## Layers')))?.[0];
    expect(table).toBe(layerTable());
  });
});

describe('the documents of this repository', () => {
  const files = repositoryFiles();
  const pages = files
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readRepositoryFile(path)] as const);
  const { scripts } = JSON.parse(readRepositoryFile('package.json'));

  it('link to what exists', () => {
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.flatMap(([path, text]) => brokenLinks(path, text, files))).toEqual([]);
  });

  it('name commands that exist', () => {
    expect(pages.flatMap(([path, text]) => unknownCommands(path, text, Object.keys(scripts)))).toEqual([]);
  });
});

describe('the checks', () => {
  const files = ['README.md', 'docs/a.md', 'docs/adr/0001-b.md', 'src/x.ts'];

  it('find broken links, relative to the page, and leave other addresses alone', () => {
    const text =
      '[a](a.md) [b](adr/0001-b.md#part) [c](../README.md) [d](../src) [e](adr/) [f](https://example.com/a) [g](#part) [h](gone.md) [i](../docs/adr/0002.md)';
    expect(brokenLinks('docs/a.md', text, files)).toEqual([
      'docs/a.md links to gone.md, which does not exist',
      'docs/a.md links to ../docs/adr/0002.md, which does not exist',
    ]);
  });

  it('do not read code blocks as text', () => {
    expect(brokenLinks('README.md', '```md\n[a](nowhere.md)\n```\n', files)).toEqual([]);
  });

  it('find commands that do not exist', () => {
    const text = '`npm run demo -- --keep-running`, `npm run test:e2e`, `npm run --silent gone`';
    expect(unknownCommands('README.md', text, ['demo', 'test:e2e'])).toEqual([
      'README.md names npm run gone, which does not exist',
    ]);
  });
});
