import { readFileSync, renameSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrno } from '../../errors/app-error.ts';

/**
 * Replaces a file's text if it still is `expected`; false, and nothing done, when somebody else wrote it meanwhile.
 * Writers that take the folder's lock cannot meet here. Editors do not take it, so the comparison and the rename
 * happen in one synchronous step, leaving no more than the gap between two system calls.
 */
export async function replaceFile(
  path: string,
  expected: string,
  text: string,
  mode: number,
): Promise<boolean> {
  const temporary = await writeTemporary(path, text, mode);
  try {
    if (readOrNull(path) !== expected) return false;
    renameSync(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Creates a file with its whole text at once; false when the name is taken. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path, text, 0o666);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].some((code) => hasErrno(error, code))) throw error;
    // A file system without hard links: the lock is held, so only an editor could take the name now.
    if (readOrNull(path) !== null) return false;
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The name is fixed, so a crash leaves at most one, which the next write removes; the dot hides it from listings. */
async function writeTemporary(path: string, text: string, mode: number): Promise<string> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}
