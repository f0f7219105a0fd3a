import { execFile } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxConfig } from '../../../src/config/config.ts';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { borrowedFolders } from '../../../src/workspaces/mirror/reading.ts';
import type { Workspace } from '../../../src/workspaces/workspaces.ts';
import { sandboxWorks } from '../../fakes/sandboxes.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

/** Runs a shell in the workflow's sandbox, as an agent's commands run. */
async function inSandbox(config: SandboxConfig, workspace: Workspace, script: string): Promise<string> {
  const workspacePath = workspace.path;
  const sandbox = createSandbox(config, fixture.mirrorRoot);
  if (sandbox === null) throw new Error('no sandbox');
  const env = fixture.environment;
  const launch = await sandbox.wrap(
    { command: '/bin/sh', args: ['-c', script], env },
    {
      workspacePath,
      borrowedFolders: borrowedFolders(workspace.git?.mirrorPath ?? ''),
      stateFolders: [],
      variables: Object.keys(env),
    },
  );
  return new Promise((resolve) => {
    execFile(
      launch.command,
      [...launch.args],
      { cwd: workspacePath, env: launch.env },
      (error, stdout, stderr) => resolve(`${stdout}${stderr}${error === null ? '' : `exit ${error.code}`}`),
    );
  });
}

describe.each(['bubblewrap', 'firejail'] as const)('in %s without a network', (backend) => {
  describe.skipIf(!sandboxWorks(backend))('which works here', () => {
    test('plain git pushes the own branch and fetches what others pushed; the remote itself is out of sight', async () => {
      const workspaces = fixture.workspaces();
      const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
      const config: SandboxConfig = {
        enabled: true,
        backend,
        network: 'none',
        networkAllowlistCidrs: [],
        networkInterface: null,
        envAllowlist: [],
        credentialFiles: [],
        writableFolders: [],
      };
      fixture.commit(workspace.path, { 'one.txt': '1\n' });
      const relay = workspaces.openRelay(workspace, (request) => workspaces.push('ENG-1', request, never));
      const script = `ls '${fixture.remote}'; git push -u origin HEAD && git fetch && git ls-remote origin && git status -sb`;
      const text = await inSandbox(config, workspace, script);
      await relay.close();
      expect(text).toContain('The worker pushed ai/ENG-1 to the remote.');
      expect(text).not.toContain('exit ');
      expect(text).not.toContain('objects\n');
      expect(text).toContain('refs/heads/main');
      expect(text).toContain('## ai/ENG-1...origin/ai/ENG-1\n');
      expect(fixture.git(fixture.remote, 'rev-parse', 'refs/heads/ai/ENG-1')).toBe(
        fixture.git(workspace.path, 'rev-parse', 'HEAD'),
      );
    });
  });
});
