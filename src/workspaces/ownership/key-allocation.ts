import { readdir } from 'node:fs/promises';
import { AppError } from '../../errors/app-error.ts';
import type { Layout } from '../files/layout.ts';
import { childPath, pathKind } from '../files/path-safety.ts';
import { alternativeKey, workspaceKey } from '../files/workspace-key.ts';
import {
  type OwnershipRecord,
  readRecord,
  sameScope,
  type WorkspaceScope,
  writeRecord,
} from './ownership-record.ts';

/** Who wants a workspace. */
export interface Claimant extends WorkspaceScope {
  readonly issueId: string;
  readonly identifier: string;
  readonly repository: string | null;
}

/** A workspace someone may use. */
export interface Claim {
  readonly path: string;
  readonly record: OwnershipRecord;
}

/**
 * Picks the claimant's workspace and writes its record: the one it had, the plain key, or a key of its own when that
 * belongs to another scope, issue or repository, or to nobody known. Throws `workspace_foreign` when that is taken too.
 * Call it under one lock for the whole root, so that two claimants never take the same key.
 */
export async function claimKey(layout: Layout, claimant: Claimant): Promise<Claim> {
  const { trackerKind, trackerScope, issueId, repository, identifier } = claimant;
  const owner = [trackerKind, trackerScope, issueId, repository ?? ''];
  for (const key of [workspaceKey(identifier), alternativeKey(identifier, owner)]) {
    const path = childPath(layout.root, key);
    const record = await readRecord(layout, key);
    if (record === null && (await isFree(path, repository)))
      return { path, record: await register(layout, key, claimant) };
    if (record !== null && record !== 'unreadable' && record.key === key && belongsTo(record, claimant)) {
      return { path, record };
    }
  }
  throw new AppError('workspace_foreign', `every workspace name for ${identifier} belongs to someone else`, {
    hint: `Look at ${layout.root}: remove the directories named after ${identifier} that are no longer wanted.`,
    context: { identifier, root: layout.root },
  });
}

async function register(layout: Layout, key: string, claimant: Claimant): Promise<OwnershipRecord> {
  const createdAt = new Date().toISOString();
  const unknown = { creator: null, git: null, branch: null };
  const record: OwnershipRecord = { version: 1, key, ...claimant, createdAt, ...unknown };
  await writeRecord(layout, record);
  return record;
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
