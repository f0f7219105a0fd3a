import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../errors/app-error.ts';

/** Takes a directory out of sight in one step, into `trash`. Returns where it is now, null when it was not there. */
export async function moveToTrash(path: string, trash: string, name: string): Promise<string | null> {
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const target = join(trash, `${name}.${randomBytes(4).toString('hex')}`);
  try {
    await rename(path, target);
    return target;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Deletes a tree, also one with read-only directories in it, as some package caches are. Links are not followed. */
export async function deleteTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!hasErrno(error, 'EACCES') && !hasErrno(error, 'EPERM')) throw error;
    await makeDeletable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function makeDeletable(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeDeletable(join(directory, entry.name));
  }
}
