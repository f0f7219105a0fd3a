import { type WorkspacesContext, withView } from '../context.ts';
import type { Layout } from '../files/layout.ts';
import { childPath } from '../files/path-safety.ts';
import { readRefFile } from '../git/read-ref-files.ts';
import { repositoryIdentity } from '../git/repository-url.ts';
import type { OwnershipRecord } from '../ownership/ownership-record.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { holdsOnlyKnown } from '../rescue/nothing-own.ts';

/**
 * True when the remote need not be asked: nothing is uncommitted, and each commit that the workspace names is the base, which
 * is nobody's work, or one that the remote itself just said it has.
 */
export async function isSurelyElsewhere(
  context: WorkspacesContext,
  layout: Layout,
  { key, repository }: OwnershipRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const { repo, mirrors, facts } = context;
  if (repo === null || repositoryIdentity(repo.cloneUrl) !== repository) return false;
  const workTree = childPath(layout.root, key);
  const mirrorPath = mirrors.pathOf(repository);
  try {
    const base = await readRefFile(mirrorPath, `refs/remotes/origin/${repo.defaultBranch}`);
    const isKnown = (commit: string): boolean => commit === base || facts.isOnRemote(workTree, commit);
    const look = async (view: RepositoryView | null): Promise<boolean> =>
      view !== null && holdsOnlyKnown(view, isKnown, signal);
    return await withView(context, layout, workTree, mirrorPath, look, signal);
  } catch {
    signal.throwIfAborted();
    // Whatever is wrong with it is met again, and named, by whoever saves the work.
    return false;
  }
}
