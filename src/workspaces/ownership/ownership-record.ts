import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseForeignJson } from '../../domain/nesting.ts';
import { ifMissing } from '../../errors/app-error.ts';
import { removeFile } from '../../process/files/remove-file.ts';
import type { Layout } from '../files/layout.ts';
import { readRegularFile, replaceFile } from '../files/path-safety.ts';
import { branchName } from './branch-name.ts';
import { gitIdentitySchema, type KnownRepository, recognise } from './git-identity.ts';
import { forgetSeen } from './seen-branch.ts';

/** The tracker and the part of it (project, repository, folder) a worker serves. */
export interface WorkspaceScope {
  readonly trackerKind: string;
  readonly trackerScope: string;
}

const recordSchema = z.object({
  version: z.literal(1),
  key: z.string().min(1),
  trackerKind: z.string(),
  trackerScope: z.string(),
  issueId: z.string(),
  identifier: z.string(),
  /** `host/path` of the repository, null for a plain directory. */
  repository: z.string().nullable(),
  createdAt: z.string(),
  /** The process that is creating the workspace, until its creation is confirmed. */
  creator: z.string().nullable(),
  /** The repository the workspace was made with; null for one that is older than this record, or has none. */
  git: gitIdentitySchema.nullable().default(null),
  /** The work branch; null until it is chosen. A record older than this field has the name made of the issue's id. */
  branch: z.string().min(1).nullable().optional(),
});

/** Says whose a workspace is. Kept beside the workspaces, where no agent writes. */
export type OwnershipRecord = z.infer<typeof recordSchema>;

/** `unreadable` stands for a record that exists but says nothing: its workspace is nobody's to touch. */
export type RecordLookup = OwnershipRecord | 'unreadable' | null;

export async function readRecord(layout: Layout, key: string): Promise<RecordLookup> {
  const text = await readRegularFile(recordPath(layout, key));
  return text === null ? null : parseRecord(text);
}

export async function writeRecord(layout: Layout, record: OwnershipRecord): Promise<void> {
  await mkdir(layout.owners, { recursive: true, mode: 0o700 });
  await replaceFile(recordPath(layout, record.key), `${JSON.stringify(record, null, 2)}\n`);
}

/** The repository of a workspace as its record knows it; null when it has none. Throws `repository_unsafe`. */
export async function recogniseWorkspace(layout: Layout, path: string): Promise<KnownRepository | null> {
  const record = await readRecord(layout, basename(path));
  return recognise(path, record === null || record === 'unreadable' ? null : record.git);
}

/** The branch the issue of a record works on. */
export function branchOf({ branch, issueId }: OwnershipRecord): string {
  return branch ?? branchName(issueId);
}

export async function deleteRecord(layout: Layout, key: string): Promise<void> {
  await removeFile(recordPath(layout, key));
  await forgetSeen(layout, key);
}

/** Every readable record of a scope, in the order of their keys. */
export async function listRecords(layout: Layout, scope: WorkspaceScope): Promise<OwnershipRecord[]> {
  const names = await readdir(layout.owners).catch(ifMissing([]));
  const records: OwnershipRecord[] = [];
  for (const name of names.sort()) {
    if (!name.endsWith('.json')) continue;
    const text = await readRegularFile(join(layout.owners, name));
    const record = text === null ? null : parseRecord(text);
    if (record === null || record === 'unreadable' || !sameScope(record, scope)) continue;
    if (recordPath(layout, record.key) === join(layout.owners, name)) records.push(record);
  }
  return records;
}

export function sameScope(record: OwnershipRecord, scope: WorkspaceScope): boolean {
  return record.trackerKind === scope.trackerKind && record.trackerScope === scope.trackerScope;
}

/** Lower-cased, so that two keys a case-insensitive disk would merge share a record and are told apart by it. */
function recordPath(layout: Layout, key: string): string {
  return join(layout.owners, `${key.toLowerCase()}.json`);
}

function parseRecord(text: string): OwnershipRecord | 'unreadable' {
  try {
    const parsed = recordSchema.safeParse(parseForeignJson(text));
    return parsed.success ? parsed.data : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
