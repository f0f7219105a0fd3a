import type { Mirror } from '../mirror/mirrors.ts';
import type { KnownFacts } from '../ownership/known-facts.ts';
import type { WorkspaceGit } from '../workspaces.ts';
import { countFrom, findBase } from './evidence.ts';
import type { RepositoryView } from './repository-view.ts';

interface FactsInput {
  readonly branch: string;
  /** Null when the workflow names no repository: the remote's default branch is looked up. */
  readonly baseBranch: string | null;
  readonly mirror: Pick<Mirror, 'path'> | null;
  /** Of a repository that was found readable, so that git need not be asked for what they name. */
  readonly refs?: ReadonlyMap<string, string>;
  readonly facts?: KnownFacts;
}

/** What a run starts from; null without a repository, or with one that has no commit yet. */
export async function readGitFacts(
  view: RepositoryView | null,
  input: FactsInput,
): Promise<WorkspaceGit | null> {
  if (view === null) return null;
  const onBranch = await view.checkedOutBranch();
  const head =
    input.refs?.get(`refs/heads/${onBranch}`) ??
    (await view.query(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']));
  if (head === null) return null;
  const baseBranch = input.baseBranch ?? (await defaultBranch(view));
  const base = input.refs?.get(`refs/remotes/origin/${baseBranch}`) ?? (await findBase(view, baseBranch));
  const behind = base === null ? null : await countBehind(view, head, base, input.facts);
  return {
    // Hooks that fill the workspace choose the branch themselves.
    branch: input.baseBranch === null ? (onBranch ?? input.branch) : input.branch,
    baseBranch,
    headAtStart: head,
    ...(input.mirror === null ? {} : { mirrorPath: input.mirror.path }),
    ...(behind === null ? {} : { behindBase: behind }),
  };
}

async function countBehind(
  view: RepositoryView,
  head: string,
  base: string,
  facts: KnownFacts | undefined,
): Promise<number | null> {
  const known = facts?.behind(view.workTree, head, base) ?? null;
  if (known !== null) return known;
  const behind = await countFrom(view, head, base);
  if (behind !== null) facts?.noteBehind(view.workTree, head, base, behind);
  return behind;
}

async function defaultBranch(view: RepositoryView): Promise<string> {
  const prefix = 'refs/remotes/origin/';
  const target = await view.query(['symbolic-ref', '--quiet', `${prefix}HEAD`]);
  if (target?.startsWith(prefix)) return target.slice(prefix.length);
  const master = await view.query(['rev-parse', '--verify', '--quiet', `${prefix}master`]);
  return master === null ? 'main' : 'master';
}
