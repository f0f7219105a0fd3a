import { randomBytes } from 'node:crypto';
import { appendFile, chmod, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import type { CommandResult } from '../../process/children/child.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import type { Layout } from '../files/layout.ts';
import { renderGitConfig } from '../git/config-text.ts';
import { gitFailure } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { createInitRepository } from '../git/init-repository.ts';
import { createLargeFiles } from '../git/large-files.ts';
import { progressReporter } from '../git/progress.ts';
import { checkOutSubmodules } from '../git/submodules.ts';
import { writeRepository } from '../git/write-repository.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { excludeOwnFiles } from './exclude.ts';
import { renderRemoteConfig } from './remote-config.ts';

export interface CheckoutOptions {
  /** A partial-clone filter the mirrors use; null when they hold everything. */
  readonly filter: string | null;
  readonly submodules: boolean;
  /** The operator accepts Git LFS pointers in place of files. */
  readonly lfsPointers: boolean;
}

export interface CheckoutRequest {
  readonly key: string;
  /** What `origin` is to be. */
  readonly remoteUrl: string;
  readonly branch: string;
  readonly mirror: Mirror;
  /** The commit to start from. */
  readonly start: string;
  readonly submodulesTrusted: boolean;
  readonly signal: AbortSignal;
  onProgress(detail: string): void;
}

export interface Checkouts {
  /**
   * Builds a checkout in the staging area: a repository with its git directory inside, borrowing
   * the mirror's objects, on the branch. Nothing is visible under the root until the caller renames it there.
   */
  build(layout: Layout, request: CheckoutRequest): Promise<Checkout>;
}

export interface Checkout {
  readonly path: string;
  /** The text of its configuration before remotes, names and addresses were added, which say nothing about storage. */
  readonly initialConfig: string;
}

export function createCheckouts(git: Git, options: CheckoutOptions): Checkouts {
  const largeFiles = createLargeFiles(git, options.lfsPointers);
  const initRepository = createInitRepository(git);
  let identityKnown: Promise<boolean> | null = null;

  /** A machine nobody has told git a name on must still let an agent commit. */
  async function fallbackIdentity(path: string): Promise<string> {
    identityKnown ??= hasIdentity(git, path).catch((error: unknown) => {
      identityKnown = null;
      throw error;
    });
    return (await identityKnown)
      ? ''
      : renderGitConfig({ user: { name: 'aiops agent', email: 'aiops@localhost' } });
  }

  /** Gives the configuration as it was before anything of ours. */
  async function fill(path: string, request: CheckoutRequest): Promise<string> {
    const { branch, start, signal, onProgress } = request;
    const initialConfig = await initRepository(path, signal);
    // The mirror's objects, branches and tags, written the way `git clone` leaves them.
    const { path: mirrorPath, refs } = request.mirror;
    const borrows = [join(mirrorPath, 'objects')];
    await writeRepository(join(path, '.git'), { borrows, refs, shallowAs: mirrorPath });
    const config = renderRemoteConfig(request.remoteUrl, options.filter) + (await fallbackIdentity(path));
    await appendFile(join(path, '.git', 'config'), config);
    // Where agents push by themselves the address may hold a credential.
    await chmod(join(path, '.git', 'config'), 0o600);
    await excludeOwnFiles(join(path, '.git'));
    await largeFiles.prepare(path, start, signal);
    const action = `checking out ${branch}`;
    const result = await git.attempt(['checkout', '--progress', '--no-track', '-b', branch, start], {
      cwd: path,
      action,
      signal,
      network: true,
      onProgress: progressReporter('checking out', onProgress),
    });
    if (result.code !== 0) throw gitFailure(action, result, 0);
    if (!saysNothingUnusual(result)) await assertWhole(git, path, request);
    if (options.submodules && request.submodulesTrusted)
      await checkOutSubmodules(git, path, onProgress, signal);
    return initialConfig;
  }

  return {
    async build(layout, request) {
      const path = join(layout.staging, `${request.key}.${randomBytes(4).toString('hex')}`);
      await mkdir(path, { recursive: true, mode: 0o700 });
      try {
        return { path, initialConfig: await fill(path, request) };
      } catch (error) {
        await deleteTree(path);
        throw error;
      }
    },
  };
}

/** What git prints of a checkout that went well, in lines and in the steps of a progress bar. */
const USUAL_OUTPUT = /^(?:Switched to a new branch .*|Updating files: .*)?$/;

/**
 * True when git left nothing out: whatever it cannot read or write it names, although its exit code then still says success.
 */
function saysNothingUnusual({ stderr, truncated }: CommandResult): boolean {
  return !truncated && stderr.split(/[\r\n]/).every((line) => USUAL_OUTPUT.test(line));
}

/** Later than any file of a checkout that was just made, whatever the clock does. */
const AHEAD_S = 24 * 60 * 60;

/**
 * Runs `work` while the index counts as younger than the files: git then trusts their times and sizes, where it would
 * read each file of the same second again. The old time comes back, a little earlier rather than later.
 */
async function withYoungIndex<T>(gitDirectory: string, work: () => Promise<T>): Promise<T> {
  const index = join(gitDirectory, 'index');
  const before = await lstat(index).catch(() => null);
  if (before === null) return work();
  const stamp = Math.floor(before.mtimeMs) / 1000;
  await utimes(index, stamp, stamp + AHEAD_S);
  try {
    return await work();
  } finally {
    await utimes(index, stamp, stamp);
  }
}

/**
 * Throws unless a fresh checkout holds what its commit does: git passes over what it cannot read and reports success.
 * A file that counts as changed is no proof: line ends and filters do that.
 */
async function assertWhole(
  git: Git,
  path: string,
  { branch, mirror, signal }: CheckoutRequest,
): Promise<void> {
  const flags = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  const env = { GIT_OPTIONAL_LOCKS: '0' };
  const check = { cwd: path, action: `checking ${branch}`, signal, bytes: true, env };
  const status = await withYoungIndex(join(path, '.git'), () => git.run(['status', ...flags], check));
  const wrong = status.split('\0').filter((entry) => entry !== '' && (entry[0] !== ' ' || entry[1] === 'D'));
  if (wrong.length === 0) return;
  const names = wrong.slice(0, 3).map((entry) => JSON.stringify(entry.slice(3)));
  throw new AppError(
    'workspace_unusable',
    `the checkout of ${branch} is not whole: ${wrong.length} files are missing or differ from their commit, such as ${names.join(', ')}`,
    {
      hint: `Run \`git -C ${mirror.path} fsck\` to see what the mirror lacks.`,
      context: { whole: false },
    },
  );
}

/** True for a checkout that lacks files of its commit. */
export function isNotWhole({ context }: AppError): boolean {
  return context['whole'] === false;
}

/** Removes what killed preparations of a key left behind. Call it while holding the key's lock. */
export async function clearStaging(layout: Layout, key: string): Promise<void> {
  for (const name of await readdir(layout.staging)) {
    const isOurs = name.startsWith(key) && /^\.[0-9a-f]{8}$/.test(name.slice(key.length));
    if (isOurs) await deleteTree(join(layout.staging, name));
  }
}

async function hasIdentity(git: Git, path: string): Promise<boolean> {
  const result = await git.attempt(['config', '--get', 'user.email'], {
    cwd: path,
    action: 'reading git settings',
  });
  return result.code === 0 && result.stdout.trim() !== '';
}
