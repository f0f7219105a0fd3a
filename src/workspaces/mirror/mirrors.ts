import type { Logger } from '../../observability/logger.ts';
import type { Git } from '../git/git.ts';
import { mirrorPath, repositoryIdentity } from '../git/repository-url.ts';
import type { Locks } from '../locks/locks.ts';
import { createSingleFlight } from '../locks/single-flight.ts';
import { createDamageFinder } from './damage.ts';
import { createKnownMirrors } from './known-refs.ts';
import { peekMirror, remoteOf } from './read-mirror.ts';
import { adoptPushed, completeMirror, mendMirror, type RefreshJob, refreshMirror } from './refresh-mirror.ts';

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
  /** Where the mirror of a repository is, or would be. */
  pathOf(identity: string): string;
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
  const { git } = dependencies;
  const flights = createSingleFlight<Mirror>();
  const mending = createSingleFlight<Mirror | null>();
  const damage = createDamageFinder();
  const known = createKnownMirrors();
  const listeners = createListeners();
  const refreshed = new Map<string, number>();
  const pathOf = (identity: string): string => mirrorPath(options.root, identity);

  const jobFor = (url: string, signal: AbortSignal): RefreshJob => ({
    ...options,
    ...dependencies,
    damage,
    known,
    path: pathOf(repositoryIdentity(url)),
    url,
    signal,
    onProgress: (detail) => listeners.tell(url, detail),
    onRefreshed: () => refreshed.set(url, performance.now()),
  });

  const refresh: Mirrors['refresh'] = async (url, signal, { onProgress, maxAgeMs = 0 } = {}) => {
    const isRecent = performance.now() - (refreshed.get(url) ?? Number.NEGATIVE_INFINITY) < maxAgeMs;
    const recent = isRecent ? await peek(repositoryIdentity(url), signal) : null;
    if (recent !== null) return recent;
    return listeners.listen(url, onProgress, () =>
      flights.run(url, signal, (shared) => refreshMirror(jobFor(url, shared))),
    );
  };

  const peek: Mirrors['peek'] = async (identity, signal) =>
    (await known.current(pathOf(identity))) ?? (await peekMirror(dependencies, pathOf(identity), signal));

  return {
    pathOf,
    refresh,
    async refetch(identity, signal) {
      const url = await remoteOf(git, pathOf(identity), signal);
      return url === null ? null : refresh(url, signal);
    },
    peek,
    mend: (url, signal, onProgress) =>
      listeners.listen(url, onProgress, () =>
        mending.run(url, signal, (shared) => mendMirror(jobFor(url, shared))),
      ),
    async complete({ url }, commit, signal, onProgress) {
      if (options.filter !== null) await completeMirror({ ...jobFor(url, signal), onProgress }, commit);
    },
    async adopt({ url }, repository, branch, signal) {
      await adoptPushed(jobFor(url, signal), repository, branch);
    },
  };
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
