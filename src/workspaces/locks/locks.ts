import { acquireFileLock } from '../../process/locks/file-lock.ts';
import { createKeyedMutex } from './mutex.ts';

/** Longer than the longest git command another worker may be in the middle of. */
const MAX_WAIT_MS = 20 * 60_000;

/** Excludes others from a thing, in this process and in every other one on this machine. */
export interface Locks {
  /** Runs `work` while holding the lock file at `path`; `purpose` is shown to whoever has to wait. */
  run<T>(path: string, purpose: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const mutex = createKeyedMutex();
  return {
    run: (path, purpose, signal, work) =>
      mutex.run(path, async () => {
        const lock = await acquireFileLock(path, { purpose, signal, waitMs: MAX_WAIT_MS });
        try {
          return await work();
        } finally {
          await lock.release();
        }
      }),
  };
}
