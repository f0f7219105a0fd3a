import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RepoConfig } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';
import { serveRedirect, serveWithPassword } from './http-remote.ts';

const CANARIES = {
  clone: 'canary-of-the-clone-address',
  tracker: 'canary-of-the-tracker',
  webhook: 'canary-of-webhooks',
  api: 'canary-of-the-api',
};

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

function repoAt(cloneUrl: string): RepoConfig {
  const credential = {
    source: 'clone_url',
    username: new Secret('bot'),
    password: new Secret(CANARIES.clone),
  } as const;
  return { ...fixture.repo, cloneUrl, credential };
}

/** Git that leaves its arguments and its environment behind before it does its work. */
function spyingGit(): { folder: string; log: string } {
  const [folder, log] = [join(fixture.base, 'bin'), join(fixture.base, 'spied')];
  mkdirSync(folder);
  mkdirSync(log);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\n{ tr '\\0' '\\n' </proc/self/environ; printf '%s\\n' "$@"; } >>'${log}'/$$\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return { folder, log };
}

function textsBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile())
    .map((path) => [path, readFileSync(path, 'latin1')]);
}

test('a password reaches the host that asks, and no file, environment or command line', async () => {
  const remote = await serveWithPassword(fixture.remote, `bot:${CANARIES.clone}`);
  const spy = spyingGit();
  const workspaces = fixture.workspaces({
    repo: repoAt(remote.url),
    environment: {
      ...fixture.environment,
      PATH: `${spy.folder}:${fixture.environment['PATH']}`,
      LINEAR_API_KEY: CANARIES.tracker,
      MY_WEBHOOK: CANARIES.webhook,
      AIOPS_API_TOKEN: CANARIES.api,
    },
  });
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repoAt(remote.url));
  fixture.commit(workspace.path, { 'one.txt': '1\n' });
  expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({
    ok: true,
    changed: true,
  });
  expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: true });
  expect(new Set(remote.signedIn)).toEqual(new Set([`bot:${CANARIES.clone}`]));
  const seen = [fixture.root, fixture.mirrorRoot, spy.log].flatMap(textsBelow);
  expect(seen.filter(([path]) => path.startsWith(spy.log)).length).toBeGreaterThan(5);
  for (const canary of Object.values(CANARIES)) {
    expect(seen.filter(([, text]) => text.includes(canary)).map(([path]) => path)).toEqual([]);
    const encoded = Buffer.from(`bot:${canary}`).toString('base64');
    expect(seen.filter(([, text]) => text.includes(encoded)).map(([path]) => path)).toEqual([]);
  }
});

test('a password that an earlier version left in a workspace and its mirror goes when they are used again', async () => {
  const remote = await serveWithPassword(fixture.remote, `bot:${CANARIES.clone}`);
  const repo = repoAt(remote.url);
  const workspaces = fixture.workspaces({ repo });
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repo);
  const old = remote.url.replace('://', `://bot:${CANARIES.clone}@`);
  for (const folder of [workspace.path, workspace.git?.mirrorPath ?? ''])
    fixture.git(folder, 'config', 'remote.origin.url', old);
  fixture.git(workspace.path, 'config', 'submodule.lib.url', `${old}-lib`);
  const modules = ['lib', 'libs/deep', 'lib/modules/inner'];
  for (const name of modules) {
    const folder = join(workspace.path, '.git', 'modules', name);
    fixture.git(fixture.base, 'init', '--quiet', '--bare', folder);
    fixture.git(folder, 'config', 'remote.origin.url', `${old}-lib`);
    fixture.git(folder, 'config', 'remote.fork.url', 'https://me:mine@fork.invalid/lib.git');
  }
  const elsewhere = join(fixture.base, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'config'), `[remote "origin"]\n\turl = ${old}\n`);
  symlinkSync(elsewhere, join(workspace.path, '.git', 'modules', 'link'));
  await fixture.prepare(workspaces, issueOf('ENG-1'), repo);
  for (const name of modules) {
    const folder = join(workspace.path, '.git', 'modules', name);
    expect(fixture.git(folder, 'config', 'remote.origin.url')).toBe(`${remote.url}-lib`);
    expect(fixture.git(folder, 'config', 'remote.fork.url')).toContain('me:mine@');
  }
  expect(readFileSync(join(elsewhere, 'config'), 'utf8')).toContain(CANARIES.clone);
  rmSync(join(workspace.path, '.git', 'modules', 'link'));
  const left = [fixture.root, fixture.mirrorRoot].flatMap(textsBelow);
  expect(left.filter(([, text]) => text.includes(CANARIES.clone)).map(([path]) => path)).toEqual([]);
});

test('another host that the remote sends git to gets no password', async () => {
  const other = await serveWithPassword(fixture.remote, 'nobody:knows');
  const redirect = await serveRedirect(() => new URL(other.url).origin);
  const repo = repoAt(`${redirect}/remote.git`);
  await expect(fixture.prepare(fixture.workspaces({ repo }), issueOf('ENG-1'), repo)).rejects.toMatchObject({
    code: 'git_failed',
  });
  expect(other.signedIn).toEqual([]);
});

test('a wrong password is a refusal that says what to do, without the password', async () => {
  const remote = await serveWithPassword(fixture.remote, 'bot:another');
  const repo = repoAt(remote.url);
  const attempt = fixture.prepare(fixture.workspaces({ repo }), issueOf('ENG-1'), repo);
  await expect(attempt).rejects.toMatchObject({
    code: 'git_failed',
    message: expect.not.stringContaining(CANARIES.clone),
    hint: expect.stringContaining('repo.token'),
  });
});

test('a remote that repeats the password, as it is or as a header, tells the agent nothing', async () => {
  const remote = await serveWithPassword(fixture.remote, `bot:${CANARIES.clone}`);
  const header = Buffer.from(`bot:${CANARIES.clone}`).toString('base64');
  const spoken = `#!/bin/sh\necho "You are ${CANARIES.clone}, by Basic ${header}."\n`;
  writeFileSync(join(fixture.remote, 'hooks', 'post-receive'), spoken, { mode: 0o755 });
  const repo = repoAt(remote.url);
  const workspaces = fixture.workspaces({ repo });
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repo);
  fixture.commit(workspace.path, { 'one.txt': '1\n' });
  const { remoteLines } = await workspaces.push('ENG-1', { commit: null, force: false }, never);
  expect(remoteLines.join('\n')).toMatch(/^You are /);
  expect(remoteLines.join('\n')).not.toContain(CANARIES.clone);
  expect(remoteLines.join('\n')).not.toContain(header.slice(8, -8));
});
