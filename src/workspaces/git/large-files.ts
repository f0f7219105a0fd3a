import { AppError } from '../../errors/app-error.ts';
import { createKeyedMutex } from '../locks/mutex.ts';
import { gitFailure } from './errors.ts';
import type { Git } from './git.ts';

/** More starting points than a worker has at one time. */
const REMEMBERED_COMMITS = 50;

/** Makes fresh repositories fit for files kept in Git LFS. */
export interface LargeFiles {
  /**
   * Sets up git-lfs if the commit to be checked out needs it. Without the program the checkout would silently hold
   * pointers where the agent expects files, so that throws, unless the operator chose pointers (GIT_LFS_SKIP_SMUDGE=1).
   */
  prepare(directory: string, commit: string, signal: AbortSignal): Promise<void>;
}

export function createLargeFiles(git: Git, pointersAccepted: boolean): LargeFiles {
  const uses = new Map<string, boolean>();
  const mutex = createKeyedMutex();

  async function usesLargeFiles(directory: string, commit: string, signal: AbortSignal): Promise<boolean> {
    const remembered = uses.get(commit);
    if (remembered !== undefined) return remembered;
    const pathspec = ':(glob)**/.gitattributes';
    const result = await git.attempt(
      ['grep', '--quiet', '--fixed-strings', 'filter=lfs', commit, '--', pathspec],
      {
        cwd: directory,
        action: 'looking for Git LFS files',
        signal,
      },
    );
    const none = 1;
    if (result.code !== 0 && result.code !== none) throw gitFailure('looking for Git LFS files', result, 0);
    if (uses.size >= REMEMBERED_COMMITS) uses.clear();
    uses.set(commit, result.code === 0);
    return result.code === 0;
  }

  return {
    async prepare(directory, commit, signal) {
      if (!(await mutex.run(commit, () => usesLargeFiles(directory, commit, signal)))) return;
      const call = { cwd: directory, action: 'setting up Git LFS', signal };
      const installed = await git.attempt(['lfs', 'version'], call);
      if (installed.code === 0) {
        await git.run(['lfs', 'install', '--local'], call);
      } else if (!pointersAccepted) {
        throw new AppError(
          'workspace_unusable',
          'the repository keeps files in Git LFS, and git-lfs is not installed here',
          {
            hint: 'Install git-lfs on this machine, or set GIT_LFS_SKIP_SMUDGE=1 to let agents work with pointer files.',
          },
        );
      }
    },
  };
}
