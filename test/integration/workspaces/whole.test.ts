import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFixture, type Fixture, issueOf, never } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

const rescued = (): string[] => {
  const folder = join(fixture.root, '.aiops/rescue');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Deletes the packs of the first clone; what was fetched later stays. */
function loseFirstPack(mirror: string): void {
  const folder = join(mirror, 'objects/pack');
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), 0o644);
    rmSync(join(folder, name));
  }
}

async function mirrorWithHistory(): Promise<string> {
  const { git } = await fixture.prepareConfirmed(fixture.workspaces(), issueOf('OLD-1'));
  return git?.mirrorPath ?? '';
}

describe('a workspace is whole or it is not given to an agent', () => {
  test('after an old pack of the mirror disappeared', async () => {
    const mirror = await mirrorWithHistory();
    loseFirstPack(mirror);
    // The list of packs is gone with them, as a cleaner would have it.
    rmSync(join(mirror, 'aiops-packs.json'), { force: true });
    fixture.pushToRemote('main', { 'later.txt': 'later\n' }, 'main');
    const { path } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(readdirSync(path).sort()).toEqual(['.git', 'README.md', 'later.txt', 'src']);
    expect(fixture.git(path, 'status', '--porcelain')).toBe('');
    expect(fixture.git(path, 'fsck')).toBe('');
  });

  test('when objects vanish between the fetch and the checkout', async () => {
    const mirror = await mirrorWithHistory();
    const workspaces = fixture.workspaces();
    let lost = false;
    const onProgress = (detail: string): void => {
      if (detail !== 'checking out' || lost) return;
      lost = true;
      loseFirstPack(mirror);
    };
    const { path } = await workspaces.prepare(
      { issue: issueOf('ENG-1'), repo: fixture.repo, onProgress },
      never,
    );
    expect(lost).toBe(true);
    expect(fixture.git(path, 'status', '--porcelain')).toBe('');
    expect(fixture.git(path, 'fsck')).toBe('');
  });

  test('when git passes over a file that it cannot read, and reports success', async () => {
    const mirror = await mirrorWithHistory();
    let lost = false;
    const onProgress = (detail: string): void => {
      if (detail !== 'checking out' || lost) return;
      lost = true;
      const folder = join(mirror, 'objects/pack');
      const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'));
      const contents = packs.map((name) => readFileSync(join(folder, name)));
      loseFirstPack(mirror);
      for (const input of contents)
        execFileSync('git', ['unpack-objects', '-q'], { cwd: mirror, input, env: fixture.environment });
      const blob = fixture.git(mirror, 'rev-parse', 'refs/remotes/origin/main:README.md');
      rmSync(join(mirror, 'objects', blob.slice(0, 2), blob.slice(2)));
    };
    const request = { issue: issueOf('ENG-1'), repo: fixture.repo, onProgress };
    const { path } = await fixture.workspaces().prepare(request, never);
    expect(lost).toBe(true);
    expect(readdirSync(path).sort()).toEqual(['.git', 'README.md', 'src']);
    expect(fixture.git(path, 'status', '--porcelain')).toBe('');
  });

  test('a repository whose files look changed at once, for their line ends, is no damage', async () => {
    fixture.pushToRemote('main', { '.gitattributes': '*.txt text\n', 'dos.txt': 'a\r\nb\r\n' }, 'main');
    const { path } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(existsSync(join(path, 'dos.txt'))).toBe(true);
  });

  test('a continued workspace whose staged files are gone is not gone on with', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    writeFileSync(join(path, 'staged.txt'), 'staged\n');
    fixture.git(path, 'add', 'staged.txt');
    const blob = fixture.git(path, 'rev-parse', ':staged.txt');
    rmSync(join(path, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ createdNow: true });
    expect(rescued()).toHaveLength(1);
  });
});

describe('a mirror', () => {
  test('that was deleted is cloned again before workspaces are judged', async () => {
    const workspaces = fixture.workspaces();
    for (const id of ['ENG-1', 'ENG-2']) {
      const { path } = await fixture.prepareConfirmed(workspaces, issueOf(id));
      fixture.commit(path, { [`${id}.txt`]: id });
    }
    rmSync(fixture.mirrorRoot, { recursive: true });
    for (const id of ['ENG-1', 'ENG-2']) await workspaces.remove(id, never);
    expect(rescued()).toHaveLength(2);
    for (const name of rescued())
      expect(readdirSync(join(fixture.root, '.aiops/rescue', name))).not.toContain('workspace');
  });

  test('that is gone while the remote is away costs no workspace', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x' });
    rmSync(fixture.mirrorRoot, { recursive: true });
    renameSync(fixture.remote, `${fixture.remote}.away`);
    await expect(workspaces.remove('ENG-1', never)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('is kept'),
    });
    await expect(fixture.prepare(workspaces, issueOf('ENG-1'))).rejects.toMatchObject({ code: 'git_failed' });
    expect(rescued()).toEqual([]);
    renameSync(`${fixture.remote}.away`, fixture.remote);
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ path, createdNow: false });
    expect(fixture.git(path, 'log', '--format=%s', '-1')).toBe('Change mine.txt');
  });

  test('that is damaged while the remote is away says so, with the command to try', async () => {
    const mirror = await mirrorWithHistory();
    loseFirstPack(mirror);
    renameSync(fixture.remote, `${fixture.remote}.away`);
    await expect(fixture.prepare(fixture.workspaces(), issueOf('ENG-1'))).rejects.toMatchObject({
      message: expect.stringMatching(
        /^the mirror of .* is damaged \(pack-.* is gone\) and cannot be replaced/,
      ),
      hint: expect.stringContaining(`git ls-remote ${fixture.remote}`),
    });
    expect(existsSync(mirror)).toBe(true);
    renameSync(`${fixture.remote}.away`, fixture.remote);
    expect(await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'))).toMatchObject({ createdNow: true });
  });

  test('that is replaced keeps what the remote has dropped and a workspace still borrows', async () => {
    fixture.pushToRemote('ai/ENG-1', { 'dropped.txt': 'x\n' }, 'main');
    const workspaces = fixture.workspaces();
    const { path, git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x' });
    fixture.git(fixture.remote, 'branch', '-D', 'ai/ENG-1');
    fixture.git(fixture.remote, 'gc', '--quiet', '--prune=now');
    writeFileSync(join(git?.mirrorPath ?? '', 'packed-refs'), 'rubbish\n');
    expect(await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'))).toMatchObject({
      createdNow: false,
    });
    expect(fixture.git(path, 'fsck')).toBe('');
    expect(rescued()).toEqual([]);
    expect(existsSync(`${git?.mirrorPath}.damaged`)).toBe(true);
  });

  test('that was only touched is left as it is', async () => {
    const mirror = await mirrorWithHistory();
    const folder = join(mirror, 'objects/pack');
    for (const name of readdirSync(folder)) {
      chmodSync(join(folder, name), 0o644);
      appendFileSync(join(folder, name), '');
    }
    fixture.git(mirror, 'config', '--unset', 'gc.auto');
    await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(existsSync(`${mirror}.damaged`)).toBe(false);
  });
});
