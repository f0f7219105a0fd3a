import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** The workspace's repository, as far as the agent needs it. */
export interface Repository {
  /** Absolute. */
  readonly gitDirectory: string;
  readonly branch: string;
  readonly hasOrigin: boolean;
  /** Where `origin` is; null without one. */
  readonly originUrl: string | null;
  /** The branch that work is merged into, as far as the remote has said. */
  readonly defaultBranch: string | null;
  /** The file's text in the last commit, empty when it is not there. */
  committedText(path: string): Promise<string>;
  /** Commits this one path; whatever else lies in the tree is left as it is. */
  commit(path: string, subject: string, body: string): Promise<void>;
  head(): Promise<string>;
  push(): Promise<void>;
}

/** Works on a machine without git configuration, and without a signing key that could ask for a passphrase. */
const IDENTITY = {
  'user.name': 'Mock Agent',
  'user.email': 'mock-agent@aiops.invalid',
  'commit.gpgSign': 'false',
};

/** Null when the directory itself is no repository; one further up is somebody else's. */
export async function openRepository(
  git: Git,
  directory: string,
  ownBranch: string,
): Promise<Repository | null> {
  if (!existsSync(join(directory, '.git'))) return null;
  const topLevel = await git.run('rev-parse', '--show-toplevel');
  if (topLevel.trim() !== realpathSync(directory)) return null;
  const gitDirectory = (await git.run('rev-parse', '--absolute-git-dir')).trim();
  const hasOrigin = (await git.run('remote')).split('\n').includes('origin');
  const originUrl = hasOrigin ? (await git.run('config', '--get', 'remote.origin.url')).trim() : null;
  const defaultBranch = await remoteDefault(git);
  const branch = await chooseBranch(git, ownBranch, defaultBranch);
  const identity = Object.entries(IDENTITY).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    gitDirectory,
    branch,
    hasOrigin,
    originUrl,
    defaultBranch,
    committedText: async (path) => (await git.tryRun('show', `HEAD:${path}`)) ?? '',
    async commit(path, subject, body) {
      await git.run('add', '--', path);
      await git.run(...identity, 'commit', '--quiet', '-m', subject, '-m', body, '--', path);
    },
    head: async () => (await git.run('rev-parse', 'HEAD')).trim(),
    async push() {
      await git.run('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    },
  };
}

/**
 * The current branch; or a branch of the agent's own when that is the remote's default, which is not the agent's to
 * push to.
 */
async function chooseBranch(git: Git, ownBranch: string, defaultBranch: string | null): Promise<string> {
  const current = (await git.tryRun('symbolic-ref', '--quiet', '--short', 'HEAD'))?.trim();
  if (current === undefined) throw new Error('the workspace is on no branch (detached HEAD)');
  if (current !== defaultBranch) return current;
  const exists = (await git.tryRun('rev-parse', '--quiet', '--verify', `refs/heads/${ownBranch}`)) !== null;
  await git.run('switch', '--quiet', ...(exists ? [] : ['-c']), ownBranch);
  return ownBranch;
}

async function remoteDefault(git: Git): Promise<string | null> {
  const found = await git.tryRun('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  return found?.trim().replace(/^origin\//, '') ?? null;
}
