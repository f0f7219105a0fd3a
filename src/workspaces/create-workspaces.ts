import type { Logger } from '../observability/logger.ts';
import { createGit } from './git.ts';
import { createInspection } from './inspect.ts';
import { createLocks } from './locks.ts';
import { createMirrors } from './mirror.ts';
import type { WorkspaceScope } from './ownership.ts';
import { createPreparation } from './prepare.ts';
import { createRemoval } from './removal.ts';
import type { Workspaces } from './workspaces.ts';

export interface WorkspacesOptions {
  /** Absolute; created when missing. */
  readonly root: string;
  /** Absolute; created when missing. */
  readonly mirrorRoot: string;
  /** Whose workspaces these are; those of another scope under the same root are never touched. */
  readonly scope: WorkspaceScope;
  /** What git may see: PATH, HOME, proxies, ssh agent. Without tracker credentials. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Commits of history to fetch; 0, the default, fetches all. */
  readonly cloneDepth?: number;
  /** A partial-clone filter such as `blob:none`; null, the default, fetches everything. */
  readonly partialClone?: string | null;
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { root, mirrorRoot, scope, environment, logger } = options;
  const git = createGit(environment);
  const locks = createLocks();
  const filter = options.partialClone ?? null;
  const mirrors = createMirrors(
    { root: mirrorRoot, depth: options.cloneDepth ?? 0, filter },
    { git, locks, logger },
  );
  const context = { root, scope, git, locks, mirrors, logger, filter };
  return { ...createPreparation(context), ...createInspection(context), ...createRemoval(context) };
}
