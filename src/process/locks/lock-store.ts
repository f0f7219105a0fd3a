import { link, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { removeFile } from '../files/remove-file.ts';
import { type LockHolder, readHolder } from './lock-holder.ts';

/** Files beside a lock are needed for moments only; one this old was left by a process that died. */
const STALE_AGE_MS = 60_000;

/**
 * Creates the lock file with its whole content in one step; false when there is one already. (Creating it empty and
 * writing after would let a crash leave a lock without a name on it.)
 */
export async function createLockFile(path: string, holder: LockHolder): Promise<boolean> {
  const draft = `${path}.${holder.nonce}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
    return await linkUnlessThere(draft, path);
  } catch (error) {
    const code = hasErrno(error, 'ENOSPC') ? 'disk_full' : 'lock_unavailable';
    throw new AppError(code, `The lock ${path} cannot be created: ${messageOf(error)}.`, {
      hint: 'Check that its folder is writable, not full, and on a filesystem with hard links.',
      cause: error,
      context: { path },
    });
  } finally {
    await removeFile(draft);
  }
}

async function linkUnlessThere(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    // Without ENOENT a process that was stopped for minutes, and whose draft was swept up meanwhile, would fail.
    if (hasErrno(error, 'EEXIST') || hasErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Removes the lock file if it is still the one with this nonce. */
export async function removeLockFile(path: string, nonce: string): Promise<void> {
  const found = await readHolder(path);
  if (found?.holder.nonce !== nonce) return;
  await removeFile(path);
}

/**
 * Removes what processes that died while taking this lock left beside it: drafts, and second locks of holders that the
 * lock no longer names, which therefore guard nothing any more.
 */
export async function sweepStale(path: string): Promise<void> {
  const folder = dirname(path);
  const current = (await readHolder(path))?.holder.nonce;
  for (const name of await readdir(folder)) {
    const nonce = staleNonce(basename(path), name);
    if (nonce === null || nonce === current) continue;
    const info = await stat(join(folder, name)).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > STALE_AGE_MS) await removeFile(join(folder, name));
  }
}

/** The first nonce in a name like `<lock>.<nonce>`, `<lock>.<nonce>.<nonce>.draft`; null for any other name. */
function staleNonce(lockName: string, name: string): string | null {
  if (!name.startsWith(`${lockName}.`)) return null;
  const rest = name.slice(lockName.length + 1).replace(/\.draft$/, '');
  const parts = rest.split('.');
  return parts.every((part) => /^([0-9a-f]{16}|\d+-\d+)$/.test(part)) ? (parts[0] ?? null) : null;
}
