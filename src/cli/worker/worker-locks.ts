import type { Config } from '../../config/config.ts';
import { claimRoots, type RootClaim } from '../../config/root-records.ts';
import { rootUseOf } from '../../config/shared-roots.ts';
import { systemClock } from '../../domain/clock.ts';
import { runSettings } from '../../orchestrator/run-settings.ts';
import { isAlive, readIdentity } from '../../process/process-identity.ts';
import { acquireWorkerLock, type WorkerLock, workerLockPath } from '../../store/worker-lock.ts';

/** The locks and root records of every root and scope this worker has used; a reload that changes them adds one. */
export class WorkerLocks {
  readonly #held = new Map<string, WorkerLock>();
  readonly #claims: RootClaim[] = [];

  async acquire(config: Config): Promise<void> {
    const { root } = config.workspace;
    const scope = runSettings(config).trackerScope;
    const path = workerLockPath({ root, scope });
    if (this.#held.has(path)) return;
    this.#held.set(path, await acquireWorkerLock({ root, scope, workflowPath: config.workflowPath }));
    const self = await readIdentity(process.pid);
    if (self === null) return;
    const claim = await claimRoots({ use: rootUseOf(config), self, now: systemClock.now(), isAlive });
    this.#claims.push(claim);
  }

  async release(): Promise<void> {
    for (const claim of this.#claims.splice(0)) await claim.release();
    for (const lock of this.#held.values()) await lock.release();
    this.#held.clear();
  }
}
