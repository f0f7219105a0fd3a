import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { assertFreeSpace } from '../checkout/disk-space.ts';
import { gitFailure } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { mirrorPath, repositoryIdentity } from '../git/repository-url.ts';
import type { Locks } from '../locks/locks.ts';
import { createSingleFlight } from '../locks/single-flight.ts';
import { pathKind } from '../ownership/path-safety.ts';
import { createDamageFinder } from './damage.ts';
import { recordPacks } from './pack-record.ts';
import { updateReading } from './reading.ts';
import { dropOldDamaged, replaceMirror } from './replace.ts';
import { adoptBranch, completeCommit, createMirror, type MirrorJob, updateMirror } from './repository.ts';

/** What the remote had when it was last asked: `refs/remotes/origin/*` and `refs/tags/*` to object ids. */
export type RefMap = ReadonlyMap<string, string>;

export interface Mirror {
  readonly path: string;
  readonly identity: string;
  readonly url: string;
  readonly refs: RefMap;
}

export interface MirrorOptions {
  readonly root: string;
  readonly depth: number;
  readonly filter: string | null;
  readonly minFreeBytes: number;
}

type Progress = (detail: string) => void;

export interface RefreshOptions {
  readonly onProgress?: Progress;
  /** A mirror that was brought up to date less than so long ago is taken as it is. */
  readonly maxAgeMs?: number;
}

/** The cache of bare repositories that workspaces borrow objects from. Objects are only ever added to one. */
export interface Mirrors {
  /** Brings the mirror of a repository up to date; callers at the same moment share one fetch. */
  refresh(cloneUrl: string, signal: AbortSignal, options?: RefreshOptions): Promise<Mirror>;
  /** Brings an existing mirror up to date from wherever it came from; null when there is none, or it does not say. */
  refetch(identity: string, signal: AbortSignal): Promise<Mirror | null>;
  /** The mirror as it is, without asking the remote; null when there is none that can be read. */
  peek(identity: string, signal: AbortSignal): Promise<Mirror | null>;
  /**
   * For somebody who could not read from a mirror what it should hold: has each of its objects checked, and a damaged
   * mirror replaced. Null when there is nothing wrong with it.
   */
  mend(cloneUrl: string, signal: AbortSignal, onProgress?: Progress): Promise<Mirror | null>;
  /** Makes sure that a partial mirror holds the files of a commit. */
  complete(mirror: Mirror, commit: string, signal: AbortSignal, onProgress: Progress): Promise<void>;
  /** Takes over a branch that was just pushed from a repository of ours, without asking the remote. */
  adopt(mirror: Mirror, repository: string, branch: string, signal: AbortSignal): Promise<void>;
}

interface MirrorDependencies {
  readonly git: Git;
  readonly locks: Locks;
  readonly logger: Logger;
}

