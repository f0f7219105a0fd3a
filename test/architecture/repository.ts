import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Paths of all files that are, or are about to be, committed; relative, with forward slashes. */
export function repositoryFiles(): readonly string[] {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(listing.split('\0'))].filter((path) => path !== '' && isFile(path)).sort();
}

export function readRepositoryFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

/** Program sources of a folder: no tests, no declarations. */
export function sourceFiles(folder: string): readonly string[] {
  return repositoryFiles().filter(
    (path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$/.test(path),
  );
}

function isFile(path: string): boolean {
  const absolute = join(repositoryRoot, path);
  return existsSync(absolute) && statSync(absolute).isFile();
}
