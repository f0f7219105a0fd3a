import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Environment } from '../../config/read/environment.ts';
import { claimRoots, type RootClaim } from '../../config/roots/root-records.ts';
import { rootUseOf } from '../../config/roots/shared-roots.ts';
import { stateHome } from '../../config/roots/state-folder.ts';
import { scopeUseOf } from '../../config/roots/tracker-scope.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import { acquireFileLock } from '../../process/locks/file-lock.ts';
import { isAlive, readIdentity } from '../../process/table/process-identity.ts';
import { acquireScopeLease, type ScopeLease } from '../../store/locks/scope-lease.ts';
import { acquireWorkerLock, type WorkerLock, workerLockPath } from '../../store/locks/worker-lock.ts';

/** Where the workers of this user on this machine say which issues they work on. */
export function leaseFolder(environment: Environment): string {
  return join(stateHome(environment), 'scopes');
}

/** How long two workers that start at once wait for each other. */
const GATE_WAIT_MS = 10_000;

/** The locks, leases and root records of every root and scope this worker has used; a reload that changes them adds one. */
export class WorkerLocks {
  readonly #environment: Environment;
  readonly #logger: Logger;
  readonly #leases = new Map<string, ScopeLease>();
  readonly #held = new Map<string, WorkerLock>();
  readonly #claims: RootClaim[] = [];

  constructor(environment: Environment, logger: Logger) {
    this.#environment = environment;
    this.#logger = logger;
  }

  async acquire(config: Config): Promise<void> {
    await this.#acquireRoots(config);
    await this.#acquireScope(config);
  }

  async #acquireRoots(config: Config): Promise<void> {
    const { root } = config.workspace;
    const scope = runSettings(config).trackerScope;
    const path = workerLockPath({ root, scope });
    if (this.#held.has(path)) return;
    this.#held.set(path, await acquireWorkerLock({ root, scope, workflowPath: config.workflowPath }));
    const self = await readIdentity(process.pid);
    if (self === null) return;
    const exclusively = <T>(work: () => Promise<T>): Promise<T> => this.#exclusively(work);
    const now = systemClock.now();
    this.#claims.push(await claimRoots({ use: rootUseOf(config), self, now, isAlive, exclusively }));
  }

  /** A state folder that cannot be written to is no reason not to work: then two that start at once may both be refused. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const path = join(stateHome(this.#environment), 'roots.gate');
    const options = { purpose: 'starting a worker', waitMs: GATE_WAIT_MS };
    const gate = await acquireFileLock(path, options).catch((error: unknown) => {
      this.#logger.warn('workers that start at this moment are not waited for', { error: messageOf(error) });
      return null;
    });
    try {
      return await work();
    } finally {
      await gate?.release();
    }
  }

  /** A lease that cannot be written, as in a home that is read-only, is no reason not to work. */
  async #acquireScope({ tracker, workflowPath }: Config): Promise<void> {
    const use = await scopeUseOf(tracker);
    const key = JSON.stringify(use);
    if (this.#leases.has(key)) return;
    const folder = leaseFolder(this.#environment);
    const own = [...this.#leases.values()].map(({ path }) => path);
    try {
      this.#leases.set(key, await acquireScopeLease({ folder, use, workflowPath, own }));
    } catch (error) {
      if (error instanceof AppError && error.code === 'setup_broken') throw error;
      this.#logger.warn('other workers on the same issues cannot be noticed', { error: messageOf(error) });
    }
  }

  async release(): Promise<void> {
    for (const lease of this.#leases.values()) await lease.release();
    this.#leases.clear();
    for (const claim of this.#claims.splice(0)) await claim.release();
    for (const lock of this.#held.values()) await lock.release();
    this.#held.clear();
  }
}
