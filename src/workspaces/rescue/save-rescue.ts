import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import { isDiskFull, isNearlyFull } from '../files/disk-space.ts';
import type { Layout } from '../files/layout.ts';
import { moveToTrash } from '../files/move-to-trash.ts';
import { replaceFile } from '../files/path-safety.ts';
import { shortHash } from '../files/workspace-key.ts';
import type { Git } from '../git/git.ts';
import type { RepositoryLocation } from '../git/location.ts';
import type { Locks } from '../locks/locks.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { recognise } from '../ownership/git-identity.ts';
import type { OwnershipRecord } from '../ownership/ownership-record.ts';
import { fingerprintTree } from './fingerprint-tree.ts';
import { HISTORY, keepHistory } from './history.ts';
import type { RescueManifest } from './manifest.ts';
import { fileBytes, publishRescue, readRescues, renewRescue, withRescuesLock } from './rescue-files.ts';
import { type SavedPart, saveRepositories } from './save-repositories.ts';

export interface RescueRequest {
  readonly record: OwnershipRecord;
  readonly path: string;
  readonly reason: string;
  readonly mirror: Mirror | null;
  readonly signal: AbortSignal;
  /** Asked before a workspace counts as unreadable: another mirror to try with, null when there is no better one. */
  mend?(): Promise<Mirror | null>;
}

interface RescueDependencies {
  readonly git: Git;
  readonly locks: Locks;
  readonly layout: Layout;
  readonly logger: Logger;
}

/**
 * Saves what a workspace holds and its remote does not: commits, stashes, staged, unstaged and untracked files. Returns
 * the rescue's directory, null when there was nothing to save. The workspace itself stays as it is, unless its
 * repository cannot be read: then the whole directory becomes the rescue, and the path is free afterwards.
 */
export async function rescueWork(
  request: RescueRequest,
  dependencies: RescueDependencies,
): Promise<string | null> {
  const { layout, logger } = dependencies;
  const id = rescueId(request.record.key);
  const staging = join(layout.rescue, `.staging-${id}`);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    const saved = await saveAll(request, dependencies, staging);
    if (saved.length === 0) return null;
    const manifest = await describe(request, id, saved, staging);
    return await withRescuesLock(dependencies.locks, layout, request.signal, async () => {
      const earlier = await findSame(layout, manifest.fingerprint);
      if (earlier !== null) return renewRescue(layout, earlier);
      await keepInMirror(dependencies.git, manifest, staging, request.signal);
      await removeScratch(staging, manifest);
      return publishRescue(layout, staging, await withHistory(manifest, request.mirror, staging));
    });
  } catch (error) {
    request.signal.throwIfAborted();
    // A child that died for want of space may say so in its own words, or not at all.
    if (isDiskFull(messageOf(error)) || (await isNearlyFull(layout.root))) throw error;
    const mended = (await request.mend?.()) ?? null;
    if (mended !== null) {
      const { mend: _, ...again } = request;
      return await rescueWork({ ...again, mirror: mended }, dependencies);
    }
    logger.warn('the repository in a workspace cannot be read; the whole directory is kept', {
      workspace: request.path,
      reason: messageOf(error),
    });
    return await setAside(request, dependencies);
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Moves a workspace as it is into the rescues: instant, and possible whatever state it is in. What is in the rescues
 * already, file by file, is deleted instead.
 */
export async function setAside(
  request: RescueRequest,
  { locks, layout }: Pick<RescueDependencies, 'locks' | 'layout'>,
): Promise<string> {
  const { record, path, signal } = request;
  const id = rescueId(record.key);
  const content = await contentOf(path);
  const fingerprint = content === null ? id : shortHash(JSON.stringify([path, record.issueId, content]));
  return withRescuesLock(locks, layout, signal, async () => {
    const earlier = content === null ? null : await findSame(layout, fingerprint);
    if (
      earlier?.directory &&
      (await contentOf(join(layout.rescue, earlier.id, earlier.directory))) === content
    ) {
      const trashed = await moveToTrash(path, layout.trash, record.key);
      if (trashed !== null) await deleteTree(trashed);
      return renewRescue(layout, earlier);
    }
    const staging = join(layout.rescue, `.staging-${id}`);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const manifest = { ...(await describe(request, id, [], staging)), directory: 'workspace', fingerprint };
    // The manifest comes first: a kill in between leaves the workspace where it is, never a directory nobody lists.
    const target = await publishRescue(layout, staging, manifest);
    await rename(path, join(target, 'workspace'));
    return target;
  });
}

/** Null for what cannot be compared: then it counts as different from everything. */
async function contentOf(path: string): Promise<string | null> {
  return fingerprintTree(path).catch(() => null);
}

async function findSame(layout: Layout, fingerprint: string): Promise<RescueManifest | null> {
  return (await readRescues(layout)).find((rescue) => rescue.fingerprint === fingerprint) ?? null;
}

async function saveAll(
  { record, path, mirror, signal }: RescueRequest,
  { git }: RescueDependencies,
  target: string,
): Promise<SavedPart[]> {
  const base = { git, workspace: path, path: '', scratch: target, target, signal };
  const known = await recognise(path, record.git);
  if (known === null) {
    if (!(await holdsFiles(path))) return [];
    const location = await shadowRepository(git, target, signal);
    return saveRepositories({ ...base, repository: false, location, mirror: null });
  }
  const commits = [...new Set(mirror?.refs.values())];
  const work = mirror === null ? null : { ...mirror, commits };
  return saveRepositories({ ...base, ...known, repository: true, mirror: work });
}

/** A repository beside a plain directory, so that its files can be saved like uncommitted ones. */
async function shadowRepository(git: Git, target: string, signal: AbortSignal): Promise<RepositoryLocation> {
  const directory = join(target, 'shadow.git');
  await mkdir(join(directory, 'info'), { recursive: true });
  await git.run(['init', '--quiet', '--bare', '--template='], {
    cwd: directory,
    action: 'preparing a rescue',
    signal,
  });
  await replaceFile(join(directory, 'info', 'exclude'), '/.aiops/\n');
  return { gitDirectory: directory, commonDirectory: directory };
}

/** Lets the parts that build on the remote's history hold on to it themselves. */
async function withHistory(
  manifest: RescueManifest,
  mirror: Mirror | null,
  staging: string,
): Promise<RescueManifest> {
  if (mirror === null || manifest.parts.every((part) => part.mirror === null)) return manifest;
  // The mirror may be combining packs right now: then some of those listed are gone, and a second look finds the others.
  const history = await keepHistory(mirror, staging).catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT')) return keepHistory(mirror, staging);
    throw error;
  });
  if (history === null) await rm(join(staging, HISTORY), { recursive: true, force: true });
  return {
    ...manifest,
    parts: manifest.parts.map((part) => (part.mirror === null ? part : { ...part, history })),
  };
}

