import { describe, expect, test } from 'vitest';
import { isGranted, turnSandboxPolicy } from './policies.ts';

const NOTHING = {
  granular: {
    sandbox_approval: false,
    rules: false,
    skill_approval: false,
    request_permissions: false,
    mcp_elicitations: false,
  },
};

describe('isGranted', () => {
  test.each(['command', 'file_change', 'permissions', 'elicitation'] as const)('%s', (asked) => {
    expect(isGranted('never', asked)).toBe(true);
    for (const policy of ['on-request', 'untrusted', NOTHING, null, 'invented', { granular: null }]) {
      expect(isGranted(policy, asked)).toBe(false);
    }
  });

  test('a granular flag grants its own kind only', () => {
    const sandbox = { granular: { ...NOTHING.granular, sandbox_approval: true } };
    expect([isGranted(sandbox, 'command'), isGranted(sandbox, 'file_change')]).toEqual([true, true]);
    expect([isGranted(sandbox, 'permissions'), isGranted(sandbox, 'elicitation')]).toEqual([false, false]);
    expect(isGranted({ granular: { request_permissions: true } }, 'permissions')).toBe(true);
    expect(isGranted({ granular: { mcp_elicitations: true } }, 'elicitation')).toBe(true);
    expect(isGranted({ granular: { rules: 'yes' } }, 'command')).toBe(false);
  });
});

describe('turnSandboxPolicy', () => {
  const git = '/ws/.git';
  const base = { outerSandbox: null, threadPolicy: null, gitDirectory: git };

  test('workspace-write opens .git and closes /tmp', () => {
    const codex = { threadSandbox: 'workspace-write', turnSandboxPolicy: null };
    expect(turnSandboxPolicy({ ...base, codex })).toEqual({
      type: 'workspaceWrite',
      writableRoots: [git],
      networkAccess: false,
      excludeTmpdirEnvVar: true,
      excludeSlashTmp: true,
    });
  });

  test("the user's own Codex settings for network and roots are kept", () => {
    const codex = { threadSandbox: 'workspace-write', turnSandboxPolicy: null };
    const threadPolicy = {
      type: 'workspaceWrite',
      networkAccess: true,
      writableRoots: ['/cache'],
      excludeSlashTmp: false,
    };
    expect(turnSandboxPolicy({ ...base, codex, threadPolicy, gitDirectory: null })).toMatchObject({
      networkAccess: true,
      writableRoots: ['/cache'],
      excludeSlashTmp: true,
    });
  });

  test('a written policy is sent as it is, with .git added where it writes to the workspace', () => {
    const written = { type: 'workspaceWrite', networkAccess: true, excludeSlashTmp: false };
    const codex = { threadSandbox: 'read-only', turnSandboxPolicy: written };
    expect(turnSandboxPolicy({ ...base, codex })).toEqual({ ...written, writableRoots: [git] });
    const external = { type: 'externalSandbox', networkAccess: 'enabled' };
    expect(turnSandboxPolicy({ ...base, codex: { ...codex, turnSandboxPolicy: external } })).toBe(external);
  });

  test('inside another sandbox that one holds, unless the workflow says otherwise', () => {
    const codex = { threadSandbox: 'workspace-write', turnSandboxPolicy: null };
    expect(turnSandboxPolicy({ ...base, codex, outerSandbox: { network: true } })).toEqual({
      type: 'externalSandbox',
      networkAccess: 'enabled',
    });
    const written = { type: 'readOnly', networkAccess: false };
    const own = {
      ...base,
      codex: { ...codex, turnSandboxPolicy: written },
      outerSandbox: { network: false },
    };
    expect(turnSandboxPolicy(own)).toBe(written);
  });

  test.each([
    ['danger-full-access', { type: 'dangerFullAccess' }],
    ['read-only', { type: 'readOnly', networkAccess: false }],
  ])('%s', (threadSandbox, policy) => {
    expect(turnSandboxPolicy({ ...base, codex: { threadSandbox, turnSandboxPolicy: null } })).toEqual(policy);
  });
});
