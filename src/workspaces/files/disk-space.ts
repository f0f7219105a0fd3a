import { statfs } from 'node:fs/promises';
import { AppError, messageOf } from '../../errors/app-error.ts';

/** Small enough for a small machine, large enough that a journal, a log and a rescue still fit. */
export const DEFAULT_MIN_FREE_BYTES = 500 * 1024 * 1024;
const MIN_FREE_FILES = 10_000;
const MEBIBYTE = 1024 * 1024;

export const DISK_HINT =
  'Free some disk space, or move workspace.root and AIOPS_MIRROR_ROOT to a larger disk.';

/** True for what git and the system say when a disk or a quota is full. */
export function isDiskFull(text: string): boolean {
  return /no space left on device|out of disk ?space|disk quota exceeded|ENOSPC|EDQUOT/i.test(text);
}

/** Refuses to start a clone on a disk that is nearly full. Throws `disk_full`. */
export async function assertFreeSpace(path: string, minFreeBytes: number): Promise<void> {
  const { bavail, bsize, ffree, files } = await statfs(path);
  const free = bavail * bsize;
  if (free < minFreeBytes) {
    const shown = `${Math.floor(free / MEBIBYTE)} MiB free, ${Math.ceil(minFreeBytes / MEBIBYTE)} MiB wanted`;
    throw new AppError('disk_full', `too little disk space at ${path}: ${shown}`, {
      hint: DISK_HINT,
      context: { path, freeBytes: free, wantedBytes: minFreeBytes },
    });
  }
  if (minFreeBytes > 0 && files > 0 && ffree < MIN_FREE_FILES) {
    throw new AppError('disk_full', `the disk at ${path} can hold only ${ffree} more files`, {
      hint: DISK_HINT,
      context: { path, freeFiles: ffree },
    });
  }
}

/** Gives a full disk its own error, whoever met it. */
export async function namingFullDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !isDiskFull(messageOf(error))) throw error;
    throw new AppError('disk_full', `the disk at ${path} is full: ${messageOf(error)}`, {
      hint: DISK_HINT,
      cause: error,
    });
  }
}

/** Less than this is no space to save anything in. */
const NEARLY_FULL_BYTES = 1024 * 1024;

export async function isNearlyFull(path: string): Promise<boolean> {
  const { bavail, bsize, ffree, files } = await statfs(path);
  return bavail * bsize < NEARLY_FULL_BYTES || (files > 0 && ffree === 0);
}
