import { randomBytes } from 'node:crypto';
import { appendFile, chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { excludeOwnFiles } from './exclude.ts';
import type { Git } from './git.ts';
import { renderGitConfig } from './git-config-text.ts';
import { progressReporter } from './git-progress.ts';
import { prepareLargeFiles } from './large-files.ts';
import type { Layout } from './layout.ts';
import type { Mirror } from './mirror.ts';
import { pathKind, replaceFile } from './path-safety.ts';
import { deleteTree } from './remove-tree.ts';
import { checkOutSubmodules } from './submodules.ts';

export interface CheckoutOptions {
  /** A partial-clone filter the mirror uses; null when it holds everything. */
  readonly filter: string | null;
  readonly submodules: boolean;
  /** The operator accepts Git LFS pointers in place of files. */
  readonly lfsPointers: boolean;
}

export interface CheckoutRequest {
  readonly key: string;
  readonly repo: RepoConfig;
  readonly branch: string;
  readonly mirror: Mirror;
  /** The commit to start from. */
  readonly start: string;
  readonly options: CheckoutOptions;
  readonly signal: AbortSignal;
  onProgress(detail: string): void;
}

/**
 * Builds a checkout in the staging area and returns its path: a repository with its git directory inside, borrowing
 * the mirror's objects, on the branch. Nothing is visible under the root until the caller renames it there.
 */
export async function buildCheckout(git: Git, layout: Layout, request: CheckoutRequest): Promise<string> {
  const { key, signal, branch, start, options } = request;
  const path = join(layout.staging, `${key}.${randomBytes(4).toString('hex')}`);
  await mkdir(path, { recursive: true });
  try {
    await git.run(['init', '--quiet', '--initial-branch=none'], {
      cwd: path,
      action: 'creating a workspace',
      signal,
    });
    await borrowMirror(git, path, request);
    await excludeOwnFiles(join(path, '.git'));
    await prepareLargeFiles(git, path, start, options.lfsPointers, signal);
    await git.run(['checkout', '--progress', '--no-track', '-b', branch, start], {
      cwd: path,
      action: `checking out ${branch}`,
      signal,
      network: true,
      onProgress: progressReporter('checking out', request.onProgress),
    });
    if (options.submodules) await checkOutSubmodules(git, path, request.onProgress, signal);
    return path;
  } catch (error) {
    await deleteTree(path);
    throw error;
  }
}

/** The mirror's objects and branches, and the real remote to push to. */
async function borrowMirror(
  git: Git,
  path: string,
  { mirror, repo, options }: CheckoutRequest,
): Promise<void> {
  const directory = join(path, '.git');
  await mkdir(join(directory, 'objects', 'info'), { recursive: true });
  await replaceFile(join(directory, 'objects', 'info', 'alternates'), `${join(mirror.path, 'objects')}\n`);
  const refs = [...mirror.refs].map(([name, id]) => `${id} ${name}\n`);
  await replaceFile(join(directory, 'packed-refs'), refs.join(''));
  if ((await pathKind(join(mirror.path, 'shallow'))) === 'other') {
    await copyFile(join(mirror.path, 'shallow'), join(directory, 'shallow'));
  }
  await appendFile(
    join(directory, 'config'),
    await workspaceConfig(git, path, repo.cloneUrl, options.filter),
  );
  // A clone URL may hold a token.
  await chmod(join(directory, 'config'), 0o600);
}

/** Removes what killed preparations of a key left behind. Call it while holding the key's lock. */
export async function clearStaging(layout: Layout, key: string): Promise<void> {
  if ((await pathKind(layout.staging)) !== 'directory') return;
  for (const name of await readdir(layout.staging)) {
    if (/^\.[0-9a-f]{8}$/.test(name.slice(key.length)) && name.startsWith(key)) {
      await deleteTree(join(layout.staging, name));
    }
  }
}

/** The branch on the remote when it holds commits the base lacks, else the base. */
export async function startingPoint(
  git: Git,
  { repo, branch, mirror, signal }: Pick<CheckoutRequest, 'repo' | 'branch' | 'mirror' | 'signal'>,
): Promise<string> {
  const base = mirror.refs.get(`refs/remotes/origin/${repo.defaultBranch}`);
  if (base === undefined) throw missingBase(repo.defaultBranch, mirror);
  const existing = mirror.refs.get(`refs/remotes/origin/${branch}`);
  if (existing === undefined) return base;
  const merged = await git.attempt(['merge-base', '--is-ancestor', existing, base], {
    cwd: mirror.path,
    action: 'comparing branches',
    signal,
  });
  return merged.code === 0 ? base : existing;
}

function missingBase(base: string, mirror: Mirror): AppError {
  const prefix = 'refs/remotes/origin/';
  const branches = [...mirror.refs.keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  if (branches.length === 0) {
    return new AppError('workspace_unusable', `${mirror.identity} has no branch at all: it is empty`, {
      hint: `Push a first commit to its ${base} branch.`,
    });
  }
  const shown = branches.slice(0, 5).join(', ') + (branches.length > 5 ? ', …' : '');
  return new AppError('workspace_unusable', `${mirror.identity} has no branch ${base} (it has ${shown})`, {
    hint: 'Set repo.default_branch to the branch work starts from.',
  });
}

async function workspaceConfig(git: Git, path: string, url: string, filter: string | null): Promise<string> {
  const promisor = filter === null ? {} : { promisor: 'true', partialclonefilter: filter };
  const remote = { url, fetch: '+refs/heads/*:refs/remotes/origin/*', ...promisor };
  return renderGitConfig({
    'remote "origin"': remote,
    ...(filter === null
      ? {}
      : { core: { repositoryformatversion: '1' }, extensions: { partialClone: 'origin' } }),
    ...((await hasIdentity(git, path)) ? {} : { user: { name: 'aiops agent', email: 'aiops@localhost' } }),
  });
}

/** A machine nobody has told git a name on must still let an agent commit. */
async function hasIdentity(git: Git, path: string): Promise<boolean> {
  const result = await git.attempt(['config', '--get', 'user.email'], {
    cwd: path,
    action: 'reading git settings',
  });
  return result.code === 0 && result.stdout.trim() !== '';
}
