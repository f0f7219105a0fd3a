import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { branchName } from '../../../src/workspaces/ownership/branch-name.ts';
import { createFixture, type Fixture, issueOf, never, traceFetches, writeFiles } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

describe('a new workspace', () => {
  test('is a checkout of its own on the issue’s branch, borrowing the mirror (R-4.1.4-a, R-9.1-a, R-17.2-b)', async () => {
    const workspace = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1', 'uuid-1'));
    expect(workspace).toMatchObject({ path: join(fixture.root, 'ENG-1'), key: 'ENG-1', createdNow: true });
    expect(workspace.git).toMatchObject({ branch: 'ai/uuid-1', baseBranch: 'main', behindBase: 0 });
    expect(readFileSync(join(workspace.path, 'README.md'), 'utf8')).toBe('Hello\n');
    expect(fixture.git(workspace.path, 'branch', '--show-current')).toBe('ai/uuid-1');
    expect(fixture.git(workspace.path, 'config', '--get', 'remote.origin.url')).toBe(fixture.remote);
    expect(fixture.git(workspace.path, 'rev-parse', '--git-dir')).toBe('.git');
    expect(fixture.git(workspace.path, 'status', '--porcelain')).toBe('');
    expect(fixture.git(workspace.path, 'fsck')).toBe('');
    const mirror = workspace.git?.mirrorPath ?? '';
    expect(readFileSync(join(workspace.path, '.git/objects/info/alternates'), 'utf8')).toBe(
      `${mirror}/objects\n`,
    );
    expect(readdirSync(join(fixture.root, '.aiops/staging'))).toEqual([]);
  });

  test('does not track the base branch, so that a plain push cannot go there', async () => {
    const { path } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(() => fixture.git(path, 'rev-parse', '--abbrev-ref', '@{upstream}')).toThrow();
  });

  test('can push its branch and describe itself by tags like any clone', async () => {
    fixture.git(fixture.remote, 'tag', 'v1.0', 'main');
    const { path } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    fixture.commit(path, { 'x.txt': 'x\n' });
    fixture.push(path, 'HEAD');
    expect(fixture.git(fixture.remote, 'rev-parse', 'ai/ENG-1')).toBe(fixture.git(path, 'rev-parse', 'HEAD'));
    expect(fixture.git(path, 'describe', '--tags')).toMatch(/^v1\.0-1-g/);
  });

  test('continues the issue’s branch when the remote has it with commits', async () => {
    const head = fixture.pushToRemote('ai/ENG-1', { 'earlier.txt': 'made elsewhere\n' }, 'main');
    const workspace = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(workspace.git?.headAtStart).toBe(head);
    expect(existsSync(join(workspace.path, 'earlier.txt'))).toBe(true);
  });

  test('starts from the base again when the remote branch was merged into it', async () => {
    fixture.pushToRemote('ai/ENG-1', { 'earlier.txt': 'x\n' }, 'main');
    const merged = fixture.pushToRemote('main', { 'merge.txt': 'x\n' }, 'ai/ENG-1');
    const workspace = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(workspace.git?.headAtStart).toBe(merged);
  });

  test('lets an agent commit on a machine where git knows no name', async () => {
    const {
      GIT_AUTHOR_NAME: _a,
      GIT_AUTHOR_EMAIL: _b,
      GIT_COMMITTER_NAME: _c,
      GIT_COMMITTER_EMAIL: _d,
      ...bare
    } = fixture.environment;
    const { path } = await fixture.prepare(fixture.workspaces({ environment: bare }), issueOf('ENG-1'));
    expect(fixture.git(path, 'config', 'user.email')).toBe('aiops@localhost');
  });

  test('keeps the worker’s files out of commits and the repository’s hooks in force', async () => {
    const { path } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    writeFiles(path, { '.aiops/PROMPT.md': 'secret prompt', '.aiops/PLAN.md': 'the plan' });
    expect(fixture.git(path, 'status', '--porcelain', '--untracked-files=all')).toBe('?? .aiops/PLAN.md');
    expect(() => fixture.git(path, 'config', 'core.hooksPath')).toThrow();
    writeFileSync(join(path, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(() => fixture.commit(path, { 'x.txt': 'x' })).toThrow();
  });

  test('gives any id a branch name that git accepts', () => {
    for (const id of ['a..b', 'x.lock', '-x', '.', '', '@', 'é', 'a/b', '{', 'HEAD', 'x'.repeat(400)]) {
      expect(fixture.git(fixture.base, 'check-ref-format', '--branch', branchName(id))).toBe(branchName(id));
    }
  });
});

describe('preparing again', () => {
  test('continues commits and edits and offers what the base gained (R-2.1-c, R-9.1-b, R-17.2-a, R-17.2-c)', async () => {
    const first = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    fixture.commit(first.path, { 'done.txt': 'done\n' });
    writeFiles(first.path, { 'README.md': 'edited\n', 'new.txt': 'untracked\n', 'staged.txt': 'staged\n' });
    fixture.git(first.path, 'add', 'staged.txt');
    const before = fixture.git(first.path, 'status', '--porcelain');
    const advanced = fixture.pushToRemote('main', { 'later.txt': 'later\n' }, 'main');

    const second = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(second.createdNow).toBe(false);
    expect(second.git?.headAtStart).toBe(fixture.git(first.path, 'rev-parse', 'HEAD'));
    expect(second.git?.behindBase).toBe(1);
    expect(fixture.git(first.path, 'status', '--porcelain')).toBe(before);
    expect(readFileSync(join(second.path, 'README.md'), 'utf8')).toBe('edited\n');
    expect(fixture.git(second.path, 'rev-parse', 'origin/main')).toBe(advanced);
    expect(existsSync(join(second.path, 'later.txt'))).toBe(false);
  });

  test('follows a clean branch that someone else pushed on', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x\n' });
    fixture.push(path, 'HEAD');
    const theirs = fixture.pushToRemote('ai/ENG-1', { 'review.txt': 'y\n' }, 'ai/ENG-1');
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(again.git?.headAtStart).toBe(theirs);
    expect(existsSync(join(path, 'review.txt'))).toBe(true);
    expect(fixture.git(path, 'status', '--porcelain')).toBe('');
  });

  test.each([
    ['an edit', (path: string) => writeFileSync(join(path, 'README.md'), 'edited')],
    ['a file in the way', (path: string) => writeFileSync(join(path, 'review.txt'), 'mine')],
    ['a commit of its own', (path: string) => fixture.commit(path, { 'other.txt': 'x' })],
    [
      'another branch checked out',
      (path: string) => void fixture.git(path, 'checkout', '--quiet', '-b', 'side'),
    ],
  ])('leaves the branch where it is with %s', async (_, disturb) => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    disturb(path);
    const head = fixture.git(path, 'rev-parse', 'HEAD');
    const status = fixture.git(path, 'status', '--porcelain');
    fixture.pushToRemote('ai/ENG-1', { 'review.txt': 'y\n' }, 'main');
    await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(fixture.git(path, 'rev-parse', 'HEAD')).toBe(head);
    expect(fixture.git(path, 'status', '--porcelain')).toBe(status);
  });

  test('survives a force-pushed base and a deleted branch', async () => {
    const workspaces = fixture.workspaces();
    fixture.pushToRemote('ai/ENG-1', { 'a.txt': 'a' }, 'main');
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x\n' });
    fixture.pushToRemote('main', { 'rewritten.txt': 'new history\n' });
    fixture.git(fixture.remote, 'branch', '-D', 'ai/ENG-1');
    fixture.git(fixture.remote, 'gc', '--quiet', '--prune=now');
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(again.git?.headAtStart).toBe(fixture.git(path, 'rev-parse', 'HEAD'));
    expect(fixture.git(path, 'fsck')).toBe('');
    expect(fixture.git(path, 'log', '--format=%s', '-1')).toBe('Change mine.txt');
  });

  test('goes on while the remote is away; a new issue is told (R-9.3-a, R-9.3-c, R-17.2-e)', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    writeFileSync(join(path, 'new.txt'), 'x');
    rmSync(fixture.remote, { recursive: true });
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(again).toMatchObject({ path, createdNow: false });
    expect(existsSync(join(path, 'new.txt'))).toBe(true);
    await expect(fixture.prepare(workspaces, issueOf('ENG-2'))).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringMatching(/does not (appear|exist)|Could not read from remote/),
      hint: expect.stringContaining('repo.clone_url'),
    });
    expect(existsSync(join(fixture.root, 'ENG-2'))).toBe(false);
  });

  test('forgets a remote branch that is gone from the remote and from a new mirror', async () => {
    const workspaces = fixture.workspaces();
    fixture.pushToRemote('doomed', { 'a.txt': 'a' }, 'main');
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.git(fixture.remote, 'update-ref', '-d', 'refs/heads/doomed');
    await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(fixture.git(path, 'branch', '--remotes')).toContain('origin/doomed');
    rmSync(fixture.mirrorRoot, { recursive: true });
    await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(fixture.git(path, 'branch', '--remotes')).toBe('origin/main');
    expect(fixture.git(path, 'fsck')).toBe('');
  });

  test('starts anew, the old directory kept, when the history below its work is gone for good', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x' });
    fixture.pushToRemote('main', { 'rewritten.txt': 'x' });
    fixture.git(fixture.remote, 'gc', '--quiet', '--prune=now');
    rmSync(fixture.mirrorRoot, { recursive: true });
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ path, createdNow: true });
    expect(fixture.git(path, 'fsck')).toBe('');
    const [rescue] = readdirSync(join(fixture.root, '.aiops/rescue'));
    expect(existsSync(join(fixture.root, '.aiops/rescue', rescue ?? '', 'workspace/mine.txt'))).toBe(true);
  });

  test('removes the lock files a killed git left behind', async () => {
    const workspaces = fixture.workspaces();
    const { path, git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/ai/ENG-1.lock'])
      writeFileSync(join(path, '.git', name), '');
    for (const name of ['packed-refs.lock', 'refs/remotes/origin/main.lock'])
      writeFiles(git?.mirrorPath ?? '', { [name]: '' });
    fixture.pushToRemote('main', { 'later.txt': 'x' }, 'main');
    expect((await fixture.prepare(workspaces, issueOf('ENG-1'))).git?.behindBase).toBe(1);
    fixture.commit(path, { 'x.txt': 'x' });
  });

  test('uses a changed address and credential at once', async () => {
    const workspaces = fixture.workspaces();
    const { path, git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const cloneUrl = `file://${fixture.remote}`;
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'), { ...fixture.repo, cloneUrl });
    expect(again).toMatchObject({ path, createdNow: false });
    expect(fixture.git(path, 'config', '--get', 'remote.origin.url')).toBe(cloneUrl);
    expect(fixture.git(git?.mirrorPath ?? '', 'remote', 'get-url', 'origin')).toBe(cloneUrl);
  });

  test('finds its objects again after the mirrors were deleted or moved', async () => {
    const { path } = await fixture.prepareConfirmed(fixture.workspaces(), issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x\n' });
    rmSync(fixture.mirrorRoot, { recursive: true });
    const again = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(again.git?.headAtStart).toBe(fixture.git(path, 'rev-parse', 'HEAD'));
    rmSync(fixture.mirrorRoot, { recursive: true });
    await fixture.prepare(fixture.workspaces({ mirrorRoot: join(fixture.base, 'moved') }), issueOf('ENG-1'));
    expect(fixture.git(path, 'log', '--format=%s', '-1')).toBe('Change mine.txt');
  });
});

describe('at the same moment', () => {
  test('ten issues cost one clone, and ten more one fetch', async () => {
    const trace = join(fixture.base, 'trace');
    mkdirSync(trace);
    const workspaces = fixture.workspaces({
      environment: { ...fixture.environment, GIT_TRACE2_EVENT: trace },
    });
    const batch = (prefix: string) =>
      Promise.all(
        Array.from({ length: 10 }, (_, index) => fixture.prepare(workspaces, issueOf(`${prefix}-${index}`))),
      );
    const first = await batch('A');
    expect(traceFetches(trace)).toBe(1);
    const second = await batch('B');
    expect(traceFetches(trace)).toBe(2);
    const paths = [...first, ...second].map(({ path }) => path);
    expect(new Set(paths).size).toBe(20);
    expect(new Set(paths.map((path) => statSync(join(path, 'README.md')).ino)).size).toBe(20);
    expect(fixture.git(paths[19] ?? '', 'status', '--porcelain')).toBe('');
  });

  test('two workers with the same roots do not get in each other’s way', async () => {
    const scopes = ['maker', 'reviewer'].map((trackerScope) => ({ trackerKind: 'local', trackerScope }));
    const [maker, reviewer] = scopes.map((scope) => fixture.workspaces({ scope }));
    if (maker === undefined || reviewer === undefined) throw new Error('two workers were made');
    const [one, two] = await Promise.all(
      [maker, reviewer].map((worker) => fixture.prepare(worker, issueOf('ENG-1'))),
    );
    expect(one?.path).not.toBe(two?.path);
    fixture.commit(one?.path ?? '', { 'x.txt': 'x' });
    expect(await maker.list()).toHaveLength(1);
    await reviewer.remove('ENG-1', never);
    expect(existsSync(one?.path ?? '')).toBe(true);
    expect(existsSync(two?.path ?? '')).toBe(false);
  });

  test('stopping one dispatch leaves the shared fetch to the others', async () => {
    const workspaces = fixture.workspaces();
    const stop = new AbortController();
    const stopped = workspaces.prepare(
      { issue: issueOf('ENG-1'), repo: fixture.repo, onProgress: () => stop.abort(new Error('enough')) },
      stop.signal,
    );
    const other = fixture.prepare(workspaces, issueOf('ENG-2'));
    await expect(stopped).rejects.toThrow('enough');
    expect((await other).createdNow).toBe(true);
  });
});

describe('without a repository', () => {
  test('the workspace is an empty directory that hooks can clone into (R-9.2-b)', async () => {
    const workspaces = fixture.workspaces();
    const workspace = await fixture.prepare(workspaces, issueOf('ENG-1'), null);
    expect(workspace).toEqual({
      path: join(fixture.root, 'ENG-1'),
      key: 'ENG-1',
      createdNow: true,
      git: null,
    });
    expect(readdirSync(workspace.path)).toEqual([]);
    fixture.git(workspace.path, 'clone', '--quiet', fixture.remote, '.');
    const filled = await workspaces.reread(workspace);
    expect(filled.git).toMatchObject({ branch: 'main', baseBranch: 'main', behindBase: 0 });
    fixture.commit(workspace.path, { 'x.txt': 'x' });
    expect(await workspaces.evidence(filled)).toMatchObject({
      newCommits: 1,
      commitsAhead: 1,
      pushed: false,
      branch: 'main',
    });
  });

  test('files, caches and edits stay between runs', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'), null);
    writeFiles(path, { 'notes.txt': 'x', 'tmp/cache.bin': 'y' });
    expect(await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'), null)).toMatchObject({
      path,
      createdNow: false,
    });
    expect(readdirSync(path).sort()).toEqual(['notes.txt', 'tmp']);
  });
});

describe('a creation that was not confirmed', () => {
  test('is done again on a clean directory, and what was there is saved (R-9.3-b)', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepare(workspaces, issueOf('ENG-1'), null);
    writeFiles(path, { 'half-made.txt': 'x' });
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'), null)).toMatchObject({
      path,
      createdNow: true,
    });
    expect(readdirSync(path)).toEqual([]);
    expect(readdirSync(join(fixture.root, '.aiops/rescue'))).toHaveLength(1);
  });

  test('counts as done once an agent was given its task, or has committed', async () => {
    const workspaces = fixture.workspaces();
    const one = await fixture.prepare(workspaces, issueOf('ENG-1'));
    writeFiles(one.path, { '.aiops/PROMPT.md': 'do it', 'edit.txt': 'x' });
    expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ createdNow: false });
    const two = await fixture.prepare(workspaces, issueOf('ENG-2'));
    fixture.commit(two.path, { 'x.txt': 'x' });
    expect(await fixture.prepare(workspaces, issueOf('ENG-2'))).toMatchObject({ createdNow: false });
  });
});
