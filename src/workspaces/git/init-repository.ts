import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyedMutex } from '../locks/mutex.ts';
import type { Git } from './git.ts';

/** A template larger than this is copied by git itself. */
const MAX_COPIED_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 1_000;

interface ModelEntry {
  /** Relative to the git directory. */
  readonly path: string;
  readonly mode: number;
  /** Null for a folder. */
  readonly content: Buffer | null;
}

/** Gives the text of the new repository's configuration. */
export type InitRepository = (workTree: string, signal: AbortSignal) => Promise<string>;

/**
 * `git init`, run once: later repositories are written as copies of the first, with what the user's templates put there.
 * One whose template holds more than plain small files is always made by git.
 */
export function createInitRepository(git: Git): InitRepository {
  let model: readonly ModelEntry[] | null = null;
  const mutex = createKeyedMutex();

  /** Null when git made the repository itself. */
  async function takeModel(workTree: string, signal: AbortSignal): Promise<readonly ModelEntry[] | null> {
    if (model !== null) return model;
    const directory = join(workTree, '.git');
    await git.run(['init', '--quiet', '--initial-branch=none'], {
      cwd: workTree,
      action: 'creating a workspace',
      signal,
    });
    model = await readModel(directory);
    // So that the first is like all others.
    if (model !== null) await rm(directory, { recursive: true });
    return model;
  }

  return async (workTree, signal) => {
    const directory = join(workTree, '.git');
    const copied = model ?? (await mutex.run('model', () => takeModel(workTree, signal)));
    if (copied !== null) await writeModel(directory, copied);
    return readFile(join(directory, 'config'), 'utf8');
  };
}

/** Null for what is not to be copied. The samples of hooks are left out: they do nothing. */
async function readModel(directory: string): Promise<readonly ModelEntry[] | null> {
  const entries: ModelEntry[] = [];
  let bytes = 0;
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path.startsWith('hooks') && path.endsWith('.sample')) continue;
      const { mode, size } = await lstat(join(directory, path));
      bytes += size;
      const isCopied = entry.isDirectory() || entry.isFile();
      if (!isCopied || bytes > MAX_COPIED_BYTES || entries.length >= MAX_ENTRIES) return null;
      const content = entry.isFile() ? await readFile(join(directory, path)) : null;
      entries.push({ path, mode: mode & 0o777, content });
      if (content === null) waiting.push(path);
    }
  }
  return entries;
}

async function writeModel(directory: string, model: readonly ModelEntry[]): Promise<void> {
  await mkdir(directory);
  for (const { path, mode, content } of model) {
    const target = join(directory, path);
    if (content === null) await mkdir(target, { mode });
    else await writeFile(target, content, { mode, flag: 'wx' });
  }
}
