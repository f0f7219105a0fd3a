import type { RepoConfig } from '../config/config.ts';
import { type Check, fail, ok, skip } from './check.ts';
import type { Effects } from './effects.ts';
import { OFFLINE } from './tracker.ts';

const MOST_NAMES = 5;

export function repositoryCheck(
  { cloneUrl, defaultBranch }: RepoConfig,
  place: { readonly identity: string; readonly offline: boolean },
  { remoteBranches }: Pick<Effects, 'remoteBranches'>,
): Check {
  const { identity, offline } = place;
  return {
    id: 'repository',
    title: 'Repository',
    async run(signal) {
      if (offline && !identity.startsWith('local/')) return skip(OFFLINE);
      const branches = await remoteBranches(cloneUrl, signal);
      if (branches.includes(defaultBranch)) return ok(`${identity} can be read and has ${defaultBranch}`);
      if (branches.length === 0) {
        return fail(`${identity} is empty`, `Push a first commit to its ${defaultBranch} branch.`);
      }
      const some = branches.slice(0, MOST_NAMES).join(', ');
      return fail(
        `${identity} has no branch ${defaultBranch} (it has ${some}${branches.length > MOST_NAMES ? ', …' : ''})`,
        'Set repo.default_branch to the branch work starts from.',
      );
    },
  };
}
