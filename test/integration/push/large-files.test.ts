import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';
import { leaksOf, readAll } from './canary-scan.ts';
import { serveWithPassword } from './http-remote.ts';

const hasLfs = ((): boolean => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const CONTENT = 'a large file, kept elsewhere\n'.repeat(100);
const OID = createHash('sha256').update(CONTENT).digest('hex');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize ${CONTENT.length}\n`;
const way = (oid: string): string => join('lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

async function start(workspaces: Workspaces): Promise<Workspace> {
  return fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
}

/** What git-lfs would have left: a pointer in the commit, the content beside the objects. */
function commitPointer(path: string, name = 'big.bin', pointer = POINTER): void {
  fixture.commit(path, { [name]: pointer });
  mkdirSync(join(path, '.git', way(OID), '..'), { recursive: true });
  writeFileSync(join(path, '.git', way(OID)), CONTENT);
}

test('without git-lfs on the machine of the worker, the files are named and nothing is pushed', async () => {
  const environment = { ...fixture.environment, PATH: fixture.pathOf('git', 'sh', 'dd') };
  const workspaces = fixture.workspaces({ environment });
  const { path } = await start(workspaces);
  commitPointer(path);
  expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({
    ok: false,
    code: 'lfs_missing',
    message: expect.stringContaining('big.bin'),
  });
  expect(existsSync(join(fixture.remote, 'refs', 'heads', 'ai', 'ENG-1'))).toBe(false);
});

describe.runIf(hasLfs)('with git-lfs', () => {
  test('files go to the remote before the commits that point to them', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await start(workspaces);
    commitPointer(path);
    expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({ ok: true });
    expect(existsSync(join(fixture.remote, way(OID)))).toBe(true);
  });

  test("an agent's own settings of LFS are not obeyed, and only what a pointer names is sent", async () => {
    const workspaces = fixture.workspaces();
    const { path } = await start(workspaces);
    const fired = join(fixture.base, 'fired');
    const lfsconfig = `[lfs]\n\turl = http://127.0.0.1:1/\n\tstandalonetransferagent = evil\n[lfs "customtransfer.evil"]\n\tpath = touch\n\targs = ${fired}\n`;
    fixture.commit(path, { '.lfsconfig': lfsconfig });
    for (const [name, value] of [
      ['lfs.url', 'http://127.0.0.1:1/'],
      ['lfs.standalonetransferagent', 'evil'],
      ['lfs.customtransfer.evil.path', 'touch'],
      ['lfs.customtransfer.evil.args', fired],
    ] as const)
      fixture.git(path, 'config', name, value);
    commitPointer(path);
    const other = 'f'.repeat(64);
    mkdirSync(join(path, '.git', way(other), '..'), { recursive: true });
    symlinkSync('/etc/hostname', join(path, '.git', way(other)));
    commitPointer(path, 'link.bin', POINTER.replace(OID, other));
    expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({ ok: true });
    expect(existsSync(fired)).toBe(false);
    expect(existsSync(join(fixture.remote, way(OID)))).toBe(true);
    expect(existsSync(join(fixture.remote, way(other)))).toBe(false);
  });

  test('plain git push with the hook of git-lfs goes through the relay', async () => {
    fixture.pushToRemote('main', { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' }, 'main');
    const workspaces = fixture.workspaces();
    const workspace = await start(workspaces);
    expect(existsSync(join(workspace.path, '.git', 'hooks', 'pre-push'))).toBe(true);
    const relay = workspaces.openRelay(workspace, (request) => workspaces.push('ENG-1', request, never));
    fixture.commit(workspace.path, { 'big.bin': CONTENT });
    expect(fixture.git(workspace.path, 'show', 'HEAD:big.bin')).toContain(OID);
    const options = { cwd: workspace.path, env: fixture.environment };
    const failure = await new Promise<Error | null>((resolve) => {
      execFile('git', ['push'], options, (error) => resolve(error));
    });
    await relay.close();
    expect(failure).toBe(null);
    expect(existsSync(join(fixture.remote, way(OID)))).toBe(true);
  });

  test('files go to a server that wants a password, which is in no file of the workspace', async () => {
    const password = 'canary-of-large-files';
    const remote = await serveWithPassword(fixture.remote, `bot:${password}`);
    const credential = {
      source: 'repo.token',
      username: new Secret('bot'),
      password: new Secret(password),
    } as const;
    const repo = { ...fixture.repo, cloneUrl: remote.url, credential };
    const workspaces = fixture.workspaces({ repo });
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repo);
    commitPointer(path);
    expect(await workspaces.push('ENG-1', { commit: null, force: false }, never)).toMatchObject({ ok: true });
    expect(remote.large.get(OID)?.toString()).toBe(CONTENT);
    expect(fixture.git(fixture.remote, 'show', 'ai/ENG-1:big.bin')).toContain(OID);
    expect(new Set(remote.signedIn)).toEqual(new Set([`bot:${password}`]));
    const texts = [fixture.root, fixture.mirrorRoot].flatMap((folder) => readAll(folder, fixture.base));
    expect(leaksOf(password, texts)).toEqual([]);
  });
});
