import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { hasErrno } from '../../errors/app-error.ts';
import type { DirectoryHandle } from './directory-handle.ts';

/** The text of a plain file in a directory of an agent's; null for anything else, or for more than `most` bytes. */
export async function readFileIn(
  folder: DirectoryHandle,
  name: string,
  most: number,
): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(folder.at(name), flags).catch(() => null);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > most) return null;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Puts a new file in the place of what is there, which is not written through. */
export async function replaceFileIn(folder: DirectoryHandle, name: string, text: string): Promise<void> {
  const draft = folder.at(`.${randomBytes(6).toString('hex')}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(draft, flags, 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await rename(draft, folder.at(name)).catch(async (error: unknown) => {
    await discard(draft);
    throw error;
  });
}

/** Deletes a file; false when it could not be, such as a directory. */
export async function discard(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    return hasErrno(error, 'ENOENT');
  }
}
