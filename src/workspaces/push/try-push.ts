import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitFailure } from '../git/errors.ts';
import type { Git } from '../git/git.ts';
import { repositoryIdentity } from '../git/repository-url.ts';

const NOBODY = {
  GIT_AUTHOR_NAME: 'aiops',
  GIT_AUTHOR_EMAIL: 'aiops@localhost',
  GIT_COMMITTER_NAME: 'aiops',
  GIT_COMMITTER_EMAIL: 'aiops@localhost',
};

/**
 * Asks the remote whether it would take a new branch, without sending anything: as far as a dry run goes, which is the
 * credential and its rights, not the remote's hooks. Rejects with why not.
 */
export async function tryPush(
  git: Git,
  cloneUrl: string,
  branch: string,
  signal: AbortSignal,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aiops-push-'));
  const action = `a dry run of a push to ${repositoryIdentity(cloneUrl)}`;
  try {
    const call = { cwd: folder, action, signal, env: NOBODY };
    await git.run(['init', '--quiet', '--bare', '.'], call);
    const tree = await git.run(['hash-object', '-t', 'tree', '-w', '--stdin'], { ...call, input: '' });
    const commit = await git.run(['commit-tree', '-m', 'A dry run', tree.trim()], call);
    const refs = `${commit.trim()}:refs/heads/${branch}`;
    const args = ['push', '--dry-run', '--porcelain', '--no-verify', '--', cloneUrl, refs];
    const result = await git.attempt(args, { ...call, network: true });
    if (result.code !== 0) throw gitFailure(action, result, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
