import type { Logger } from '../../observability/logger.ts';
import type { RepositoryView } from '../reading/repository-view.ts';

interface FastForwardRequest {
  readonly view: RepositoryView;
  readonly branch: string;
  readonly signal: AbortSignal;
}

/**
 * Moves a clean checkout of the branch on to what the remote has of it, when it is strictly behind: someone
 * else (a reviewer, another machine) pushed to it. In every other case nothing changes.
 */
export async function fastForward(
  logger: Logger,
  { view, branch, signal }: FastForwardRequest,
): Promise<void> {
  if ((await view.checkedOutBranch()) !== branch) return;
  const on = `refs/heads/${branch}`;
  const refs = await view.refs(signal);
  const [head, tip] = [refs.get(on), refs.get(`refs/remotes/origin/${branch}`)];
  if (head === undefined || tip === undefined || head === tip) return;
  if ((await view.query(['merge-base', '--is-ancestor', head, tip], { signal })) === null) return;
  await view.scan(signal);
  if (!(await matches(view, tip, signal))) {
    if (!(await matches(view, head, signal))) return;
    // Refuses to overwrite an untracked file; then the branch stays where it is.
    if ((await view.query(['read-tree', '-m', '-u', head, tip], { signal })) === null) return;
  }
  // Last, so that a kill in between leaves files that equal the remote's branch, which the next attempt recognises.
  if ((await view.query(['update-ref', on, tip, head], { signal })) === null) return;
  logger.info('moved a clean workspace on to the remote branch', {
    workspace: view.workTree,
    branch,
    from: head,
    to: tip,
  });
}

/** True when index and tracked files equal a commit. */
async function matches(view: RepositoryView, commit: string, signal: AbortSignal): Promise<boolean> {
  const staged = await view.query(
    ['diff-index', '--cached', '--quiet', '--ignore-submodules=dirty', commit],
    { signal },
  );
  if (staged === null) return false;
  const status = await view.query(
    ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'],
    { signal },
  );
  // Compared with HEAD, a staged difference shows in the first column; only the second tells about the files.
  return (status ?? '!!').split('\n').every((line) => line === '' || line[1] === ' ');
}
