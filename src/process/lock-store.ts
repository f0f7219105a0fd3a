import { link, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, hasErrno, messageOf } from '../errors/app-error.ts';
import { type LockHolder, readHolder } from './lock-holder.ts';

/** A file being made is this old only if its maker died over it. */
const ABANDONED_DRAFT_MS = 60_000;

/**
 * Creates the lock file with its whole content in one step; false when there is one already. (Creating it empty and
 * writing after would let a crash leave a lock without a name on it.)
 */
export async function createLockFile(path: string, holder: LockHolder): Promise<boolean> {
  const draft = `${path}.${holder.nonce}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw new AppError('lock_unavailable', `The lock ${path} cannot be created: ${messageOf(error)}.`, {
      hint: 'Check that its folder is writable, not full, and on a filesystem with hard links.',
      cause: error,
      context: { path },
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock file if it is still the one with this nonce. */
export async function removeLockFile(path: string, nonce: string): Promise<void> {
  const found = await readHolder(path);
  if (found?.holder.nonce !== nonce) return;
  try {
    await unlink(path);
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
}

/** Removes what processes that died while taking this lock left beside it. */
export async function removeAbandonedDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.draft')) continue;
    const draft = join(folder, name);
    const info = await stat(draft).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > ABANDONED_DRAFT_MS) await rm(draft, { force: true });
  }
}
