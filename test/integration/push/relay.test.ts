import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PushRequest } from '../../../src/domain/push.ts';
import type { OpenRelay, Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

const BRANCH = 'ai/ENG-1';

let fixture: Fixture;
let workspaces: Workspaces;
let workspace: Workspace;
let relay: OpenRelay;
let asked: PushRequest[];

beforeEach(async () => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  asked = [];
  open();
});
afterEach(async () => {
  await relay.close();
  fixture.dispose();
});

function open(): void {
  relay = workspaces.openRelay(workspace, (request) => {
    asked.push(request);
    return workspaces.push('ENG-1', request, never);
  });
}

interface Ended {
  readonly code: number;
  readonly text: string;
}

/** git as an agent runs it: beside the worker, not in its way. */
function agentGit(...args: string[]): Promise<Ended> {
  const options = { cwd: workspace.path, env: fixture.environment, encoding: 'utf8' as const };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
    );
  });
}

const head = (): string => fixture.git(workspace.path, 'rev-parse', 'HEAD');
const onRemote = (): string => fixture.git(fixture.remote, 'rev-parse', `refs/heads/${BRANCH}`);

describe('plain git push', () => {
  test.each([
    ['git push', ['push']],
    ['git push origin BRANCH', ['push', 'origin', BRANCH]],
    ['git push -u origin HEAD', ['push', '-u', 'origin', 'HEAD']],
    ['git push origin HEAD:refs/heads/BRANCH', ['push', 'origin', `HEAD:refs/heads/${BRANCH}`]],
  ])('%s reaches the remote, and the tracking branch moves', async (_, args) => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    const first = await agentGit(...args);
    expect(first).toMatchObject({ code: 0 });
    expect(first.text).toContain(`remote: The worker pushed ${BRANCH} to the remote.`);
    expect(onRemote()).toBe(head());
    expect(fixture.git(workspace.path, 'rev-parse', `refs/remotes/origin/${BRANCH}`)).toBe(head());
    fixture.commit(workspace.path, { 'two.txt': '2\n' });
    expect(await agentGit(...args)).toMatchObject({ code: 0 });
    expect(onRemote()).toBe(head());
    expect(asked).toEqual([
      { commit: fixture.git(workspace.path, 'rev-parse', 'HEAD~1'), force: false },
      { commit: head(), force: false },
    ]);
  });

  test.each([['--force'], ['--force-with-lease'], ['+']])('replaces own commits with %s', async (how) => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    await agentGit('push');
    fixture.git(workspace.path, 'commit', '--quiet', '--amend', '--message', 'Better');
    const refused = await agentGit('push');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('non-fast-forward');
    const args = how === '+' ? ['origin', `+HEAD:${BRANCH}`] : [how];
    expect(await agentGit('push', ...args)).toMatchObject({ code: 0 });
    expect(onRemote()).toBe(head());
    expect(asked.at(-1)).toEqual({ commit: head(), force: true });
  });

  test("shows what the remote's hook says, and fails with it", async () => {
    const hook = join(fixture.remote, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "Sign your commits first."\nexit 1\n');
    chmodSync(hook, 0o755);
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    const { code, text } = await agentGit('push');
    expect(code).not.toBe(0);
    expect(text).toContain('remote: Sign your commits first.');
    expect(text).toContain('pre-receive hook declined');
    expect(existsSync(join(fixture.remote, 'refs/heads', BRANCH))).toBe(false);
    rmSync(hook);
    expect(await agentGit('push')).toMatchObject({ code: 0 });
  });

  test("meets a reviewer's commit: fetch shows it, a merge goes through", async () => {
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    await agentGit('push', '-u', 'origin', 'HEAD');
    const theirs = fixture.pushToRemote(BRANCH, { 'review.txt': 'theirs\n' }, BRANCH);
    fixture.commit(workspace.path, { 'two.txt': '2\n' });
    const refused = await agentGit('push');
    expect(refused.text).toContain('git fetch');
    expect(onRemote()).toBe(theirs);
    expect(await agentGit('fetch')).toMatchObject({ code: 0 });
    expect(fixture.git(workspace.path, 'rev-parse', `refs/remotes/origin/${BRANCH}`)).toBe(theirs);
    expect(await agentGit('rebase', `origin/${BRANCH}`)).toMatchObject({ code: 0 });
    expect(await agentGit('push')).toMatchObject({ code: 0 });
    expect(onRemote()).toBe(head());
    expect((await agentGit('status', '-sb')).text).toContain(`## ${BRANCH}...origin/${BRANCH}\n`);
  });
});

describe('the settings of a workspace', () => {
  test('show the real address, and lead reading and pushing elsewhere', async () => {
    expect(fixture.git(workspace.path, 'config', '--get', 'remote.origin.url')).toBe(fixture.remote);
    fixture.pushToRemote('feature', { 'f.txt': 'f\n' }, 'main');
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
    const { text } = await agentGit('ls-remote', 'origin');
    expect(text).toContain('refs/heads/feature');
    rmSync(fixture.remote, { recursive: true });
    expect(await agentGit('fetch', 'origin')).toMatchObject({ code: 0 });
  });

  test('are made again when a workspace goes on, whatever its agent made of them', async () => {
    await relay.close();
    rmSync(join(workspace.path, '.git', 'aiops'), { recursive: true });
    fixture.git(workspace.path, 'config', 'remote.origin.pushurl', '/nowhere');
    fixture.git(workspace.path, 'config', 'remote.origin.url', 'https://u:canary@forge.invalid/a/b.git');
    workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    open();
    expect(readFileSync(join(workspace.path, '.git', 'config'), 'utf8')).not.toContain('canary');
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    expect(await agentGit('push')).toMatchObject({ code: 0 });
    expect(onRemote()).toBe(head());
  });

  test('are the plain ones where agents push by themselves', async () => {
    await relay.close();
    const repo = { ...fixture.repo, push: 'agent' as const };
    const own = fixture.workspaces({ repo });
    workspace = await fixture.prepareConfirmed(own, issueOf('ENG-1'), repo);
    relay = own.openRelay(workspace, () => Promise.reject(new Error('nobody asks')));
    expect(existsSync(join(workspace.path, '.git', 'aiops'))).toBe(false);
    expect(readFileSync(join(workspace.path, '.git', 'config'), 'utf8')).not.toMatch(/insteadOf/i);
    fixture.commit(workspace.path, { 'one.txt': '1\n' });
    expect(await agentGit('push', 'origin', 'HEAD')).toMatchObject({ code: 0 });
    expect(onRemote()).toBe(head());
  });
});
