import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../errors/app-error.ts';
import { type DirectoryHandle, openDirectoryHandle } from '../files/directory-handle.ts';

const LOOSE = /^[0-9a-f]{38}$/;
const PACKED = /^pack-[0-9a-f]{40}\.(pack|idx|promisor)$/;

/**
 * Gives a directory of ours the objects that lie in an agent's repository itself, by hard links: no link is followed,
 * no list of further object directories is obeyed, and nothing but plain files gets in. False when there are more than `most`.
 */
export async function takeObjects(workTree: string, target: string, most: number): Promise<boolean> {
  const objects = await openDirectoryHandle(workTree, ['.git', 'objects']);
  if (objects === null) return true;
  let left = most;
  try {
    for await (const entry of await opendir(objects.at(''))) {
      const pattern = entry.name === 'pack' ? PACKED : /^[0-9a-f]{2}$/.test(entry.name) ? LOOSE : null;
      const folder = pattern === null ? null : await objects.enter(entry.name);
      if (pattern === null || folder === null) continue;
      try {
        await mkdir(join(target, entry.name), { recursive: true });
        left -= await takeFiles(folder, pattern, join(target, entry.name), left);
      } finally {
        await folder.close();
      }
      if (left <= 0) return false;
    }
    return true;
  } finally {
    await objects.close();
  }
}

async function takeFiles(
  folder: DirectoryHandle,
  names: RegExp,
  target: string,
  most: number,
): Promise<number> {
  let taken = 0;
  for await (const { name } of await opendir(folder.at(''))) {
    if (!names.test(name)) continue;
    taken += 1;
    if (taken > most) break;
    await takeFile(folder.at(name), join(target, name));
  }
  return taken;
}

async function takeFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return;
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].some((code) => hasErrno(error, code))) throw error;
    // Looked at first: only a plain file may be copied. A disk without hard links leaves this small gap.
    if (!(await lstat(from)).isFile()) return;
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  if (!(await lstat(to)).isFile()) await rm(to);
}
