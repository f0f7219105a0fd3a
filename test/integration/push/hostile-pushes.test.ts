import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BRANCH, type HostileStage, openHostileStage, REF } from './hostile-stage.ts';

/** What an agent could do to its repository, to have the worker run or push something else. */

let stage: HostileStage;
beforeEach(async () => {
  stage = await openHostileStage();
});
afterEach(() => stage.close());

describe('nothing the repository of an agent says is obeyed', () => {
  /** Each sets a trap; the push itself is fine and goes through. */
  const traps: [string, () => void][] = [
    ['a pre-push hook', () => void stage.trap(stage.dotGit('hooks', 'pre-push'))],
    [
      'every other hook',
      () => {
        for (const name of [
          'reference-transaction',
          'post-checkout',
          'pre-receive',
          'update',
          'post-update',
          'pre-auto-gc',
        ])
          stage.trap(stage.dotGit('hooks', name));
      },
    ],
    [
      'core.hooksPath',
      () => {
        const folder = mkdtempSync(join(stage.fixture.base, 'hooks-'));
        for (const name of ['pre-push', 'reference-transaction', 'pre-receive', 'post-update'])
          stage.trap(join(folder, name));
        stage.config('core.hooksPath', folder);
      },
    ],
    [
      'core.fsmonitor',
      () => void stage.config('core.fsmonitor', stage.trap(join(stage.fixture.base, 'monitor'))),
    ],
    [
      'core.sshCommand',
      () => void stage.config('core.sshCommand', stage.trap(join(stage.fixture.base, 'ssh'))),
    ],
    [
      'core.gitProxy',
      () => void stage.config('core.gitProxy', stage.trap(join(stage.fixture.base, 'proxy'))),
    ],
    [
      'core.askPass',
      () => void stage.config('core.askPass', stage.trap(join(stage.fixture.base, 'askpass'))),
    ],
    [
      'core.alternateRefsCommand',
      () => void stage.config('core.alternateRefsCommand', stage.trap(join(stage.fixture.base, 'refs'))),
    ],
    [
      'a credential helper',
      () => void stage.config('credential.helper', `!${stage.trap(join(stage.fixture.base, 'helper'))}`),
    ],
    [
      'url.insteadOf',
      () =>
        void stage.config(
          `url.ext::${stage.trap(join(stage.fixture.base, 'ext'))}.insteadOf`,
          stage.fixture.remote,
        ),
    ],
    [
      'remote.pushurl',
      () => void stage.config('remote.origin.pushurl', `ext::${stage.trap(join(stage.fixture.base, 'ext'))}`),
    ],
    [
      'remote.receivepack',
      () => void stage.config('remote.origin.receivepack', stage.trap(join(stage.fixture.base, 'receive'))),
    ],
    [
      'remote.uploadpack',
      () => void stage.config('remote.origin.uploadpack', stage.trap(join(stage.fixture.base, 'upload'))),
    ],
    [
      'uploadpack.packObjectsHook',
      () => void stage.config('uploadpack.packObjectsHook', stage.trap(join(stage.fixture.base, 'pack'))),
    ],
    [
      'push settings',
      () => {
        for (const [name, value] of [
          ['push.followTags', 'true'],
          ['remote.origin.mirror', 'true'],
          ['remote.origin.push', '+refs/heads/*:refs/heads/*'],
        ])
          stage.config(name ?? '', value ?? '');
        stage.fixture.git(stage.workspace.path, 'tag', '-a', 'loud', '-m', 'loud');
      },
    ],
    [
      'gpg.program',
      () => {
        stage.config('gpg.program', stage.trap(join(stage.fixture.base, 'gpg')));
        stage.config('push.gpgSign', 'true');
      },
    ],
    [
      'filters',
      () => {
        stage.config('filter.evil.clean', stage.trap(join(stage.fixture.base, 'clean')));
        stage.config('filter.evil.smudge', stage.trap(join(stage.fixture.base, 'smudge')));
        writeFileSync(stage.dotGit('info', 'attributes'), '* filter=evil\n');
      },
    ],
    [
      'an included file',
      () => {
        const hooks = mkdtempSync(join(stage.fixture.base, 'hooks-'));
        for (const name of ['pre-push', 'reference-transaction']) stage.trap(join(hooks, name));
        const monitor = stage.trap(join(stage.fixture.base, 'm'));
        writeFileSync(
          join(stage.fixture.base, 'included'),
          `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${monitor}\n`,
        );
        stage.config('include.path', join(stage.fixture.base, 'included'));
      },
    ],
    [
      'a replaced commit',
      () => {
        const main = stage.fixture.git(stage.workspace.path, 'rev-parse', 'origin/main');
        stage.fixture.git(stage.workspace.path, 'replace', stage.head(), main);
      },
    ],
    ['grafts', () => appendFileSync(stage.dotGit('info', 'grafts'), `${stage.head()}\n`)],
    [
      'a HEAD on the default branch',
      () => void stage.fixture.git(stage.workspace.path, 'symbolic-ref', 'HEAD', 'refs/heads/main'),
    ],
  ];
  test.each(traps)('%s', async (_, set) => {
    const commit = stage.head();
    set();
    const result = await stage.push({ commit });
    // None of this makes a push wrong: it goes through, as this very commit, and nothing else happens.
    expect(result).toMatchObject({ ok: true, changed: true, commit });
    expect(stage.ownOnRemote()).toBe(commit);
    stage.expectUntouched();
  });

  test('a replaced commit is pushed as what it really is', async () => {
    const commit = stage.head();
    const main = stage.fixture.git(stage.workspace.path, 'rev-parse', 'origin/main');
    stage.fixture.git(stage.workspace.path, 'replace', commit, main);
    expect(await stage.push({ commit })).toMatchObject({ ok: true });
    expect(stage.fixture.git(stage.fixture.remote, 'rev-list', '--count', `main..${REF}`)).toBe('1');
  });
});

