import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { acquireFileLock, holderIn, type LockHolder } from '../../process/locks/file-lock.ts';
import { scopeKey } from '../journal-path.ts';

export interface WorkerLockOptions {
  /** The workspace root, absolute. */
  readonly root: string;
  /** The tracker scope, as the tracker adapter names it. */
  readonly scope: string;
  /** Shown to whoever is refused. */
  readonly workflowPath: string;
}

export interface WorkerLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only worker for one tracker scope under one workspace root. Rejects with
 * `worker_already_running`, naming the other; the lock of a worker that was killed is taken over.
 */
export async function acquireWorkerLock(options: WorkerLockOptions): Promise<WorkerLock> {
  try {
    return await acquireFileLock(workerLockPath(options), { purpose: options.workflowPath });
  } catch (error) {
    const holder = holderIn(error);
    if (holder === null) throw error;
    throw alreadyRunning(holder, options, error);
  }
}

export function workerLockPath({ root, scope }: Pick<WorkerLockOptions, 'root' | 'scope'>): string {
  return join(root, '.aiops', `worker-${scopeKey(scope)}.lock`);
}

function alreadyRunning(holder: LockHolder, { root, scope }: WorkerLockOptions, cause: unknown): AppError {
  return new AppError(
    'worker_already_running',
    `A worker for ${scope} under ${root} is already running: process ${holder.pid} on ${holder.host}, ` +
      `since ${holder.since}, with ${holder.purpose}.`,
    {
      hint:
        `Stop it first (kill ${holder.pid}), or give this workflow a workspace.root of its own. ` +
        'The lock of a process that died is taken over by itself.',
      context: { pid: holder.pid, host: holder.host, since: holder.since, workflow: holder.purpose },
      cause,
    },
  );
}
