import { join } from 'node:path';
import { shortHash } from '../files/workspace-key.ts';
import type { Git } from '../git/git.ts';
import type { RepositoryLocation } from '../git/location.ts';
import { stripUrlCredentials } from '../git/repository-url.ts';
import { openView, type RepositoryView } from '../reading/repository-view.ts';
import { createCarrier, writeBundle } from './bundle.ts';
import type { RescuePart } from './manifest.ts';
import { cleanHead, ownTips } from './nothing-own.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** A repository inside a workspace to be searched for work that exists nowhere else. */
export interface SaveRequest {
  readonly git: Git;
  readonly workspace: string;
  /** Where the repository is, when it need not be looked up. */
  readonly location?: RepositoryLocation;
  /** False for a plain directory with a repository lent to it for the rescue. */
  readonly repository: boolean;
  /** Folders outside that the repository is known to take objects from. */
  readonly borrowed?: readonly string[];
  /** Relative to the workspace; empty for the workspace itself. */
  readonly path: string;
  readonly scratch: string;
  /** Where bundles are written. */
  readonly target: string;
  readonly signal: AbortSignal;
  /** The mirror the workspace borrows from and the commits the remote is known to have; null without a mirror. */
  readonly mirror: {
    readonly path: string;
    readonly commits: readonly string[];
    readonly url: string;
  } | null;
}

export interface SavedPart {
  readonly part: RescuePart;
  readonly fingerprint: string;
}

/** Saves one repository and those nested in it. Empty when a clone of their remotes would hold everything. */
export async function saveRepositories(request: SaveRequest): Promise<SavedPart[]> {
  const mirrored = request.mirror === null ? [] : [join(request.mirror.path, 'objects')];
  const objects = [...new Set([...mirrored, ...(request.borrowed ?? [])])];
  const view = await openView({
    git: request.git,
    workTree: join(request.workspace, request.path),
    scratch: request.scratch,
    objects,
    boundary: request.workspace,
    signal: request.signal,
    ...(request.location === undefined ? {} : { location: request.location }),
  });
  if (view === null) throw new Error(`${join(request.workspace, request.path)} is no repository`);
  try {
    if (await holdsNothingOwn(request, view)) return [];
    const snapshot = await takeSnapshot(view, request.signal);
    const own = await saveOne(request, view, snapshot, objects);
    const saved = own === null ? [] : [own];
    for (const nested of snapshot.nested) {
      const { location: _, borrowed: __, ...inner } = request;
      const path = join(request.path, nested);
      saved.push(...(await saveRepositories({ ...inner, path, repository: true, mirror: null })));
    }
    return saved;
  } finally {
    await view.close();
  }
}

/**
 * A quick look that answers for most workspaces: nothing uncommitted, no repository inside, and the remote has every
 * commit. False when it cannot be told in few steps.
 */
async function holdsNothingOwn({ mirror, signal }: SaveRequest, view: RepositoryView): Promise<boolean> {
  if (mirror === null) return false;
  const own = await ownTips(view);
  const head = own === null ? null : await cleanHead(view, signal);
  if (own === null || head === null) return false;
  const known = new Set(mirror.commits);
  const unknown = [...new Set([head, ...own])].filter((id) => !known.has(id));
  return unknown.length === 0 || (await countUnknown(view, unknown, mirror.commits, signal)) === 0;
}

async function saveOne(
  request: SaveRequest,
  view: RepositoryView,
  snapshot: Snapshot,
  objects: readonly string[],
): Promise<SavedPart | null> {
  const { git, signal, mirror } = request;
  const known = mirror?.commits ?? (await remoteCommits(view, signal));
  const refs = new Map(snapshot.refs);
  if (snapshot.branch === null && snapshot.head !== null) refs.set('refs/rescue/head', snapshot.head);
  const unpushed = await countUnknown(view, [...refs.values()], known, signal);
  if (unpushed === 0 && snapshot.worktree === null) return null;
  if (snapshot.worktree !== null) refs.set('refs/rescue/worktree', snapshot.worktree);
  if (snapshot.index !== null) refs.set('refs/rescue/index', snapshot.index);

  // Without a mirror nothing vouches for what the remote really has, so the bundle stands alone.
  const standsOn = mirror === null ? [] : known;
  const carrier = await createCarrier(view, refs, objects);
  const bundle = request.path === '' ? 'work.bundle' : `nested-${shortHash(request.path)}.bundle`;
  await writeBundle(git, carrier, join(request.target, bundle), { refs, known: standsOn }, signal);
  const part: RescuePart = {
    path: request.path,
    repository: request.repository,
    bundle,
    branch: snapshot.branch,
    head: snapshot.head,
    index: snapshot.index,
    worktree: snapshot.worktree,
    refs: [...refs].map(([name, commit]) => ({ name, commit })),
    unpushedCommits: unpushed,
    uncommittedFiles: await countUncommitted(view, snapshot, signal),
    remote: mirror === null ? null : stripUrlCredentials(mirror.url),
    history: null,
    mirror: mirror?.path ?? null,
  };
  return { part, fingerprint: fingerprintOf(part, snapshot) };
}

/** The commits of the repository's own remote-tracking branches, for one that has no mirror of ours. */
async function remoteCommits(view: RepositoryView, signal: AbortSignal): Promise<string[]> {
  const listing = await view.run(['for-each-ref', '--format=%(objectname)', 'refs/remotes'], { signal });
  return [...new Set(listing.split('\n').filter((id) => id !== ''))];
}

async function countUnknown(
  view: RepositoryView,
  tips: readonly string[],
  known: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  if (tips.length === 0) return 0;
  const input = `${[...tips, ...known.map((id) => `^${id}`)].join('\n')}\n`;
  return Number((await view.run(['rev-list', '--count', '--stdin'], { signal, input })).trim());
}

async function countUncommitted(
  view: RepositoryView,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<number> {
  if (snapshot.worktree === null) return 0;
  const trees = snapshot.head === null ? ['--root', snapshot.worktree] : [snapshot.head, snapshot.worktree];
  const flags = [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-commit-id',
    '--no-renames',
    '--ignore-submodules=dirty',
  ];
  const names = await view.run([...flags, ...trees], { signal, bytes: true });
  return names.split('\0').filter((name) => name !== '').length;
}

function fingerprintOf(part: RescuePart, snapshot: Snapshot): string {
  const refs = part.refs.filter(({ name }) => !/^refs\/rescue\/(worktree|index)$/.test(name));
  return JSON.stringify([part.path, part.branch, part.head, snapshot.worktreeTree, refs]);
}
