import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { assertFreeSpace } from '../files/disk-space.ts';
import { pathKind } from '../files/path-safety.ts';
import { readRefFile } from '../git/read-ref-files.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { Locks } from '../locks/locks.ts';
import type { DamageFinder } from './damage.ts';
import { type KnownMirrors, refsAfterFetch } from './known-refs.ts';
import type { Mirror, RefMap } from './mirrors.ts';
import { recordPacks } from './pack-record.ts';
import { readMirror } from './read-mirror.ts';
import { updateReading } from './reading.ts';
import { dropOldDamaged, replaceMirror } from './replace.ts';
import { adoptBranch, completeCommit, createMirror, type MirrorJob, updateMirror } from './repository.ts';

/** One mirror and what it takes to change it; each function below takes its lock. */
export interface RefreshJob extends MirrorJob {
  readonly root: string;
  readonly minFreeBytes: number;
  readonly locks: Locks;
  readonly damage: DamageFinder;
  readonly known: KnownMirrors;
  /** It has now what the remote has. */
  onRefreshed(): void;
}

export async function refreshMirror(job: RefreshJob): Promise<Mirror> {
  const folder = dirname(job.path);
  await makeRoot(folder, job.root);
  return locked(job, async () => {
    if ((await pathKind(job.path)) === 'missing') {
      await assertFreeSpace(folder, job.minFreeBytes);
      await createMirror(job);
      return finish(job);
    }
    await dropOldDamaged(job);
    const reason = await job.damage.look(job);
    return reason === null ? update(job) : replace(job, reason);
  });
}

/** Null when there is nothing wrong with it. */
export function mendMirror(job: RefreshJob): Promise<Mirror | null> {
  return locked(job, async () => {
    const reason = (await job.damage.look(job)) ?? (await job.damage.check(job, 'readable'));
    return reason === null ? null : replace(job, reason);
  });
}

export function completeMirror(job: RefreshJob, commit: string): Promise<void> {
  return locked(job, async () => {
    await completeCommit(job, commit);
    await recordPacks(job.path, repositoryIdentity(job.url));
  });
}

export function adoptPushed(job: RefreshJob, repository: string, branch: string): Promise<void> {
  return locked(job, async () => {
    const before = await job.known.current(job.path);
    await adoptBranch(job, repository, branch);
    const name = `refs/remotes/origin/${branch}`;
    const tip = before === null ? null : await readRefFile(job.path, name);
    await showRefs(job, before === null || tip === null ? null : new Map(before.refs).set(name, tip));
    // What it brought is a pack that the record has to have.
    await recordPacks(job.path, repositoryIdentity(job.url));
  });
}

async function update(job: RefreshJob): Promise<Mirror> {
  try {
    const before = await job.known.current(job.path);
    const said = await updateMirror(job);
    const isTold = before !== null && said !== null;
    return await finish(job, isTold ? await refsAfterFetch(job.path, before.refs, said) : null);
  } catch (error) {
    job.signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code !== 'git_failed') throw error;
    // Mostly the remote is away; but git says little about a mirror that stands in its own way.
    const reason = await job.damage.check(job, 'connected');
    if (reason === null) throw error;
    return replace(job, reason);
  }
}

async function replace(job: RefreshJob, reason: string): Promise<Mirror> {
  await assertFreeSpace(dirname(job.path), job.minFreeBytes);
  await replaceMirror(job, reason);
  const mirror = await finish(job);
  await job.damage.trust(job);
  return mirror;
}

/** Reads what was fetched, unless it is known, and takes down how the mirror is now. */
async function finish(job: RefreshJob, refs: RefMap | null = null): Promise<Mirror> {
  const mirror = await showRefs(job, refs);
  await recordPacks(job.path, mirror.identity);
  job.onRefreshed();
  return mirror;
}

/** Lets agents see the refs, which git is asked for when they are not known. */
async function showRefs(job: RefreshJob, refs: RefMap | null): Promise<Mirror> {
  const { git, path, url, signal } = job;
  const identity = repositoryIdentity(url);
  const mirror = refs === null ? await readMirror(git, path, url, signal) : { path, identity, url, refs };
  await updateReading(mirror);
  await job.known.set(mirror);
  return mirror;
}

function locked<T>(job: RefreshJob, work: () => Promise<T>): Promise<T> {
  const purpose = `updating the mirror of ${repositoryIdentity(job.url)}`;
  return job.locks.run(`${job.path}.lock`, purpose, job.signal, work);
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
