import type { RepoConfig } from '../../../config/config.ts';
import { nearest } from '../../../domain/nearest.ts';
import { fail, ok, skip } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import { OFFLINE } from '../tracker/tracker.ts';

const MAX_NAMES = 5;

export function repositoryCheck(
  { cloneUrl, defaultBranch }: RepoConfig,
  place: { readonly identity: string; readonly offline: boolean },
  { remoteBranches }: Pick<Effects, 'remoteBranches'>,
): Check {
  const { offline } = place;
  const isHere = place.identity.startsWith('local/');
  const name = isHere ? cloneUrl : place.identity;
  return {
    id: 'repository',
    title: 'Repository',
    needs: 'repository',
    async run(signal) {
      if (offline && !isHere) return skip(OFFLINE);
      const branches = await remoteBranches(cloneUrl, signal);
      if (branches.includes(defaultBranch)) return ok(`${name} can be read and has ${defaultBranch}`);
      if (branches.length === 0) {
        return fail(
          `${name} is empty: work has no commit to start from`,
          `Push a first commit to its ${defaultBranch} branch: \`git commit --allow-empty -m "First commit" && git push origin HEAD:${defaultBranch}\`.`,
          'repo.clone_url',
        );
      }
      const some = branches.slice(0, MAX_NAMES).join(', ');
      return fail(
        `${name} has no branch ${defaultBranch} (it has ${some}${branches.length > MAX_NAMES ? ', …' : ''})`,
        `${guess(defaultBranch, branches)}Set repo.default_branch to the branch work starts from.`,
        'repo.default_branch',
      );
    },
  };
}

/** `main` and `master` are often meant for each other. */
function guess(branch: string, branches: readonly string[]): string {
  const usual = ['main', 'master'].filter((name) => name !== branch && branches.includes(name));
  const meant = nearest(branch, branches) ?? usual[0];
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}
