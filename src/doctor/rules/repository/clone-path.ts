import type { RepoConfig } from '../../../config/config.ts';
import { fail, ok } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** A clone URL that is a folder of this machine must be a repository. */
export function clonePath(
  { cloneUrl }: RepoConfig,
  path: string,
  { isRepository }: Pick<Effects, 'isRepository'>,
): Check {
  return {
    id: 'clone-path',
    title: 'Repository on this machine',
    needs: 'files',
    async run() {
      const found = await isRepository(path);
      if (found === 'repository') return ok(`${path} is a git repository`);
      if (found === 'missing')
        return fail(
          `repo.clone_url: ${path} does not exist`,
          cloneUrl.startsWith('/') || cloneUrl.includes('://')
            ? 'Correct the path, or write the address of the remote repository.'
            : 'Correct the path; it is relative to the folder of the workflow.',
          'repo.clone_url',
        );
      return fail(
        `repo.clone_url: ${path} is ${found === 'file' ? 'a file' : 'a folder, but no git repository'}`,
        found === 'file'
          ? 'Write the path of the folder of the repository.'
          : `Make it one with \`git -C ${path} init\` and a first commit, or name the folder that has the .git in it.`,
        'repo.clone_url',
      );
    },
  };
}
