import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { Git } from './git.ts';
import { type GitConfig, renderGitConfig } from './git-config-text.ts';
import { progressReporter } from './git-progress.ts';
import type { Locks } from './locks.ts';
import { pathKind, readRegularFile, replaceFile } from './path-safety.ts';
import { mirrorPath, repositoryIdentity } from './repository-url.ts';
import { createSingleFlight } from './single-flight.ts';
import { removeStaleLocks } from './stale-locks.ts';

/** What the remote had when it was last asked: `refs/remotes/origin/*` and `refs/tags/*` to object ids. */
export type RefMap = ReadonlyMap<string, string>;

export interface Mirror {
  readonly path: string;
  readonly identity: string;
  readonly refs: RefMap;
  /** Made by this call's fetch: what workspaces borrowed from an earlier mirror may be gone. */
  readonly createdNow: boolean;
}

export interface MirrorOptions {
  readonly root: string;
  /** Commits of history to keep; 0 keeps all. */
  readonly depth: number;
  /** A partial-clone filter such as `blob:none`; null fetches everything. */
  readonly filter: string | null;
}

/** The cache of bare repositories that workspaces borrow objects from. Objects are only ever added to one. */
export interface Mirrors {
  /** Brings the mirror of a repository up to date; callers at the same moment share one fetch. */
  refresh(cloneUrl: string, signal: AbortSignal, onProgress: (detail: string) => void): Promise<Mirror>;
  /** Brings an existing mirror up to date from wherever it came from; null when there is none. */
  refetch(identity: string, signal: AbortSignal): Promise<Mirror | null>;
  /** The mirror as it is, without asking the remote; null when there is none. */
  peek(identity: string, signal: AbortSignal): Promise<Mirror | null>;
}

interface MirrorDependencies {
  readonly git: Git;
  readonly locks: Locks;
  readonly logger: Logger;
}

export function createMirrors(options: MirrorOptions, { git, locks, logger }: MirrorDependencies): Mirrors {
  const flights = createSingleFlight<Mirror>();
  const listeners = new Map<string, Set<(detail: string) => void>>();

  async function readRefs(path: string, signal: AbortSignal): Promise<RefMap> {
    const text = await git.run(
      ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes/origin', 'refs/tags'],
      { cwd: path, action: `reading the refs of ${path}`, signal },
    );
    return parseRefs(text);
  }

  async function fetchInto(path: string, url: string, verb: string, signal: AbortSignal): Promise<void> {
    const identity = repositoryIdentity(url);
    const report = progressReporter(verb, (detail) => {
      for (const listener of listeners.get(url) ?? []) listener(detail);
    });
    const depth = options.depth > 0 ? [`--depth=${options.depth}`] : [];
    const filter = options.filter === null ? [] : [`--filter=${options.filter}`];
    await git.run(
      [
        'fetch',
        '--prune',
        '--tags',
        '--force',
        '--no-write-fetch-head',
        '--progress',
        ...depth,
        ...filter,
        'origin',
      ],
      { cwd: path, action: `${verb} ${identity}`, signal, network: true, onProgress: report },
    );
  }

  async function create(path: string, url: string, signal: AbortSignal): Promise<void> {
    const staging = `${path}.staging`;
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(staging, { recursive: true });
    try {
      await git.run(['init', '--quiet', '--bare', '--template='], {
        cwd: staging,
        action: 'creating a mirror',
        signal,
      });
      await replaceFile(join(staging, 'config'), mirrorConfig(url, options));
      await fetchInto(staging, url, 'cloning', signal);
      await rename(staging, path);
    } catch (error) {
      await rm(staging, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  }

  async function update(path: string, url: string, signal: AbortSignal): Promise<void> {
    const removed = await removeStaleLocks(path, path);
    if (removed.length > 0)
      logger.info('removed the lock files of a killed git', { mirror: path, files: removed });
    const wanted = mirrorConfig(url, options);
    if ((await readRegularFile(join(path, 'config'))) !== wanted) {
      // Also puts back whatever part of the repository's skeleton is missing; it never removes anything.
      await git.run(['init', '--quiet', '--bare', '--template='], {
        cwd: path,
        action: 'repairing a mirror',
        signal,
      });
      await replaceFile(join(path, 'config'), wanted);
    }
    await fetchInto(path, url, 'fetching', signal);
  }

  async function refreshNow(url: string, signal: AbortSignal): Promise<Mirror> {
    const path = mirrorPath(options.root, repositoryIdentity(url));
    await makeRoot(dirname(path), options.root);
    return locks.run(
      `${path}.lock`,
      `updating the mirror of ${repositoryIdentity(url)}`,
      signal,
      async () => {
        const createdNow = (await pathKind(path)) === 'missing';
        await (createdNow ? create(path, url, signal) : update(path, url, signal));
        return { path, identity: repositoryIdentity(url), refs: await readRefs(path, signal), createdNow };
      },
    );
  }

  async function refresh(
    url: string,
    signal: AbortSignal,
    onProgress: (detail: string) => void,
  ): Promise<Mirror> {
    const audience = listeners.get(url) ?? new Set();
    listeners.set(url, audience.add(onProgress));
    try {
      return await flights.run(url, signal, (shared) => refreshNow(url, shared));
    } finally {
      audience.delete(onProgress);
      if (audience.size === 0 && listeners.get(url) === audience) listeners.delete(url);
    }
  }

  return {
    refresh,
    async refetch(identity, signal) {
      const path = mirrorPath(options.root, identity);
      if ((await pathKind(path)) !== 'directory') return null;
      const url = await git.attempt(
        ['config', '--file', join(path, 'config'), '--get', 'remote.origin.url'],
        {
          cwd: path,
          action: `reading the remote of ${path}`,
          signal,
        },
      );
      return url.code === 0 ? refresh(url.stdout.trimEnd(), signal, () => {}) : null;
    },
    async peek(identity, signal) {
      const path = mirrorPath(options.root, identity);
      if ((await pathKind(path)) !== 'directory') return null;
      return { path, identity, refs: await readRefs(path, signal), createdNow: false };
    },
  };
}

/**
 * Nothing in a mirror may ever be pruned: a workspace that borrowed an object has no other copy of it. So garbage
 * collection is off, and small fetches become packs instead of thousands of loose files.
 */
function mirrorConfig(url: string, { filter }: MirrorOptions): string {
  const config: GitConfig = {
    core: { repositoryformatversion: filter === null ? '0' : '1', filemode: 'true', bare: 'true' },
    gc: { auto: '0', pruneExpire: 'never', reflogExpire: 'never', reflogExpireUnreachable: 'never' },
    maintenance: { auto: 'false' },
    fetch: { unpackLimit: '1', writeCommitGraph: 'false' },
    'remote "origin"': {
      url,
      fetch: '+refs/heads/*:refs/remotes/origin/*',
      ...(filter === null ? {} : { promisor: 'true', partialclonefilter: filter }),
    },
    ...(filter === null ? {} : { extensions: { partialClone: 'origin' } }),
  };
  return renderGitConfig(config);
}

export function parseRefs(text: string): RefMap {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  return refs;
}

async function makeRoot(directory: string, root: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
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
