import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRescues, type Rescues } from '../../../src/workspaces/rescue/manage-rescues.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
let rescues: Rescues;
beforeEach(() => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  rescues = createRescues({ root: fixture.root, environment: fixture.environment });
});
afterEach(() => fixture.dispose());

const prepared = (repo?: null): Promise<Workspace> =>
  fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), repo);

/** What `du` says of the rescues, or of what one has in a folder. */
function diskBytes(root: string, below = ''): number {
  const folder = join(root, '.aiops/rescue');
  const [name = ''] = readdirSync(folder);
  const files =
    below === '' ? [] : readdirSync(join(folder, name, below)).map((file) => join(name, below, file));
  const output = execFileSync('du', ['-s', '-c', '-B1', ...(files.length === 0 ? [name] : files)], {
    cwd: folder,
    encoding: 'utf8',
  });
  return Number.parseInt(output.trim().split('\n').at(-1) ?? '', 10);
}

async function restored(): Promise<string> {
  const target = join(fixture.base, 'restored');
  await rescues.restore('ENG-1', target, never);
  return target;
}

describe('removing a workspace', () => {
  test('saves nothing when the remote has everything', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    fixture.push(path, 'HEAD');
    writeFiles(path, { '.aiops/PROMPT.md': 'x', '.gitignore': 'build/\n', 'build/out.bin': 'x' });
    fixture.commit(path, { '.gitignore': 'build/\n' });
    fixture.push(path, 'HEAD');
    expect(await workspaces.remove('ENG-1', never)).toEqual({ removed: true, rescuedTo: null });
    expect(existsSync(path)).toBe(false);
    expect(await workspaces.list()).toEqual([]);
    expect(await rescues.list()).toEqual([]);
  });

  test('brings back branch, commits, staged, unstaged and untracked files as they were', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'one.txt': '1\n' });
    fixture.commit(path, { 'two.txt': '2\n', 'gone.txt': 'soon\n' });
    writeFiles(path, {
      'staged.txt': 'staged\n',
      'README.md': 'staged version\n',
      'a b/ü.txt': 'untracked\n',
    });
    fixture.git(path, 'add', 'staged.txt', 'README.md');
    writeFiles(path, {
      'README.md': 'unstaged version\n',
      'run.sh': '#!/bin/sh\n',
      '.aiops/PROMPT.md': 'not saved',
    });
    rmSync(join(path, 'gone.txt'));
    symlinkSync('README.md', join(path, 'link'));
    const status = fixture.git(path, 'status', '--porcelain', '--untracked-files=all');
    const head = fixture.git(path, 'rev-parse', 'HEAD');

    const { rescuedTo } = await workspaces.remove('ENG-1', never);
    expect(existsSync(path)).toBe(false);
    const [only] = await rescues.list();
    expect(rescuedTo).toBe(await rescues.directoryOf(only?.manifest ?? expect.fail()));
    expect(only?.manifest).toMatchObject({ identifier: 'ENG-1', reason: 'removed', directory: null });
    expect(only?.manifest.parts).toMatchObject([
      { branch: 'ai/ENG-1', head, unpushedCommits: 2, uncommittedFiles: 6 },
    ]);

    const target = await restored();
    expect(fixture.git(target, 'rev-parse', 'HEAD')).toBe(head);
    expect(fixture.git(target, 'branch', '--show-current')).toBe('ai/ENG-1');
    expect(fixture.git(target, 'status', '--porcelain', '--untracked-files=all')).toBe(status);
    expect(readFileSync(join(target, 'README.md'), 'utf8')).toBe('unstaged version\n');
    expect(fixture.git(target, 'show', ':README.md')).toBe('staged version');
    expect(fixture.git(target, 'fsck')).toBe('');
    expect(fixture.git(target, 'remote', 'get-url', 'origin')).toBe(fixture.remote);
  });

  test('saves stashes, other branches and a detached head', async () => {
    const { path } = await prepared();
    for (const text of ['first', 'second']) {
      writeFileSync(join(path, 'README.md'), text);
      fixture.git(path, 'stash', '--quiet');
    }
    fixture.git(path, 'checkout', '--quiet', '-b', 'side');
    fixture.commit(path, { 'side.txt': 'x' });
    fixture.git(path, 'checkout', '--quiet', '--detach');
    fixture.commit(path, { 'detached.txt': 'x' });
    const [side, head] = [fixture.git(path, 'rev-parse', 'side'), fixture.git(path, 'rev-parse', 'HEAD')];
    await workspaces.remove('ENG-1', never);
    const target = await restored();
    expect(fixture.git(target, 'rev-parse', 'side')).toBe(side);
    expect(fixture.git(target, 'rev-parse', 'HEAD')).toBe(head);
    expect(fixture.git(target, 'show', 'refs/rescue/stash-0:README.md')).toBe('second');
    expect(fixture.git(target, 'show', 'refs/rescue/stash-1:README.md')).toBe('first');
  });

  test('saves commits whose branch was deleted on the remote after the push', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    fixture.push(path, 'HEAD');
    fixture.git(fixture.remote, 'branch', '-D', 'ai/ENG-1');
    expect((await workspaces.remove('ENG-1', never)).rescuedTo).not.toBeNull();
    expect(existsSync(join(await restored(), 'x.txt'))).toBe(true);
  });

  test('saves a merge in the middle of its conflicts', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'README.md': 'ours\n' });
    fixture.git(path, 'checkout', '--quiet', '-b', 'theirs', 'origin/main');
    fixture.commit(path, { 'README.md': 'theirs\n' });
    expect(() => fixture.git(path, 'merge', 'ai/ENG-1')).toThrow();
    await workspaces.remove('ENG-1', never);
    expect(readFileSync(join(await restored(), 'README.md'), 'utf8')).toContain('<<<<<<<');
  });

  test('saves repositories inside the workspace', async () => {
    const { path } = await prepared();
    fixture.git(path, 'clone', '--quiet', fixture.remote, 'vendor/lib');
    fixture.commit(join(path, 'vendor/lib'), { 'patched.txt': 'x' });
    writeFiles(path, { 'vendor/lib/loose.txt': 'y' });
    await workspaces.remove('ENG-1', never);
    const inner = join(await restored(), 'vendor/lib');
    expect(fixture.git(inner, 'log', '--format=%s', '-1')).toBe('Change patched.txt');
    expect(fixture.git(inner, 'status', '--porcelain')).toBe('?? loose.txt');
  });

  test('saves the files of a plain directory', async () => {
    const { path } = await prepared(null);
    writeFiles(path, {
      'notes/a.txt': 'a',
      '.gitignore': 'cache/\n',
      'cache/x': 'ignored',
      '.aiops/PROMPT.md': 'p',
    });
    await workspaces.remove('ENG-1', never);
    expect(readdirSync(await restored()).sort()).toEqual(['.gitignore', 'notes']);
  });

  test('saves a repository that hooks cloned, so that it stands alone', async () => {
    const { path } = await prepared(null);
    fixture.git(path, 'clone', '--quiet', fixture.remote, '.');
    fixture.commit(path, { 'x.txt': 'x' });
    await workspaces.remove('ENG-1', never);
    rmSync(fixture.remote, { recursive: true });
    expect(fixture.git(await restored(), 'log', '--format=%s', '-1')).toBe('Change x.txt');
  });

  test('keeps the whole directory when its repository cannot be read', async () => {
    const { path } = await prepared();
    writeFiles(path, { 'work.txt': 'precious' });
    rmSync(join(path, '.git/HEAD'));
    const { removed, rescuedTo } = await workspaces.remove('ENG-1', never);
    expect(removed).toBe(true);
    expect(readFileSync(join(rescuedTo ?? '', 'workspace/work.txt'), 'utf8')).toBe('precious');
    expect(readFileSync(join(await restored(), 'work.txt'), 'utf8')).toBe('precious');
  });

  test('works while the remote is away', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    rmSync(fixture.remote, { recursive: true });
    expect((await workspaces.remove('ENG-1', never)).rescuedTo).not.toBeNull();
    expect(existsSync(join(await restored(), 'x.txt'))).toBe(true);
  });

  test('a missing workspace is no error', async () => {
    expect(await workspaces.remove('ENG-9', never)).toEqual({ removed: false, rescuedTo: null });
    const { path } = await prepared();
    rmSync(path, { recursive: true });
    expect(await workspaces.remove('ENG-1', never)).toEqual({ removed: false, rescuedTo: null });
  });

  test('runs before_remove on the still complete workspace and removes it whatever that does (R-5.3.4-d, R-9.4-g, R-17.2-i)', async () => {
    const { path } = await prepared();
    const seen: string[] = [];
    await workspaces.remove('ENG-1', never, {
      async beforeRemove(workspace) {
        seen.push(...readdirSync(workspace.path));
        throw new Error('hook failed');
      },
    });
    expect(seen).toContain('README.md');
    expect(existsSync(path)).toBe(false);
  });
});

