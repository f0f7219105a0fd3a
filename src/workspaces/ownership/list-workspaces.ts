import { realpath } from 'node:fs/promises';
import { ifMissing } from '../../errors/app-error.ts';
import { type Layout, layoutOf } from '../files/layout.ts';
import { childPath, pathKind } from '../files/path-safety.ts';
import type { OwnedWorkspace } from '../workspaces.ts';
import { listRecords, type WorkspaceScope } from './ownership-record.ts';

/** The workspaces of a scope that are on disk. */
export async function listWorkspaces(layout: Layout, scope: WorkspaceScope): Promise<OwnedWorkspace[]> {
  const owned: OwnedWorkspace[] = [];
  for (const { key, issueId, identifier } of await listRecords(layout, scope)) {
    const path = childPath(layout.root, key);
    if ((await pathKind(path)) === 'directory') owned.push({ path, key, issueId, identifier });
  }
  return owned;
}

/** The same for somebody who only looks: nothing is created or tidied up, and without a root there are none. */
export async function readWorkspaces(
  root: string,
  scope: WorkspaceScope,
): Promise<readonly OwnedWorkspace[]> {
  const real = await realpath(root).catch(ifMissing(null));
  return real === null ? [] : listWorkspaces(layoutOf(real), scope);
}
