import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoConfig } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import type { Checkouts } from './checkout/checkout.ts';
import { type Layout, layoutOf } from './files/layout.ts';
import { openRoot } from './files/path-safety.ts';
import type { Git } from './git/git.ts';
import type { SettledConfigs } from './git/settled-configs.ts';
import type { Locks } from './locks/locks.ts';
import type { Mirrors } from './mirror/mirrors.ts';
import type { KnownFacts } from './ownership/known-facts.ts';
import { recogniseWorkspace, type WorkspaceScope } from './ownership/ownership-record.ts';
import type { PushLimits } from './push/limits.ts';
import { openView, type RepositoryView } from './reading/repository-view.ts';
import type { Retention } from './rescue/retention.ts';

/** What the parts of one `Workspaces` share. */
export interface WorkspacesContext {
  readonly root: string;
  readonly scope: WorkspaceScope;
  /** True when the tracker gives the same id to unrelated issues: a fresh folder starts with TASK-1 again. */
  readonly reusesIds: boolean;
  /** Names the process that creates workspaces, in their records. */
  creator(): Promise<string>;
  /** Null when hooks fill the workspaces. */
  readonly repo: RepoConfig | null;
  readonly git: Git;
  readonly locks: Locks;
  readonly mirrors: Mirrors;
  readonly logger: Logger;
  readonly checkouts: Checkouts;
  readonly settledConfigs: SettledConfigs;
  readonly facts: KnownFacts;
  /** A partial-clone filter the mirrors use; null when they hold everything. */
  readonly filter: string | null;
  readonly minFreeBytes: number;
  readonly retention: Retention;
  readonly pushLimits: PushLimits;
}

/** The same parts, with log lines that name the issue. */
export function aboutIssue(
  context: WorkspacesContext,
  { issueId, identifier }: { readonly issueId: string; readonly identifier: string },
): WorkspacesContext {
  const logger = context.logger.with({ issue_id: issueId, issue_identifier: identifier });
  return { ...context, logger };
}

/** The layout below the root's real path; the root is created when missing. */
export async function openLayout({ root }: WorkspacesContext): Promise<Layout> {
  const layout = layoutOf(await openRoot(root));
  await mkdir(layout.staging, { recursive: true, mode: 0o700 });
  return layout;
}

/** Runs `work` while nobody else prepares or removes the workspace of this key. */
export function withKeyLock<T>(
  { locks }: WorkspacesContext,
  layout: Layout,
  key: string,
  purpose: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return locks.run(join(layout.locks, `${key.toLowerCase()}.lock`), purpose, signal, work);
}

/**
 * Runs `work` with a view of a workspace's repository, or with null when there is none. Throws `repository_unsafe` when
 * it is not the one that was made there, or holds what must not be read.
 */
export async function withView<T>(
  { git }: WorkspacesContext,
  layout: Layout,
  workTree: string,
  mirrorPath: string | null,
  work: (view: RepositoryView | null) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const known = await recogniseWorkspace(layout, workTree);
  if (known === null) return work(null);
  const mirrors = mirrorPath === null ? [] : [join(mirrorPath, 'objects')];
  const view = await openView({
    git,
    workTree,
    scratch: layout.staging,
    objects: [...new Set([...mirrors, ...known.borrowed])],
    location: known.location,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    return await work(view);
  } finally {
    await view?.close();
  }
}
