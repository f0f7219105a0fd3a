import { AppError } from '../errors/app-error.ts';
import type { Git } from './git.ts';

/**
 * Makes a fresh repository fit for files kept in Git LFS, if the commit to be checked out has any. Without the git-lfs
 * program the checkout would silently hold pointers where the agent expects files, so that is refused, unless the
 * operator chose pointers by setting GIT_LFS_SKIP_SMUDGE=1.
 */
export async function prepareLargeFiles(
  git: Git,
  directory: string,
  commit: string,
  pointersAccepted: boolean,
  signal: AbortSignal,
): Promise<void> {
  const search = [
    'grep',
    '--quiet',
    '--fixed-strings',
    'filter=lfs',
    commit,
    '--',
    ':(glob)**/.gitattributes',
  ];
  const found = await git.attempt(search, { cwd: directory, action: 'looking for Git LFS files', signal });
  if (found.code !== 0) return;
  const call = { cwd: directory, action: 'setting up Git LFS', signal };
  const installed = await git.attempt(['lfs', 'version'], call);
  if (installed.code === 0) {
    await git.run(['lfs', 'install', '--local'], call);
    return;
  }
  if (pointersAccepted) return;
  throw new AppError(
    'workspace_unusable',
    'the repository keeps files in Git LFS, and git-lfs is not installed here',
    {
      hint: 'Install git-lfs on this machine, or set GIT_LFS_SKIP_SMUDGE=1 to let agents work with pointer files.',
    },
  );
}