/** A second copy, and the proof that each bundle can be read. */
async function keepInMirror(
  git: Git,
  manifest: RescueManifest,
  staging: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { mirror, bundle } of manifest.parts) {
    if (mirror === null) continue;
    const refspec = `refs/*:refs/aiops/rescue/${manifest.id}/*`;
    await git.run(
      ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', join(staging, bundle), refspec],
      {
        cwd: mirror,
        action: 'keeping unpushed work in the mirror',
        signal,
      },
    );
  }
}

/** Views are closed by now; what is left beside the bundles is scratch. */
async function removeScratch(staging: string, manifest: RescueManifest): Promise<void> {
  const bundles = new Set(manifest.parts.map(({ bundle }) => bundle));
  for (const name of await readdir(staging)) {
    if (!bundles.has(name)) await rm(join(staging, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function holdsFiles(path: string): Promise<boolean> {
  return (await readdir(path)).some((name) => name !== '.aiops');
}

async function describe(
  { record, path, reason, mirror }: RescueRequest,
  id: string,
  saved: readonly SavedPart[],
  staging: string,
): Promise<RescueManifest> {
  let bytes = 0;
  for (const { part } of saved) bytes += await fileBytes(join(staging, part.bundle));
  return {
    version: 1,
    id,
    createdAt: new Date().toISOString(),
    reason,
    workspace: path,
    key: record.key,
    issueId: record.issueId,
    identifier: record.identifier,
    trackerKind: record.trackerKind,
    trackerScope: record.trackerScope,
    parts: saved.map(({ part }) => part),
    directory: null,
    mirror: mirror?.path ?? null,
    overLimit: false,
    fingerprint: shortHash(
      JSON.stringify([path, record.issueId, saved.map(({ fingerprint }) => fingerprint)]),
    ),
    bytes,
  };
}

/** Sorts by time and names the workspace: `20260131T101500Z-ENG-1-3f2a`. */
function rescueId(key: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  // Also a part of ref names, where two dots are forbidden.
  return `${stamp}-${key.replace(/\.{2,}/g, '_')}-${randomBytes(2).toString('hex')}`;
}
