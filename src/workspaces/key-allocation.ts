import { readdir } from 'node:fs/promises';
import { AppError } from '../errors/app-error.ts';
import type { Layout } from './layout.ts';
import { type OwnershipRecord, readRecord, sameScope, type WorkspaceScope } from './ownership.ts';
import { childPath, pathKind } from './path-safety.ts';
import { alternativeKey, workspaceKey } from './workspace-key.ts';

/** Who wants a workspace. */
export interface Claimant extends WorkspaceScope {
  readonly issueId: string;
  readonly identifier: string;
  readonly repository: string | null;
}

export interface Allocation {
  readonly key: string;
  readonly path: string;
  /** The claimant's record of an earlier run, null for a new workspace. */
  readonly record: OwnershipRecord | null;
}

/**
 * The key a claimant may use: the plain one, or one of its own when that belongs to another scope, issue or repository,
 * or to nobody known. Throws `workspace_foreign` when that one is taken too.
 */
export async function allocateKey(layout: Layout, claimant: Claimant): Promise<Allocation> {
  const { trackerKind, trackerScope, issueId, repository, identifier } = claimant;
  const owner = [trackerKind, trackerScope, issueId, repository ?? ''];
  for (const key of [workspaceKey(identifier), alternativeKey(identifier, owner)]) {
    const path = childPath(layout.root, key);
    const record = await readRecord(layout, key);
    if (record === null && (await isFree(path, repository))) return { key, path, record: null };
    if (record !== null && record !== 'unreadable' && record.key === key && belongsTo(record, claimant)) {
      return { key, path, record };
    }
  }
  throw new AppError('workspace_foreign', `every workspace name for ${identifier} belongs to someone else`, {
    hint: `Look at ${layout.root}: remove the directories named after ${identifier} that are no longer wanted.`,
    context: { identifier, root: layout.root },
  });
}

function belongsTo(record: OwnershipRecord, claimant: Claimant): boolean {
  return (
    sameScope(record, claimant) &&
    record.issueId === claimant.issueId &&
    record.repository === claimant.repository
  );
}

/** A directory without a record is only taken over when that cannot cost anybody work. */
async function isFree(path: string, repository: string | null): Promise<boolean> {
  const kind = await pathKind(path);
  if (kind !== 'directory') return true;
  return repository === null || (await readdir(path)).length === 0;
}