export function createMirrors(options: MirrorOptions, dependencies: MirrorDependencies): Mirrors {
  const flights = createSingleFlight<Mirror>();
  const mending = createSingleFlight<Mirror | null>();
  const damage = createDamageFinder();
  const listeners = createListeners();
  const refreshed = new Map<string, number>();

  const refresh: Mirrors['refresh'] = async (url, signal, { onProgress, maxAgeMs = 0 } = {}) => {
    const isRecent = performance.now() - (refreshed.get(url) ?? Number.NEGATIVE_INFINITY) < maxAgeMs;
    const known = isRecent ? await peek(repositoryIdentity(url), signal) : null;
    if (known !== null) return known;
    return listeners.listen(url, onProgress, () =>
      flights.run(url, signal, (shared) => refreshNow(jobFor(url, shared))),
    );
  };

  const peek: Mirrors['peek'] = async (identity, signal) => {
    const path = mirrorPath(options.root, identity);
    const url = await remoteOf(dependencies.git, path, signal);
    if (url === null) return null;
    return readMirror(dependencies.git, path, url, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof AppError) || error.code !== 'git_failed') throw error;
      dependencies.logger.warn('a mirror cannot be read', { mirror: path, reason: error.message });
      return null;
    });
  };

  const jobFor = (url: string, signal: AbortSignal): MirrorJob => ({
    ...dependencies,
    path: mirrorPath(options.root, repositoryIdentity(url)),
    url,
    depth: options.depth,
    filter: options.filter,
    signal,
    onProgress: (detail) => listeners.tell(url, detail),
  });

  async function refreshNow(job: MirrorJob): Promise<Mirror> {
    await makeRoot(dirname(job.path), options.root);
    return locked(job, async () => {
      if ((await pathKind(job.path)) === 'missing') {
        await assertFreeSpace(dirname(job.path), options.minFreeBytes);
        await createMirror(job);
        return finish(job);
      }
      await dropOldDamaged(job);
      const reason = await damage.look(job);
      return reason === null ? update(job) : replace(job, reason);
    });
  }

  async function update(job: MirrorJob): Promise<Mirror> {
    try {
      await updateMirror(job);
      return await finish(job);
    } catch (error) {
      job.signal.throwIfAborted();
      if (!(error instanceof AppError) || error.code !== 'git_failed') throw error;
      // Mostly the remote is away; but git says little about a mirror that stands in its own way.
      const reason = await damage.check(job, 'connected');
      if (reason === null) throw error;
      return replace(job, reason);
    }
  }

  async function replace(job: MirrorJob, reason: string): Promise<Mirror> {
    await assertFreeSpace(dirname(job.path), options.minFreeBytes);
    await replaceMirror(job, reason);
    const mirror = await finish(job);
    await damage.trust(job);
    return mirror;
  }

  /** Reads what was fetched and takes down how the mirror is now. */
  async function finish(job: MirrorJob): Promise<Mirror> {
    const mirror = await readMirror(dependencies.git, job.path, job.url, job.signal);
    await updateReading(mirror);
    await recordPacks(job.path, mirror.identity);
    refreshed.set(job.url, performance.now());
    return mirror;
  }

  async function mendNow(job: MirrorJob): Promise<Mirror | null> {
    return locked(job, async () => {
      const reason = (await damage.look(job)) ?? (await damage.check(job, 'readable'));
      return reason === null ? null : replace(job, reason);
    });
  }

  const locked = <T>(job: MirrorJob, work: () => Promise<T>): Promise<T> => {
    const purpose = `updating the mirror of ${repositoryIdentity(job.url)}`;
    return dependencies.locks.run(`${job.path}.lock`, purpose, job.signal, work);
  };

  return {
    refresh,
    async refetch(identity, signal) {
      const url = await remoteOf(dependencies.git, mirrorPath(options.root, identity), signal);
      return url === null ? null : refresh(url, signal);
    },
    peek,
    mend: (url, signal, onProgress) =>
      listeners.listen(url, onProgress, () =>
        mending.run(url, signal, (shared) => mendNow(jobFor(url, shared))),
      ),
    async complete(mirror, commit, signal, onProgress) {
      if (options.filter === null) return;
      const job = { ...jobFor(mirror.url, signal), onProgress };
      await locked(job, async () => {
        await completeCommit(job, commit);
        await recordPacks(job.path, mirror.identity);
      });
    },
    async adopt(mirror, repository, branch, signal) {
      const job = jobFor(mirror.url, signal);
      await locked(job, async () => {
        await adoptBranch(job, repository, branch);
        await updateReading(await readMirror(dependencies.git, job.path, job.url, signal));
      });
    },
  };
}

/** Throws when a ref is broken or names an object that is not there: git alone would leave it out and go on. */
async function readMirror(git: Git, path: string, url: string, signal: AbortSignal): Promise<Mirror> {
  const action = `reading the refs of ${path}`;
  const format = '--format=%(objectname) %(objecttype) %(refname)';
  const result = await git.attempt(['for-each-ref', format, 'refs/remotes/origin', 'refs/tags'], {
    cwd: path,
    action,
    signal,
  });
  if (result.code !== 0 || /ignoring (broken|dangling) ref|^error:/im.test(result.stderr))
    throw gitFailure(action, result, 0);
  return { path, identity: repositoryIdentity(url), url, refs: parseRefs(result.stdout) };
}

/** Where a mirror fetches from; null when there is no such mirror. */
async function remoteOf(git: Git, path: string, signal: AbortSignal): Promise<string | null> {
  if ((await pathKind(path)) !== 'directory') return null;
  const result = await git.attempt(['config', '--file', join(path, 'config'), '--get', 'remote.origin.url'], {
    cwd: path,
    action: `reading the remote of ${path}`,
    signal,
  });
  return result.code === 0 ? result.stdout.trimEnd() : null;
}

function parseRefs(text: string): RefMap {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id, , name] = line.split(' ');
    if (id !== undefined && name !== undefined) refs.set(name, id);
  }
  return refs;
}

/** Everyone who waits for a shared fetch hears its progress. */
function createListeners() {
  const waiting = new Set<{ readonly name: string; readonly listener: Progress }>();
  return {
    async listen<T>(name: string, listener: Progress | undefined, work: () => Promise<T>): Promise<T> {
      if (listener === undefined) return work();
      const entry = { name, listener };
      waiting.add(entry);
      return work().finally(() => waiting.delete(entry));
    },
    tell(name: string, detail: string): void {
      for (const entry of waiting) if (entry.name === name) entry.listener(detail);
    },
  };
}

async function makeRoot(directory: string, root: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError(
      'workspace_root_unwritable',
      `the mirror root ${root} cannot be used: ${messageOf(error)}`,
      {
        hint: `Make ${root} a directory this user can write, or set AIOPS_MIRROR_ROOT to another one.`,
        cause: error,
        context: { root },
      },
    );
  }
}
