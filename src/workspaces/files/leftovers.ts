import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import { acquireFileLock } from '../../process/locks/file-lock.ts';
import type { Layout } from './layout.ts';

/** Longer than any operation that keeps scratch files, so that nothing of a living worker is touched. */
const ABANDONED_MS = 60 * 60_000;

/** Deletes what killed workers left in the worker's own directories. Nothing in them is anybody's work. */
export async function clearLeftovers(layout: Layout): Promise<void> {
  // Whatever is in the trash was saved before it came there.
  for (const name of await namesIn(layout.trash)) await deleteTree(join(layout.trash, name));
  for (const name of await namesIn(layout.staging)) await deleteAbandoned(join(layout.staging, name));
  for (const name of await namesIn(layout.rescue)) {
    const path = join(layout.rescue, name);
    if (name.startsWith('.')) await deleteAbandoned(path);
    else await clearTemporary(path, 'manifest.json.');
  }
  await clearTemporary(layout.owners, '');
  await clearTemporary(layout.branches, '');
  await clearLocks(layout.locks);
}

/** Files that were being written when their writer was killed. */
async function clearTemporary(folder: string, prefix: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (name.startsWith(prefix) && name.endsWith('.tmp')) await deleteAbandoned(join(folder, name));
}

/** A lock that is held is touched every few seconds. Taking an old one and giving it back is what removes it safely. */
async function clearLocks(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!(await isAbandoned(path))) continue;
    if (!name.endsWith('.lock')) await deleteTree(path);
    else await takeAndRelease(path);
  }
}

async function takeAndRelease(path: string): Promise<void> {
  try {
    await (await acquireFileLock(path, { purpose: 'clearing old locks' })).release();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'lock_unavailable') throw error;
  }
}

/** Deletes a scratch file or directory that nobody has touched for an hour. */
export async function deleteAbandoned(path: string): Promise<void> {
  if (await isAbandoned(path)) await deleteTree(path);
}

async function isAbandoned(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
