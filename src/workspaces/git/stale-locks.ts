import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../../process/files/remove-file.ts';
import { isInside } from '../../process/inside-folder.ts';
import { pathKind } from '../files/path-safety.ts';

/** Longer than any git command of ours may run. */
const SURELY_STALE_MS = 15 * 60_000;

/**
 * Removes the lock files that a killed git left in a git directory, so that the next git command is not refused.
 * Call it only while nobody of ours works there; a lock is left alone while any process lives in `occupied`.
 */
export async function removeStaleLocks(gitDirectory: string, occupied: string): Promise<string[]> {
  const found = await findLockFiles(gitDirectory);
  if (found.length === 0) return [];
  const inUse = await someoneLivesIn(occupied);
  const removed: string[] = [];
  for (const path of found) {
    if (inUse !== false && !(await isOld(path))) continue;
    await removeFile(path);
    removed.push(path);
  }
  return removed;
}

const TOP_LEVEL = [
  'index.lock',
  'HEAD.lock',
  'config.lock',
  'packed-refs.lock',
  'packed-refs.new',
  'shallow.lock',
];

async function findLockFiles(gitDirectory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of TOP_LEVEL) {
    const path = join(gitDirectory, name);
    if ((await pathKind(path)) === 'other') found.push(path);
  }
  await collectRefLocks(join(gitDirectory, 'refs'), found);
  return found;
}

/** git names a lock after its ref, and no ref may end in `.lock`. */
async function collectRefLocks(directory: string, found: string[]): Promise<void> {
  if ((await pathKind(directory)) !== 'directory') return;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await collectRefLocks(path, found);
    else if (entry.isFile() && entry.name.endsWith('.lock')) found.push(path);
  }
}

async function isOld(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > SURELY_STALE_MS;
}

/** Null when this platform cannot tell. */
async function someoneLivesIn(directory: string): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => null);
    if (cwd !== null && isInside(cwd, directory)) return true;
  }
  return false;
}
