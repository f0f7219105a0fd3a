import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { hasErrno, messageOf } from '../../errors/app-error.ts';

/** Why a path cannot be a working directory, worded to follow it; null when it can. */
export async function findDirectoryProblem(path: string): Promise<string | null> {
  if (!isAbsolute(path)) return 'is not an absolute path';
  try {
    return (await stat(path)).isDirectory() ? null : 'is not a directory';
  } catch (error) {
    return hasErrno(error, 'ENOENT') ? 'does not exist' : `cannot be used: ${messageOf(error)}`;
  }
}
