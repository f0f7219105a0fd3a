import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../observability/logger.ts';
import type { CommandResult } from '../../process/children/child.ts';
import { deleteAbandoned } from '../files/leftovers.ts';
import { pathKind, replaceFile } from '../files/path-safety.ts';
import { type GitConfig, renderGitConfig } from '../git/config-text.ts';
import { gitFailure } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { progressReporter } from '../git/progress.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import { removeStaleLocks } from '../git/stale-locks.ts';
import { forgetPacks } from './pack-record.ts';

/** Beyond this many packs lookups get slow, and some are combined. */
const MANY_PACKS = 50;

/** One bare repository on disk and what to do with it. Call with its lock held. */
export interface MirrorJob {
  readonly git: Git;
  readonly logger: Logger;
  readonly path: string;
  readonly url: string;
  /** Commits of history to keep; 0 keeps all. */
  readonly depth: number;
  /** A partial-clone filter such as `blob:none`; null fetches everything. */
  readonly filter: string | null;
  readonly signal: AbortSignal;
  onProgress(detail: string): void;
}

/** Clones beside the final place and renames, so that a kill never leaves half a mirror there. */
export async function createMirror(job: MirrorJob): Promise<void> {
  await rename(await cloneBeside(job), job.path);
}

/** Clones beside the place of the mirror, which stays as it is. Returns where. */
export async function cloneBeside(job: MirrorJob): Promise<string> {
  const { git, path, signal } = job;
  const staging = `${path}.staging`;
  await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    await initialise(git, staging, signal);
    await replaceFile(join(staging, 'config'), mirrorConfig(job));
    await fetchInto(staging, 'cloning', job);
    return staging;
  } catch (error) {
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

/** Fetches, after removing what a kill left in the way. Gives what git said of it; null when that was too much to keep. */
export async function updateMirror(job: MirrorJob): Promise<string | null> {
  const { logger, path } = job;
  const locks = await removeStaleLocks(path, path);
  if (locks.length > 0) logger.info('removed the lock files of a killed git', { mirror: path, files: locks });
  const { stderr, truncated } = await fetchInto(path, 'fetching', job);
  await combinePacks(job);
  return truncated ? null : stderr;
}

/** Downloads the files of a commit that a partial mirror lacks, so that checkouts share them. */
export async function completeCommit(job: MirrorJob, commit: string): Promise<void> {
  const { git, path, signal } = job;
  const listing = await git.run(
    ['rev-list', '--objects', '--no-object-names', '--missing=print', '--no-walk', commit],
    { cwd: path, action: 'looking for missing files', signal },
  );
  const missing = listing.split('\n').filter((line) => line.startsWith('?'));
  if (missing.length === 0) return;
  const flags = [
    '--no-tags',
    '--no-write-fetch-head',
    '--recurse-submodules=no',
    '--filter=blob:none',
    '--stdin',
  ];
  await git.run(['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--progress', 'origin', ...flags], {
    cwd: path,
    action: `fetching the files of ${repositoryIdentity(job.url)}`,
    signal,
    network: true,
    input: missing.map((line) => `${line.slice(1)}\n`).join(''),
    onProgress: progressReporter('fetching files', job.onProgress),
  });
}

/** Moves the mirror's idea of a remote branch to what a repository of ours has of it. */
export async function adoptBranch(
  { git, path, signal }: MirrorJob,
  repository: string,
  branch: string,
): Promise<void> {
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no'];
  await git.run(['fetch', ...flags, repository, `+refs/heads/${branch}:refs/remotes/origin/${branch}`], {
    cwd: path,
    action: 'noting a push in the mirror',
    signal,
  });
}

function initialise(git: Git, path: string, signal: AbortSignal): Promise<string> {
  return git.run(['init', '--quiet', '--bare', '--template='], {
    cwd: path,
    action: 'creating a mirror',
    signal,
  });
}

async function fetchInto(path: string, verb: string, job: MirrorJob): Promise<CommandResult> {
  const { git, url, signal, depth, filter } = job;
  const shallow = (await pathKind(join(path, 'shallow'))) === 'other';
  const history = depth > 0 ? [`--depth=${depth}`] : shallow ? ['--unshallow'] : [];
  const partial = filter === null ? [] : [`--filter=${filter}`];
  const flags = ['--prune', '--tags', '--force', '--no-write-fetch-head', '--progress'];
  const action = `${verb} ${repositoryIdentity(url)}`;
  const result = await git.attempt(['fetch', ...flags, ...history, ...partial, 'origin'], {
    cwd: path,
    action,
    signal,
    network: true,
    onProgress: progressReporter(verb, job.onProgress),
  });
  if (result.code !== 0) throw gitFailure(action, result, 0);
  return result;
}

/** Many small fetches leave many packs. Combining keeps every object, also those no branch reaches any more. */
async function combinePacks({ git, path, filter, signal, logger }: MirrorJob): Promise<void> {
  const directory = join(path, 'objects', 'pack');
  const names = await readdir(directory);
  // A killed fetch leaves what it had received so far, and git would clear it only when it prunes.
  for (const name of names) if (name.startsWith('tmp_')) await deleteAbandoned(join(directory, name));
  const packs = names.filter((name) => name.endsWith('.pack'));
  if (filter !== null) return;
  if (packs.length <= MANY_PACKS) return;
  await forgetPacks(path);
  const result = await git.attempt(['repack', '--quiet', '--geometric=2', '-d'], {
    cwd: path,
    action: 'combining the packs of a mirror',
    signal,
  });
  logger.info('combined the packs of a mirror', {
    mirror: path,
    packs: packs.length,
    exit_code: result.code,
  });
}

/**
 * Nothing in a mirror may ever be pruned: a workspace that borrowed an object has no other copy of it. So garbage
 * collection is off, and small fetches become packs instead of thousands of loose files.
 */
export function mirrorConfig({ url, filter }: Pick<MirrorJob, 'url' | 'filter'>): string {
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
