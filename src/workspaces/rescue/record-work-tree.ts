import { join } from 'node:path';
import { readRegularFile } from '../files/path-safety.ts';
import { unsafeRepository } from '../files/unsafe.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { blobStream, type FoundFile, lookAtFiles } from '../reading/work-tree-files.ts';

type IndexEnvironment = Readonly<Record<string, string>>;

/** More than this is not copied into a bundle; the whole directory is moved instead, which takes no time. */
const MAX_SAVED_BYTES = 4 * 1024 ** 3;
const MAX_MARKS_BYTES = 64 * 1024 * 1024;

/**
 * Brings an index of ours to what the work tree holds, ignored files excepted, and returns the repositories inside.
 * git only compares and stores: it opens no file of the work tree for its content, and enters none of those
 * repositories, where their own configuration would count. Names are bytes throughout. Call it after a scan.
 */
export async function recordWorkTree(
  view: RepositoryView,
  env: IndexEnvironment,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const known = await gitlinks(view, env, signal);
  const changed = await changedPaths(view, env, signal);
  const others = await untrackedPaths(view, env, signal);
  const embedded = others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const files = others.filter((path) => !path.endsWith('/'));
  const found = await lookAtFiles(view.workTree, [...changed, ...files], signal);
  const entries = await storeFiles(view, found, signal);
  for (const path of embedded) {
    const head = await nestedHead(view, path, signal);
    if (head !== null) entries.push(`160000 ${head}\t${path}\0`);
  }
  const input = Buffer.from(entries.join(''), 'latin1');
  if (input.length > 0) await view.run(['update-index', '-z', '--index-info'], { signal, env, input });
  return [...known, ...embedded].map((path) => Buffer.from(path, 'latin1').toString('utf8'));
}

async function gitlinks(view: RepositoryView, env: IndexEnvironment, signal: AbortSignal): Promise<string[]> {
  const listing = await view.run(['ls-files', '--stage', '-z'], { signal, env, bytes: true });
  return listing
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

/** Tracked paths whose file differs from the index, or may; `:<modes and ids> <status>` and the path take turns. */
async function changedPaths(
  view: RepositoryView,
  env: IndexEnvironment,
  signal: AbortSignal,
): Promise<string[]> {
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
  const parts = (await view.run(args, { signal, env, bytes: true })).split('\0');
  return [...new Set(parts.filter((_, index) => index % 2 === 1))];
}

/** A repository inside ends in a slash. */
async function untrackedPaths(
  view: RepositoryView,
  env: IndexEnvironment,
  signal: AbortSignal,
): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  return (await view.run(args, { signal, env, bytes: true })).split('\0').filter((path) => path !== '');
}

/** Stores contents as objects of the view; returns what the index must say about each path, removals first. */
async function storeFiles(
  view: RepositoryView,
  found: readonly FoundFile[],
  signal: AbortSignal,
): Promise<string[]> {
  const kept = found.filter((file) => file.mode !== null);
  const bytes = kept.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_SAVED_BYTES)
    throw unsafeRepository(view.workTree, `holds ${bytes} bytes of uncommitted files`);
  const gone = found.filter((file) => file.mode === null);
  const removals = gone.map(({ path }) => `0 ${'0'.repeat(40)}\t${path}\0`);
  if (kept.length === 0) return removals;
  const marks = join(view.directory, 'marks');
  const args = ['fast-import', '--quiet', '--done', `--export-marks=${marks}`];
  await view.run(args, { signal, input: blobStream(view.workTree, kept) });
  const ids = parseMarks((await readRegularFile(marks, MAX_MARKS_BYTES)) ?? '');
  return [
    ...removals,
    ...kept.map(({ path, mode }, index) => {
      const id = ids.get(index + 1);
      if (id === undefined) throw new Error(`git stored no object for file ${index + 1}`);
      return `${mode} ${id}\t${path}\0`;
    }),
  ];
}

function parseMarks(text: string): Map<number, string> {
  const ids = new Map<number, string>();
  for (const line of text.split('\n')) {
    const match = /^:(\d+) ([0-9a-f]+)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) ids.set(Number(match[1]), match[2]);
  }
  return ids;
}

/** Null for one without a commit; its files are saved all the same, by a view of its own. */
async function nestedHead(view: RepositoryView, path: string, signal: AbortSignal): Promise<string | null> {
  const workTree = join(view.workTree, Buffer.from(path, 'latin1').toString('utf8'));
  const nested = await view.openNested(workTree);
  if (nested === null) return null;
  try {
    return await nested.query(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal });
  } finally {
    await nested.close();
  }
}
