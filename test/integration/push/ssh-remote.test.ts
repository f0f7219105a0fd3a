import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { branches, git } from '../../e2e/cli/git.ts';
import { openFixture, startWorker } from '../../e2e/cli/worker-fixture.ts';
import { hasSshServer, startSshAgent, startSshServer } from './ssh-server.ts';

describe.skipIf(!hasSshServer())('a remote that is reached by ssh', () => {
  test.each([
    ['a key that GIT_SSH_COMMAND names', 'key', 'git'],
    ["the worker's own ssh agent", 'agent', 'git'],
    ['a key, by the tool', 'key', 'tool'],
  ] as const)('is pushed to with %s, which no agent and no hook sees', async (_, how, push) => {
    const fixture = await openFixture();
    const server = await startSshServer(join(fixture.directory, 'ssh'));
    const seen = join(fixture.directory, 'seen');
    mkdirSync(seen);
    await fixture.writeWorkflow({
      repo: { clone_url: server.urlOf(fixture.remote) },
      verify: { commands: [`env > '${seen}/agent'`] },
      hooks: { before_run: `env > '${seen}/hook'` },
    });
    const signIn =
      how === 'key'
        ? {
            GIT_SSH_COMMAND: `${server.client} -o IdentitiesOnly=yes -o IdentityAgent=none -i '${server.key}'`,
          }
        : {
            GIT_SSH_COMMAND: server.client,
            SSH_AUTH_SOCK: await startSshAgent(fixture.directory, server.key),
          };
    await fixture.writeIssue('SSH-1', { mock: { push } });
    const worker = await startWorker({ ...fixture, env: { ...fixture.env, ...signIn } });
    const row = await worker.until('the run is over', ({ ended }) => ended[0] ?? null, { withinMs: 60_000 });
    expect(row, worker.stderr().slice(-2_000)).toMatchObject({ outcome: 'delivered', pushed: true });
    expect(branches(fixture.remote)).toEqual(['ai/SSH-1', 'main']);
    const workspace = fixture.workspace('SSH-1');
    expect(git(fixture.remote, 'rev-parse', 'ai/SSH-1')).toBe(git(workspace, 'rev-parse', 'HEAD'));
    expect(git(workspace, 'fetch', '--dry-run', 'origin')).toBe('');
    for (const name of ['agent', 'hook']) {
      const environment = readFileSync(join(seen, name), 'utf8');
      expect(environment).toContain('AIOPS_ISSUE_IDENTIFIER=SSH-1');
      expect(environment).not.toMatch(/SSH_AUTH_SOCK|GIT_SSH|SSH_AGENT/);
      expect(environment).not.toContain(server.key);
    }
    await worker.end('SIGTERM');
  });

  test('a key that the server does not take keeps the worker from starting, with what ssh said', async () => {
    const fixture = await openFixture();
    const server = await startSshServer(join(fixture.directory, 'ssh'));
    await fixture.writeWorkflow({ repo: { clone_url: server.urlOf(fixture.remote) } });
    const env = { ...fixture.env, GIT_SSH_COMMAND: `${server.client} -o IdentityAgent=none -i /nowhere` };
    const start = startWorker({ ...fixture, env });
    await expect(start).rejects.toThrow(/Repository: .*Permission denied \(publickey\).*\n.*an ssh key/);
    expect(branches(fixture.remote)).toEqual(['main']);
  });
});
