import { sep } from 'node:path';
import type { ErrorCode } from '../../errors/codes.ts';
import type { Config, TrackerConfig } from '../config.ts';

/** The directories one workflow uses, and for whom. */
export interface RootUse {
  readonly workflowPath: string;
  /** Kind and scope of the tracker: two workflows with the same one work on the same issues. */
  readonly scope: string;
  readonly workspaceRoot: string;
  /** Null when nothing is cloned. */
  readonly mirrorRoot: string | null;
}

export interface RootConflict {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Names the issues a worker sees: the tracker and its project, repository or folder. */
export function trackerScopeOf({ kind, endpoint, place }: TrackerConfig): string {
  return [kind, endpoint, place].filter((part) => part !== null).join(' ');
}

export function rootUseOf(config: Config): RootUse {
  return {
    workflowPath: config.workflowPath,
    scope: trackerScopeOf(config.tracker),
    workspaceRoot: config.workspace.root,
    mirrorRoot: config.repo === null ? null : config.workspace.mirrorRoot,
  };
}

/**
 * Why `own` must not run beside `other`, or null. Workflows of different scopes may share a workspace root, and all
 * may share mirrors; what harms is the same issues in the same workspaces (a maker and its reviewer), or one
 * workflow's root inside another's, where it looks like a workspace. Paths are compared as given: pass real ones.
 */
export function findRootConflict(own: RootUse, other: RootUse): RootConflict | null {
  if (own.workspaceRoot === other.workspaceRoot) {
    if (own.scope !== other.scope) return null;
    return {
      code: 'worker_already_running',
      message: `${other.workflowPath} works on the same issues in ${own.workspaceRoot}`,
      hint: 'Give each workflow a workspace.root of its own, or run only one of them.',
    };
  }
  if (overlaps(own.workspaceRoot, other.workspaceRoot)) {
    return nested('workspace.root', own.workspaceRoot, `the workspace root ${other.workspaceRoot}`, other);
  }
  if (other.mirrorRoot !== null && overlaps(own.workspaceRoot, other.mirrorRoot)) {
    return nested('workspace.root', own.workspaceRoot, `the mirror root ${other.mirrorRoot}`, other);
  }
  if (own.mirrorRoot !== null && overlaps(own.mirrorRoot, other.workspaceRoot)) {
    return nested(
      'workspace.mirror_root',
      own.mirrorRoot,
      `the workspace root ${other.workspaceRoot}`,
      other,
    );
  }
  return null;
}

function nested(key: string, path: string, theirs: string, other: RootUse): RootConflict {
  return {
    code: 'shared_root',
    message: `${key} ${path} overlaps ${theirs} of ${other.workflowPath}`,
    hint: `Set ${key} to a directory that is neither inside the other nor around it.`,
  };
}

/** True when the paths are equal or one is inside the other. */
export function overlaps(a: string, b: string): boolean {
  const inside = (outer: string, inner: string) =>
    inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
  return a === b || inside(a, b) || inside(b, a);
}