describe('rescues', () => {
  test('stand alone: the mirror may be deleted and the remote rewritten', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    await workspaces.remove('ENG-1', never);
    const [saved] = await rescues.list();
    const packs = 'history.git/objects/pack';
    const linked = readdirSync(join(await rescues.directoryOf(saved?.manifest ?? expect.fail()), packs));
    expect(linked.length).toBeGreaterThan(0);
    expect(saved?.bytes).toBe(diskBytes(fixture.root) - diskBytes(fixture.root, packs));
    rmSync(fixture.mirrorRoot, { recursive: true });
    rmSync(fixture.remote, { recursive: true });
    const target = await restored();
    expect(fixture.git(target, 'log', '--format=%s')).toBe('Change x.txt\nChange README.md, src/a.txt');
    expect(fixture.git(target, 'fsck')).toBe('');
  });

  test('without their own hold on the history take it from the mirror, then from the remote', async () => {
    const { path } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    const { rescuedTo } = await workspaces.remove('ENG-1', never);
    const manifest = join(rescuedTo ?? '', 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"history.git"', 'null'));
    rmSync(join(rescuedTo ?? '', 'history.git'), { recursive: true });
    const [one, two, three] = ['one', 'two', 'three'].map((name) => join(fixture.base, name));
    await rescues.restore('ENG-1', one ?? '', never);
    rmSync(fixture.mirrorRoot, { recursive: true });
    await rescues.restore('ENG-1', two ?? '', never);
    for (const target of [one, two])
      expect(fixture.git(target ?? '', 'rev-list', '--count', 'HEAD')).toBe('2');
    rmSync(fixture.remote, { recursive: true });
    await expect(rescues.restore('ENG-1', three ?? '', never)).rejects.toMatchObject({
      code: 'git_failed',
      hint: expect.stringContaining(`Make ${fixture.remote} reachable`),
    });
    expect(existsSync(three ?? '')).toBe(false);
  });

  test('of a shallow clone come back too', async () => {
    for (const name of ['b', 'c', 'd']) fixture.pushToRemote('main', { [name]: name }, 'main');
    const shallow = fixture.workspaces({ cloneDepth: 1 });
    const repo = { ...fixture.repo, cloneUrl: `file://${fixture.remote}` };
    const { path } = await fixture.prepareConfirmed(shallow, issueOf('ENG-1'), repo);
    fixture.commit(path, { 'x.txt': 'x' });
    await shallow.remove('ENG-1', never);
    expect(fixture.git(await restored(), 'log', '--format=%s')).toBe('Change x.txt\nChange d');
  });

  test('cover what an issue has under an earlier identifier', async () => {
    await fixture.prepareConfirmed(workspaces, issueOf('ENG-1', 'id-1'));
    await fixture.prepareConfirmed(workspaces, issueOf('OPS-7', 'id-1'));
    await workspaces.remove('OPS-7', never, { issueId: 'id-1' });
    expect(await workspaces.list()).toEqual([]);
  });

  test('never overwrite anything, and name the choices when a name is unclear', async () => {
    const { path } = await prepared();
    writeFiles(path, { 'x.txt': 'x' });
    await workspaces.remove('ENG-1', never);
    const target = join(fixture.base, 'taken');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'x');
    await expect(rescues.restore('ENG-1', target, never)).rejects.toMatchObject({ code: 'usage' });
    await expect(rescues.find('ENG-2')).rejects.toMatchObject({ code: 'not_found' });
    const again = await prepared();
    writeFiles(again.path, { 'y.txt': 'y' });
    await workspaces.remove('ENG-1', never);
    await expect(rescues.find('ENG-1')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('names 2 rescues'),
    });
    const [first] = await rescues.list();
    expect((await rescues.find(first?.manifest.id ?? '')).manifest.id).toBe(first?.manifest.id);
  });

  test('go, with their refs in the mirror, beyond the limits', async () => {
    const { path, git } = await prepared();
    fixture.commit(path, { 'x.txt': 'x' });
    await workspaces.remove('ENG-1', never);
    const mirror = git?.mirrorPath ?? '';
    const refs = (): string => fixture.git(mirror, 'for-each-ref', 'refs/aiops');
    expect(refs()).toContain('/heads/ai/ENG-1');
    expect(await rescues.expired({ maxAgeMs: 60_000, maxBytes: 0 })).toEqual({ pruned: [], kept: [] });
    // Somebody restored and pushed it: the rescue is no longer the only copy.
    fixture.git(mirror, 'push', '--quiet', 'origin', `${refs().split(' ')[0]}:refs/heads/ai/ENG-1`);
    fixture.git(mirror, 'fetch', '--quiet', 'origin');
    const later = createRescues({
      root: fixture.root,
      environment: fixture.environment,
      now: () => Date.now() + 120_000,
    });
    const { pruned } = await later.expired({ maxAgeMs: 60_000, maxBytes: 1e9 });
    await later.remove(pruned[0]?.manifest ?? expect.fail());
    expect(await rescues.list()).toEqual([]);
    expect(refs()).toBe('');
  });

  test('are pruned on the way by the worker itself, the newest excepted', async () => {
    const small = fixture.workspaces({ rescueRetention: { maxAgeMs: 1e9, maxBytes: 10 } });
    for (const id of ['ENG-1', 'ENG-2']) {
      const { path } = await fixture.prepareConfirmed(small, issueOf(id));
      writeFiles(path, { 'x.txt': id });
      await small.remove(id, never);
    }
    expect((await rescues.list()).map(({ manifest }) => manifest.identifier)).toEqual(['ENG-2']);
  });

  test('of the same content are kept once, and count as made by the last removal', async () => {
    const limited = fixture.workspaces({ rescueRetention: { maxAgeMs: 3_600_000, maxBytes: 1e9 } });
    const rescued: (string | null)[] = [];
    for (const round of [1, 2]) {
      const { path } = await fixture.prepareConfirmed(limited, issueOf('ENG-1'));
      writeFiles(path, { 'x.txt': 'x' });
      rescued.push((await limited.remove('ENG-1', never)).rescuedTo);
      const manifest = join(rescued[0] ?? '', 'manifest.json');
      const aged = readFileSync(manifest, 'utf8').replace(
        /"createdAt": "[^"]*"/,
        '"createdAt": "2001-01-01T00:00:00Z"',
      );
      if (round === 1) writeFileSync(manifest, aged);
    }
    expect(rescued[1]).toBe(rescued[0]);
    const [only, ...others] = await rescues.list();
    expect(others).toEqual([]);
    expect(only?.manifest.createdAt).not.toContain('2001');
    expect(readFileSync(join(await restored(), 'x.txt'), 'utf8')).toBe('x');
  });

  test('whose bundle is gone do not count as saved', async () => {
    for (const attempt of [1, 2]) {
      const { path } = await prepared();
      writeFiles(path, { 'x.txt': 'x' });
      const { rescuedTo } = await workspaces.remove('ENG-1', never);
      if (attempt === 1) rmSync(join(rescuedTo ?? '', 'work.bundle'));
    }
    expect(await rescues.list()).toHaveLength(1);
    expect(readFileSync(join(await restored(), 'x.txt'), 'utf8')).toBe('x');
  });

  test('that are damaged are skipped, not fatal', async () => {
    writeFiles(fixture.root, { '.aiops/rescue/broken/manifest.json': '{', '.aiops/rescue/empty/x': '' });
    expect(await rescues.list()).toEqual([]);
    const nowhere = createRescues({ root: join(fixture.base, 'nowhere'), environment: fixture.environment });
    expect(await nowhere.list()).toEqual([]);
    expect(existsSync(join(fixture.base, 'nowhere'))).toBe(false);
  });
});
