import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RepoConfig } from '../../config/config.ts';
import type { Logger } from '../../observability/logger.ts';
import { pathKind, readRegularFile, replaceFile } from '../files/path-safety.ts';
import { findLinkBelow } from '../files/tree-walk.ts';
import { writingInto } from '../files/unsafe.ts';
import { workspaceRemoteUrl } from '../git/credential.ts';
import type { Git } from '../git/git.ts';
import { dropOldPasswords } from '../git/old-passwords.ts';
import { removeStaleLocks } from '../git/stale-locks.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { excludeOwnFiles } from './exclude.ts';
import { fastForward } from './fast-forward.ts';
import { updateRemoteBranches } from './remote-branches.ts';
import { refreshRemoteUrl } from './remote-config.ts';

export interface ContinueRequest {
  readonly view: RepositoryView;
  readonly repo: RepoConfig;
  readonly branch: string;
  /** Null when the remote could not be reached and there is no mirror. */
  readonly mirror: Mirror | null;
  /** Its configuration is known to be as it should be. */
  readonly configSettled: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes an existing workspace fit for another run without touching its commits or files: lock files of killed git
 * processes go, the remote's address and branches are brought up to date, and the branch follows the remote
 * where that is a pure fast-forward of a clean checkout. What the base branch gained is there to merge, not merged.
 * False when a link of an agent's keeps it from being brought up to date.
 */
export function continueWorkspace(git: Git, logger: Logger, request: ContinueRequest): Promise<boolean> {
  return writingInto(request.view.gitDirectory, () => bringUpToDate(git, logger, request));
}

async function bringUpToDate(git: Git, logger: Logger, request: ContinueRequest): Promise<boolean> {
  const { view, repo, mirror, branch, signal } = request;
  const locks = await removeStaleLocks(view.gitDirectory, view.workTree);
  if (locks.length > 0)
    logger.info('removed the lock files of a killed git', { workspace: view.workTree, files: locks });
  // An agent can plant links in its git directory; nothing of ours is written through one.
  const written = ['config', 'info', 'objects/info', 'refs', 'packed-refs', 'shallow', 'logs'];
  const link = await findLinkBelow(view.gitDirectory, written, signal);
  if (link !== null) {
    logger.warn('a link inside the git directory keeps it from being brought up to date', { path: link });
    return false;
  }
  await excludeOwnFiles(view.gitDirectory);
  if (!request.configSettled) await refreshRemoteUrl(git, logger, view, workspaceRemoteUrl(repo), signal);
  const cleaned = repo.push === 'worker' ? await dropOldPasswords(view.gitDirectory, repo.cloneUrl) : 0;
  if (cleaned > 0)
    logger.info('took passwords out of the configuration of a workspace', {
      workspace: view.workTree,
      files: cleaned,
    });
  if (mirror === null) return true;
  await borrowFrom(view, mirror);
  await adoptShallowBoundary(view, mirror);
  await updateRemoteBranches(logger, { view, mirror, essential: [repo.defaultBranch, branch], signal });
  await fastForward(logger, { view, branch, signal });
  return true;
}

/** Puts the mirror back among the places the workspace finds objects in, e.g. after the mirror root moved. */
async function borrowFrom(view: RepositoryView, mirror: Mirror): Promise<void> {
  const path = join(view.gitDirectory, 'objects', 'info', 'alternates');
  const objects = join(mirror.path, 'objects');
  const text = (await readRegularFile(path)) ?? '';
  if (text.split('\n').includes(objects)) return;
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${objects}\n`);
}

/** Where a shallow mirror's history ends, the workspace's must end too. */
async function adoptShallowBoundary(view: RepositoryView, mirror: Mirror): Promise<void> {
  const boundary = await readRegularFile(join(mirror.path, 'shallow'));
  if (boundary === null) return;
  const path = join(view.gitDirectory, 'shallow');
  const lines = new Set(
    `${(await readRegularFile(path)) ?? ''}${boundary}`.split('\n').filter((line) => line !== ''),
  );
  await replaceFile(path, [...lines].map((line) => `${line}\n`).join(''));
}

/**
 * True when what is checked out and staged, and the recent history of local branches and stashes, is all there. Of a
 * partial clone, contents of files need not be. The mirror vouches for what the remote has.
 */
export async function isReadable(
  view: RepositoryView,
  partial: boolean,
  mirror: Mirror | null,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await pathKind(join(view.gitDirectory, 'HEAD'))) !== 'other') return false;
  // Borrowed objects can be gone, e.g. with a deleted mirror whose remote was rewritten meanwhile.
  const files = partial ? '--filter=blob:none' : '--indexed-objects';
  const named = ['HEAD', '--branches', '--glob=refs/stash'];
  const ask = (args: readonly string[], input = ''): Promise<string | null> =>
    view.query(['rev-list', '--quiet', ...args], { signal, input });
  const isOneThere = async (): Promise<boolean> =>
    (await ask(['--objects', '--max-count=1', files, 'HEAD'])) !== null;
  if (mirror === null) return (await ask(['--max-count=1000', ...named])) !== null && (await isOneThere());
  if (await isOfRemote(view, mirror, signal)) return isOneThere();
  const known = [...new Set(mirror.refs.values())].map((id) => `^${id}\n`).join('');
  return (await ask(['--objects', '--max-count=1000', files, ...named, '--stdin'], known)) !== null;
}

/** True when each commit that the workspace names is a tip of the remote. */
async function isOfRemote(view: RepositoryView, mirror: Mirror, signal: AbortSignal): Promise<boolean> {
  if ((await view.checkedOutBranch()) === null) return false;
  const known = new Set(mirror.refs.values());
  const own = [...(await view.refs(signal))].filter(([name]) => /^refs\/(heads\/|stash$)/.test(name));
  return own.every(([, id]) => known.has(id));
}
