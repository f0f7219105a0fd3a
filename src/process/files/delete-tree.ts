import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { hasErrno } from '../../errors/app-error.ts';

/**
 * Deletes a tree, also one with read-only directories in it, as some package caches are, with names that are no UTF-8, or
 * deeper than a path may be long. Links are not followed.
 */
export async function deleteTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await deleteByBytes(Buffer.from(path));
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A path longer than this is moved up before what is in it is deleted. */
const LONG_PATH_BYTES = 3_000;

/** One directory after the other, the inner ones first; none is entered through another's open listing. */
async function deleteByBytes(root: Buffer): Promise<void> {
  const waiting = [{ path: root, emptied: false }];
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    if (next.emptied) {
      waiting.pop();
      await rmdir(next.path).catch(ignoreMissing);
      continue;
    }
    next.emptied = true;
    for (const entry of await listForDeletion(next.path)) {
      const path = child(next.path, entry.name);
      if (!entry.isDirectory()) await unlink(path).catch(ignoreMissing);
      else if (path.length < LONG_PATH_BYTES) waiting.push({ path, emptied: false });
      else waiting.push({ path: await moveUp(path, root).catch(() => path), emptied: false });
    }
  }
}

async function moveUp(path: Buffer, root: Buffer): Promise<Buffer> {
  const target = child(root, Buffer.from(`deep-${randomBytes(8).toString('hex')}`));
  await rename(path, target);
  return target;
}

/** What Node's own removal began may still be going on, after it has given up: a folder can vanish meanwhile. */
async function listForDeletion(folder: Buffer): Promise<Dirent<Buffer>[]> {
  try {
    await chmod(folder, 0o700);
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    ignoreMissing(error);
    return [];
  }
}

function child(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

function ignoreMissing(error: unknown): void {
  if (!hasErrno(error, 'ENOENT')) throw error;
}
