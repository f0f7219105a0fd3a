import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../observability/logger.ts';
import { pathKind } from '../files/path-safety.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import type { RepositoryView } from '../reading/repository-view.ts';

export interface RemoteBranchesRequest {
  readonly view: RepositoryView;
  readonly mirror: Mirror;
  /** Branches that matter most, should not all be possible. */
  readonly essential: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Brings a workspace's remote-tracking branches and tags to what the mirror has. Ones the remote no longer has stay,
 * unless the commit they name is gone too: git would call the repository broken.
 */
export async function updateRemoteBranches(logger: Logger, request: RemoteBranchesRequest): Promise<void> {
  const { view, mirror, signal } = request;
  const present = await view.refs(signal);
  const changed = [...mirror.refs].filter(([name, id]) => present.get(name) !== id);
  if (!(await updateRefs(view, changed, signal))) {
    // A branch `a` that became `a/b` blocks the whole batch; the ones that matter are tried on their own.
    const wanted = new Set(request.essential.map((name) => `refs/remotes/origin/${name}`));
    const done = await updateRefs(
      view,
      changed.filter(([name]) => wanted.has(name)),
      signal,
    );
    const fields = { workspace: view.workTree, base_updated: done };
    logger.warn('some remote branches could not be updated in a workspace', fields);
  }
  await dropBrokenBranches(request, present);
}

async function updateRefs(
  view: RepositoryView,
  refs: readonly (readonly [string, string])[],
  signal: AbortSignal,
): Promise<boolean> {
  if (refs.length === 0) return true;
  const input = refs.map(([name, id]) => `update ${name} ${id}\n`).join('');
  return (await view.query(['update-ref', '--stdin'], { signal, input })) !== null;
}

async function dropBrokenBranches(
  { view, mirror, signal }: RemoteBranchesRequest,
  present: ReadonlyMap<string, string>,
): Promise<void> {
  const stale = [...present].filter(
    ([name]) => name.startsWith('refs/remotes/origin/') && !mirror.refs.has(name),
  );
  if (stale.length === 0) return;
  const input = stale.map(([, id]) => `${id}\n`).join('');
  const found = await view.run(['cat-file', '--batch-check=%(objectname)'], { signal, input });
  const missing = new Set(found.split('\n').filter((line) => line.endsWith(' missing')));
  for (const [name, id] of stale) {
    if (!missing.has(`${id} missing`)) continue;
    await view.query(['update-ref', '-d', name], { signal });
    const log = join(view.gitDirectory, 'logs', name);
    if ((await pathKind(log)) === 'other') await rm(log);
  }
}