describe('objects', () => {
  test('of another repository do not come along by alternates or links', async () => {
    const secret = join(stage.fixture.base, 'secret');
    stage.fixture.git(stage.fixture.base, 'init', '--quiet', secret);
    stage.fixture.commit(secret, { 'secret.txt': 'secret\n' });
    const stolen = stage.fixture.git(secret, 'rev-parse', 'HEAD');
    appendFileSync(stage.dotGit('objects', 'info', 'alternates'), `${join(secret, '.git', 'objects')}\n`);
    expect(await stage.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    const folder = stolen.slice(0, 2);
    rmSync(stage.dotGit('objects', folder), { recursive: true, force: true });
    symlinkSync(join(secret, '.git', 'objects', folder), stage.dotGit('objects', folder));
    expect(await stage.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    rmSync(stage.dotGit('objects', folder));
    mkdirSync(stage.dotGit('objects', folder));
    symlinkSync(
      join(secret, '.git', 'objects', folder, stolen.slice(2)),
      stage.dotGit('objects', folder, stolen.slice(2)),
    );
    expect(await stage.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    stage.expectUntouched();
    expect(stage.ownOnRemote()).toBeNull();
  });

  test('that are missing, or hold a .git entry, are refused by name', async () => {
    const blob = stage.fixture.git(stage.workspace.path, 'hash-object', '-w', 'one.txt');
    const input = `100644 blob ${blob}\t.git\n`;
    const options = { cwd: stage.workspace.path, env: stage.fixture.environment, encoding: 'utf8' as const };
    const tree = execFileSync('git', ['mktree'], { ...options, input }).trim();
    const commit = stage.fixture.git(stage.workspace.path, 'commit-tree', tree, '-p', 'HEAD', '-m', 'evil');
    expect(await stage.push({ commit })).toMatchObject({
      ok: false,
      code: 'objects_refused',
      message: expect.stringContaining('hasDotgit'),
    });
    const whole = stage.fixture.git(stage.workspace.path, 'rev-parse', 'HEAD^{tree}');
    rmSync(stage.dotGit('objects', whole.slice(0, 2), whole.slice(2)));
    expect(await stage.push()).toMatchObject({ ok: false });
    stage.expectUntouched();
    expect(stage.ownOnRemote()).toBeNull();
  });

  test('with a pipe among them do not hang the worker', async () => {
    const blob = stage.fixture.git(stage.workspace.path, 'rev-parse', 'HEAD:one.txt');
    const path = stage.dotGit('objects', blob.slice(0, 2), blob.slice(2));
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await stage.push()).toMatchObject({ ok: false });
    stage.expectUntouched();
  });

  test('that are a tree or a tag are no commit', async () => {
    const tree = stage.fixture.git(stage.workspace.path, 'rev-parse', 'HEAD^{tree}');
    expect(await stage.push({ commit: tree })).toMatchObject({ ok: false, code: 'no_commit' });
    stage.fixture.git(stage.workspace.path, 'tag', '-a', 'x', '-m', 'x');
    const tag = stage.fixture.git(stage.workspace.path, 'rev-parse', 'refs/tags/x');
    expect(await stage.push({ commit: tag })).toMatchObject({ ok: false, code: 'no_commit' });
    stage.expectUntouched();
  });
});

describe('the repository itself', () => {
  test.each([
    [
      'a file that points elsewhere',
      (other: string) => writeFileSync(stage.dotGit(), `gitdir: ${join(other, '.git')}\n`),
    ],
    ['a link', (other: string) => symlinkSync(join(other, '.git'), stage.dotGit())],
    ['nothing', () => {}],
    ['an empty directory', () => mkdirSync(stage.dotGit())],
    [
      'another repository',
      (other: string) => cpSync(join(other, '.git'), stage.dotGit(), { recursive: true }),
    ],
    [
      'a directory that shares another one',
      (other: string) => {
        mkdirSync(stage.dotGit());
        writeFileSync(stage.dotGit('HEAD'), `ref: ${REF}\n`);
        writeFileSync(stage.dotGit('commondir'), `${join(other, '.git')}\n`);
      },
    ],
    [
      'links to the parts of another one',
      (other: string) => {
        mkdirSync(stage.dotGit());
        for (const name of ['HEAD', 'config', 'objects', 'refs'])
          symlinkSync(join(other, '.git', name), stage.dotGit(name));
      },
    ],
  ])('replaced by %s is not pushed from', async (_, replace) => {
    const other = join(stage.fixture.base, 'other');
    stage.fixture.git(stage.fixture.base, 'init', '--quiet', `--initial-branch=${BRANCH}`, other);
    stage.fixture.commit(other, { 'other.txt': 'x' });
    rmSync(stage.dotGit(), { recursive: true });
    replace(other);
    expect(await stage.push()).toMatchObject({ ok: false });
    expect(
      await stage.push({ commit: stage.fixture.git(other, 'rev-parse', 'HEAD'), force: true }),
    ).toMatchObject({
      ok: false,
    });
    stage.expectUntouched();
    expect(stage.ownOnRemote()).toBeNull();
  });

  test('with a renamed branch has nothing to push, unless its commit is named for the own branch', async () => {
    stage.fixture.git(stage.workspace.path, 'branch', '--move', BRANCH, 'main-fix');
    expect(await stage.push()).toMatchObject({ ok: false, code: 'no_branch' });
    expect((await stage.agentGit('push', 'origin', 'HEAD')).code).not.toBe(0);
    expect(stage.ownOnRemote()).toBeNull();
    expect(await stage.agentGit('push', 'origin', `HEAD:${BRANCH}`)).toMatchObject({ code: 0 });
    expect(stage.ownOnRemote()).toBe(stage.head());
    stage.expectUntouched();
  });

  test('cut short by a shallow file is not pushed as half a history', async () => {
    stage.fixture.commit(stage.workspace.path, { 'two.txt': '2\n' });
    writeFileSync(
      stage.dotGit('shallow'),
      `${stage.fixture.git(stage.workspace.path, 'rev-parse', 'HEAD')}\n`,
    );
    expect(await stage.push()).toMatchObject({ ok: true });
    expect(stage.fixture.git(stage.fixture.remote, 'rev-list', '--count', `main..${REF}`)).toBe('2');
    stage.expectUntouched();
  });
});
