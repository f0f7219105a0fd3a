import { join } from 'node:path';
import { pathKind } from '../files/path-safety.ts';
import { readPlainRefs } from '../reading/refs.ts';
import type { RepositoryView } from '../reading/repository-view.ts';

/** What the repository's own refs name, without a git process; null when that takes one, or something is stashed. */
export async function ownTips(view: RepositoryView): Promise<readonly string[] | null> {
  const refs = await readPlainRefs(view.commonDirectory);
  const stashes = await pathKind(join(view.commonDirectory, 'logs', 'refs', 'stash'));
  if (refs === null || stashes !== 'missing') return null;
  return [...refs].filter(([name]) => !name.startsWith('refs/remotes/')).map(([, id]) => id);
}

/** The commit that is checked out when nothing is uncommitted and no repository is inside; null otherwise. */
export async function cleanHead(view: RepositoryView, signal: AbortSignal): Promise<string | null> {
  if ((await view.scan(signal)) > 0) return null;
  const status = await view.status(signal);
  return status === null || status.uncommitted.size > 0 ? null : status.head;
}

/**
 * True when all that a workspace holds is surely elsewhere, so that nobody need be asked for more. Tips that are not known
 * cost no git process.
 */
export async function holdsOnlyKnown(
  view: RepositoryView,
  isKnown: (commit: string) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const own = await ownTips(view);
  if (own === null || !own.every(isKnown)) return false;
  const head = await cleanHead(view, signal);
  return head !== null && isKnown(head);
}
