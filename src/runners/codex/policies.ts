import type { SandboxPolicy } from './generated/protocol.d.ts';
import type { CodexSettings } from './settings.ts';

/** What a server request asks to be allowed. */
export type Permission = 'command' | 'file_change' | 'permissions' | 'elicitation';

/**
 * Whether a request is granted without asking anybody: `never` means that nobody is asked, so it is; in a granular
 * policy each flag grants its own kind; every other policy leaves the decision to a person.
 */
export function isGranted(policy: unknown, permission: Permission): boolean {
  if (policy === 'never' || policy === 'on-failure') return true;
  const granular = field(policy, 'granular');
  switch (permission) {
    case 'permissions':
      return field(granular, 'request_permissions') === true;
    case 'elicitation':
      return field(granular, 'mcp_elicitations') === true;
    case 'command':
    case 'file_change':
      return field(granular, 'sandbox_approval') === true || field(granular, 'rules') === true;
  }
}

export interface SandboxFacts {
  readonly codex: Pick<CodexSettings, 'threadSandbox' | 'turnSandboxPolicy'>;
  /** A sandbox around the whole process, in which Codex cannot build another one of its own. */
  readonly outerSandbox: { readonly network: boolean } | null;
  /** The policy the server itself derived for the thread, with the user's own Codex settings in it. */
  readonly threadPolicy: Readonly<Record<string, unknown>> | null;
  /** The workspace's git directory, null when it has none. */
  readonly gitDirectory: string | null;
}

/**
 * The sandbox of each turn. A policy that writes to the workspace also lets git write its own directory there, or no
 * commit could be made. /tmp stays closed unless the workflow's own policy opens it: other runs use it too.
 */
export function turnSandboxPolicy(facts: SandboxFacts): SandboxPolicy {
  const { codex, outerSandbox, threadPolicy, gitDirectory } = facts;
  // The workflow's own may be meant for another version: the server judges it.
  const written = codex.turnSandboxPolicy as SandboxPolicy | null;
  if (written !== null) return withGit(written, gitDirectory);
  if (outerSandbox !== null) {
    return { type: 'externalSandbox', networkAccess: outerSandbox.network ? 'enabled' : 'restricted' };
  }
  const network = field(threadPolicy, 'networkAccess') === true;
  switch (codex.threadSandbox) {
    case 'danger-full-access':
      return { type: 'dangerFullAccess' };
    case 'read-only':
      return { type: 'readOnly', networkAccess: network };
    default:
      return withGit(
        {
          type: 'workspaceWrite',
          writableRoots: pathsIn(threadPolicy),
          networkAccess: network,
          excludeTmpdirEnvVar: true,
          excludeSlashTmp: true,
        },
        gitDirectory,
      );
  }
}

function withGit(policy: SandboxPolicy, gitDirectory: string | null): SandboxPolicy {
  const roots = pathsIn(policy);
  if (policy.type !== 'workspaceWrite' || gitDirectory === null || roots.includes(gitDirectory))
    return policy;
  return { ...policy, writableRoots: [...roots, gitDirectory] };
}

function pathsIn(policy: unknown): readonly string[] {
  const roots = field(policy, 'writableRoots');
  return Array.isArray(roots) ? roots.filter((root): root is string => typeof root === 'string') : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
