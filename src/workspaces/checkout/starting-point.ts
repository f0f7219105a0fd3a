import type { RepoConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Git } from '../git/git.ts';
import type { Mirror } from '../mirror/mirrors.ts';

const PREFIX = 'refs/remotes/origin/';

/** Where a new workspace starts, and how far the base is ahead of that. */
export interface StartingPoint {
  readonly commit: string;
  readonly behindBase: number;
  /** False when an agent's branch names other submodules than the base: they would be fetched with the worker's rights. */
  readonly submodulesTrusted: boolean;
}

/** The branch on the remote when it holds commits the base lacks, else the base. */
export async function findStartingPoint(
  git: Git,
  repo: RepoConfig,
  branch: string,
  mirror: Mirror,
  signal: AbortSignal,
): Promise<StartingPoint> {
  const base = mirror.refs.get(PREFIX + repo.defaultBranch);
  if (base === undefined) throw missingBase(repo.defaultBranch, mirror);
  const existing = mirror.refs.get(PREFIX + branch);
  if (existing === undefined || existing === base)
    return { commit: base, behindBase: 0, submodulesTrusted: true };
  const range = `${existing}...${base}`;
  const counts = await git.run(['rev-list', '--left-right', '--count', range, '--'], {
    cwd: mirror.path,
    action: 'comparing branches',
    signal,
  });
  const [own = 0, behind = 0] = counts.trim().split('\t').map(Number);
  if (own === 0) return { commit: base, behindBase: 0, submodulesTrusted: true };
  const changes = await git.run(['diff-tree', '-r', '--name-only', base, existing, '--', '.gitmodules'], {
    cwd: mirror.path,
    action: 'comparing submodules',
    signal,
  });
  return { commit: existing, behindBase: behind, submodulesTrusted: changes.trim() === '' };
}

function missingBase(base: string, mirror: Mirror): AppError {
  const names = [...mirror.refs.keys()].filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) {
    return new AppError('workspace_unusable', `${mirror.identity} has no branch at all: it is empty`, {
      hint: `Push a first commit to its ${base} branch.`,
    });
  }
  const some = names.slice(0, 5).map((name) => name.slice(PREFIX.length));
  const shown = some.join(', ') + (names.length > some.length ? ', …' : '');
  return new AppError('workspace_unusable', `${mirror.identity} has no branch ${base} (it has ${shown})`, {
    hint: 'Set repo.default_branch to the branch work starts from.',
  });
}
