import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, hasErrno, messageOf } from '../../../errors/app-error.ts';
import { createFile } from '../../../trackers/local/file/write-file.ts';

/** The text of the file there is; null without one. */
export async function readExisting(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return null;
    throw new AppError('usage', `${path} cannot be read: ${messageOf(error)}.`, {
      hint: 'Name another file with --path.',
      cause: error,
    });
  }
}

/**
 * Puts the whole file in place at once. What was there before is kept beside it, under a name that no earlier backup has; its
 * path is answered, or null. A file that somebody else has made meanwhile is left alone.
 */
export async function writeWorkflow(
  path: string,
  text: string,
  existing: string | null,
): Promise<string | null> {
  await mkdir(dirname(path), { recursive: true });
  const backup = existing === null ? null : await keepBackup(path, existing);
  const target = backup === null ? path : `${path}.new`;
  if (backup !== null) await rm(target, { force: true });
  if (!(await createFile(target, text))) {
    throw new AppError('usage', `${path} has just been written by somebody else.`, {
      hint: 'Look at it, then run `aiops init` again.',
    });
  }
  if (backup !== null) await rename(target, path);
  return backup;
}

const MAX_BACKUPS = 1_000;

async function keepBackup(path: string, existing: string): Promise<string> {
  for (let number = 0; number < MAX_BACKUPS; number += 1) {
    const backup = `${path}.bak${number === 0 ? '' : `.${number}`}`;
    if (await createFile(backup, existing)) return backup;
  }
  throw new AppError('usage', `There are ${MAX_BACKUPS} backups of ${path}.`, {
    hint: 'Remove some of them.',
  });
}
