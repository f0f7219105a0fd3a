import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../errors/app-error.ts';

/**
 * A directory an agent writes to, held open: names are looked up in this very directory, so that what the agent swaps in
 * on the way there is not followed. Without `/proc` (no Linux) the way is only checked when it is opened.
 */
export interface DirectoryHandle {
  /** Where to find an entry; empty means the directory itself. The entry may still be a link: open it with O_NOFOLLOW. */
  at(name: string): string;
  /** A directory in it; null when there is none, links not followed. */
  enter(name: string): Promise<DirectoryHandle | null>;
  close(): Promise<void>;
}

/** Null when one of the parts is no real directory. The base itself is trusted. */
export async function openDirectoryHandle(
  base: string,
  parts: readonly string[],
): Promise<DirectoryHandle | null> {
  let held = await hold(base, base);
  for (const part of parts) {
    const next: DirectoryHandle | null = (await held?.enter(part)) ?? null;
    await held?.close();
    held = next;
  }
  return held;
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function hold(path: string, shown: string): Promise<DirectoryHandle | null> {
  const handle = await openDirectory(path);
  if (handle === null) return null;
  const own = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : shown;
  return {
    at: (name) => (name === '' ? own : `${own}/${name}`),
    enter: (name) => hold(`${own}/${name}`, join(shown, name)),
    close: () => handle.close(),
  };
}

async function openDirectory(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].some((code) => hasErrno(error, code))) return null;
    throw error;
  }
}
