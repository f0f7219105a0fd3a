import { messageOf } from '../../errors/app-error.ts';
import type { WorkspacesContext } from '../context.ts';
import { findLinkBelow } from '../files/tree-walk.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import type { CheckedCommit } from './take-commit.ts';

export interface KnownRefs {
  /** The head of the work branch in the workspace. */
  readonly head: string | null;
  /** Where the workspace believes the remote's branch to be. */
  readonly tracked: string | null;
}

export async function knownRefs(
  view: RepositoryView,
  branch: string,
  signal: AbortSignal,
): Promise<KnownRefs> {
  const refs = await view.refs(signal);
  const read = (ref: string): string | null => {
    const id = refs.get(ref) ?? '';
    return /^[0-9a-f]{40}$/.test(id) ? id : null;
  };
  return { head: read(`refs/heads/${branch}`), tracked: read(`refs/remotes/origin/${branch}`) };
}

interface Follow {
  readonly view: RepositoryView;
  readonly taken: CheckedCommit;
  readonly branch: string;
  readonly signal: AbortSignal;
}

/** After a push the mirror and the workspace know the remote's branch as it is now. A failure here undoes no push. */
export async function followPush(context: WorkspacesContext, follow: Follow): Promise<void> {
  const { view, taken, branch, signal } = follow;
  try {
    await context.mirrors.adopt(taken.mirror, taken.repository, branch, signal);
    // An agent can plant links in its git directory; nothing of ours is written through one.
    if ((await findLinkBelow(view.gitDirectory, ['refs', 'packed-refs', 'logs'])) !== null) return;
    await view.query(['update-ref', `refs/remotes/origin/${branch}`, taken.commit], { signal });
  } catch (error) {
    signal.throwIfAborted();
    context.logger.warn('what was pushed could not be noted in mirror and workspace', {
      workspace: view.workTree,
      error: messageOf(error),
    });
  }
}
