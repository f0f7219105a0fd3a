import type { Config } from '../../config/config.ts';
import { runSettings } from '../../orchestrator/run-settings.ts';
import { acquireWorkerLock, type WorkerLock, workerLockPath } from '../../store/worker-lock.ts';

/** The locks of every root and scope this worker has used; a reload that changes them adds one. */
export class WorkerLocks {
  readonly #held = new Map<string, WorkerLock>();

  async acquire(config: Config): Promise<void> {
    const { root } = config.workspace;
    const scope = runSettings(config).trackerScope;
    const path = workerLockPath({ root, scope });
    if (this.#held.has(path)) return;
    this.#held.set(path, await acquireWorkerLock({ root, scope, workflowPath: config.workflowPath }));
  }

  async release(): Promise<void> {
    for (const lock of this.#held.values()) await lock.release();
    this.#held.clear();
  }
}
