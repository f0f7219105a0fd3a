import { describe, expect, it } from 'vitest';
import { incompleteAdapters, misnamed } from './names.ts';
import { readRepositoryFile, repositoryFiles } from './repository.ts';

describe('names in this repository', () => {
  const paths = repositoryFiles();

  it('are in kebab-case', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(misnamed(paths)).toEqual([]);
  });

  it('are the agreed ones in every adapter, and every adapter is registered', () => {
    const files = new Map(
      paths
        .filter((path) => /^src\/(?:trackers|runners)\//.test(path))
        .map((path) => [path, readRepositoryFile(path)]),
    );
    expect(files.size).toBeGreaterThan(5);
    expect(incompleteAdapters(files)).toEqual([]);
  });
});

describe('misnamed', () => {
  it('finds camel case, snake case and upper case anywhere in a path', () => {
    const bad = ['src/camelCase.ts', 'src/snake_case.ts', 'src/Upper/a.ts', 'docs/Page.md', 'src/a--b.ts'];
    expect(misnamed(bad)).toEqual(bad);
  });

  it('accepts kebab case, suffixes and the names that tools prescribe', () => {
    const good = [
      'src/a/b-c.test.ts',
      'README.md',
      'LICENSE',
      '.github/workflows/ci.yml',
      '.npmrc',
      'docs/adr/0001-a.md',
    ];
    expect(misnamed([...good, 'examples/issues/TASK-1.md', 'AGENTS.md', 'Dockerfile'])).toEqual([]);
  });
});

describe('incompleteAdapters', () => {
  const agreed = { 'src/trackers': ['adapter.ts', 'schema.ts'] };

  it('finds a missing file and a missing registration', () => {
    const files = new Map([
      ['src/trackers/registry.ts', "import('./local/adapter.ts')"],
      ['src/trackers/tracker.ts', ''],
      ['src/trackers/local/adapter.ts', ''],
      ['src/trackers/local/schema.ts', ''],
      ['src/trackers/linear/adapter.ts', ''],
    ]);
    expect(incompleteAdapters(files, agreed)).toEqual([
      'src/trackers/linear has no schema.ts',
      'src/trackers/linear is not in src/trackers/registry.ts',
    ]);
  });
});
