import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BRANCH, type HostileFixture, openHostileFixture, REF } from './hostile-fixture.ts';

/** What an agent could do to its repository, to have the worker run or push something else. */

let fixture: HostileFixture;
beforeEach(async () => {
  fixture = await openHostileFixture();
});
afterEach(() => fixture.close());

describe('nothing the repository of an agent says is obeyed', () => {
  /** Each sets a trap; the push itself is fine and goes through. */
  const traps: [string, () => void][] = [
    ['a pre-push hook', () => void fixture.trap(fixture.dotGit('hooks', 'pre-push'))],
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
          fixture.trap(fixture.dotGit('hooks', name));
      },
    ],
    [
      'core.hooksPath',
      () => {
        const folder = mkdtempSync(join(fixture.workspaceFixture.base, 'hooks-'));
        for (const name of ['pre-push', 'reference-transaction', 'pre-receive', 'post-update'])
          fixture.trap(join(folder, name));
        fixture.config('core.hooksPath', folder);
      },
    ],
    [
      'core.fsmonitor',
      () =>
        void fixture.config('core.fsmonitor', fixture.trap(join(fixture.workspaceFixture.base, 'monitor'))),
    ],
    [
      'core.sshCommand',
      () => void fixture.config('core.sshCommand', fixture.trap(join(fixture.workspaceFixture.base, 'ssh'))),
    ],
    [
      'core.gitProxy',
      () => void fixture.config('core.gitProxy', fixture.trap(join(fixture.workspaceFixture.base, 'proxy'))),
    ],
    [
      'core.askPass',
      () => void fixture.config('core.askPass', fixture.trap(join(fixture.workspaceFixture.base, 'askpass'))),
    ],
    [
      'core.alternateRefsCommand',
      () =>
        void fixture.config(
          'core.alternateRefsCommand',
          fixture.trap(join(fixture.workspaceFixture.base, 'refs')),
        ),
    ],
    [
      'a credential helper',
      () =>
        void fixture.config(
          'credential.helper',
          `!${fixture.trap(join(fixture.workspaceFixture.base, 'helper'))}`,
        ),
    ],
    [
      'url.insteadOf',
      () =>
        void fixture.config(
          `url.ext::${fixture.trap(join(fixture.workspaceFixture.base, 'ext'))}.insteadOf`,
          fixture.workspaceFixture.remote,
        ),
    ],
    [
      'remote.pushurl',
      () =>
        void fixture.config(
          'remote.origin.pushurl',
          `ext::${fixture.trap(join(fixture.workspaceFixture.base, 'ext'))}`,
        ),
    ],
    [
      'remote.receivepack',
      () =>
        void fixture.config(
          'remote.origin.receivepack',
          fixture.trap(join(fixture.workspaceFixture.base, 'receive')),
        ),
    ],
    [
      'remote.uploadpack',
      () =>
        void fixture.config(
          'remote.origin.uploadpack',
          fixture.trap(join(fixture.workspaceFixture.base, 'upload')),
        ),
    ],
    [
      'uploadpack.packObjectsHook',
      () =>
        void fixture.config(
          'uploadpack.packObjectsHook',
          fixture.trap(join(fixture.workspaceFixture.base, 'pack')),
        ),
    ],
    [
      'push settings',
      () => {
        for (const [name, value] of [
          ['push.followTags', 'true'],
          ['remote.origin.mirror', 'true'],
          ['remote.origin.push', '+refs/heads/*:refs/heads/*'],
        ])
          fixture.config(name ?? '', value ?? '');
        fixture.workspaceFixture.git(fixture.workspace.path, 'tag', '-a', 'loud', '-m', 'loud');
      },
    ],
    [
      'gpg.program',
      () => {
        fixture.config('gpg.program', fixture.trap(join(fixture.workspaceFixture.base, 'gpg')));
        fixture.config('push.gpgSign', 'true');
      },
    ],
    [
      'filters',
      () => {
        fixture.config('filter.evil.clean', fixture.trap(join(fixture.workspaceFixture.base, 'clean')));
        fixture.config('filter.evil.smudge', fixture.trap(join(fixture.workspaceFixture.base, 'smudge')));
        writeFileSync(fixture.dotGit('info', 'attributes'), '* filter=evil\n');
      },
    ],
    [
      'an included file',
      () => {
        const hooks = mkdtempSync(join(fixture.workspaceFixture.base, 'hooks-'));
        for (const name of ['pre-push', 'reference-transaction']) fixture.trap(join(hooks, name));
        const monitor = fixture.trap(join(fixture.workspaceFixture.base, 'm'));
        writeFileSync(
          join(fixture.workspaceFixture.base, 'included'),
          `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${monitor}\n`,
        );
        fixture.config('include.path', join(fixture.workspaceFixture.base, 'included'));
      },
    ],
    [
      'a replaced commit',
      () => {
        const main = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'origin/main');
        fixture.workspaceFixture.git(fixture.workspace.path, 'replace', fixture.head(), main);
      },
    ],
    ['grafts', () => appendFileSync(fixture.dotGit('info', 'grafts'), `${fixture.head()}\n`)],
    [
      'a HEAD on the default branch',
      () =>
        void fixture.workspaceFixture.git(fixture.workspace.path, 'symbolic-ref', 'HEAD', 'refs/heads/main'),
    ],
  ];
  test.each(traps)('%s', async (_, set) => {
    const commit = fixture.head();
    set();
    const result = await fixture.push({ commit });
    // None of this makes a push wrong: it goes through, as this very commit, and nothing else happens.
    expect(result).toMatchObject({ ok: true, changed: true, commit });
    expect(fixture.ownOnRemote()).toBe(commit);
    fixture.expectUntouched();
  });

  test('a replaced commit is pushed as what it really is', async () => {
    const commit = fixture.head();
    const main = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'origin/main');
    fixture.workspaceFixture.git(fixture.workspace.path, 'replace', commit, main);
    expect(await fixture.push({ commit })).toMatchObject({ ok: true });
    expect(
      fixture.workspaceFixture.git(fixture.workspaceFixture.remote, 'rev-list', '--count', `main..${REF}`),
    ).toBe('1');
  });
});

describe('objects', () => {
  test('of another repository do not come along by alternates or links', async () => {
    const secret = join(fixture.workspaceFixture.base, 'secret');
    fixture.workspaceFixture.git(fixture.workspaceFixture.base, 'init', '--quiet', secret);
    fixture.workspaceFixture.commit(secret, { 'secret.txt': 'secret\n' });
    const stolen = fixture.workspaceFixture.git(secret, 'rev-parse', 'HEAD');
    appendFileSync(fixture.dotGit('objects', 'info', 'alternates'), `${join(secret, '.git', 'objects')}\n`);
    expect(await fixture.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    const folder = stolen.slice(0, 2);
    rmSync(fixture.dotGit('objects', folder), { recursive: true, force: true });
    symlinkSync(join(secret, '.git', 'objects', folder), fixture.dotGit('objects', folder));
    expect(await fixture.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    rmSync(fixture.dotGit('objects', folder));
    mkdirSync(fixture.dotGit('objects', folder));
    symlinkSync(
      join(secret, '.git', 'objects', folder, stolen.slice(2)),
      fixture.dotGit('objects', folder, stolen.slice(2)),
    );
    expect(await fixture.push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  test('that are missing, or hold a .git entry, are refused by name', async () => {
    const blob = fixture.workspaceFixture.git(fixture.workspace.path, 'hash-object', '-w', 'one.txt');
    const input = `100644 blob ${blob}\t.git\n`;
    const options = {
      cwd: fixture.workspace.path,
      env: fixture.workspaceFixture.environment,
      encoding: 'utf8' as const,
    };
    const tree = execFileSync('git', ['mktree'], { ...options, input }).trim();
    const commit = fixture.workspaceFixture.git(
      fixture.workspace.path,
      'commit-tree',
      tree,
      '-p',
      'HEAD',
      '-m',
      'evil',
    );
    expect(await fixture.push({ commit })).toMatchObject({
      ok: false,
      code: 'objects_refused',
      message: expect.stringContaining('hasDotgit'),
    });
    const whole = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'HEAD^{tree}');
    rmSync(fixture.dotGit('objects', whole.slice(0, 2), whole.slice(2)));
    expect(await fixture.push()).toMatchObject({ ok: false });
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  test('with a pipe among them do not hang the worker', async () => {
    const blob = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'HEAD:one.txt');
    const path = fixture.dotGit('objects', blob.slice(0, 2), blob.slice(2));
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await fixture.push()).toMatchObject({ ok: false });
    fixture.expectUntouched();
  });

  test('that are a tree or a tag are no commit', async () => {
    const tree = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'HEAD^{tree}');
    expect(await fixture.push({ commit: tree })).toMatchObject({ ok: false, code: 'no_commit' });
    fixture.workspaceFixture.git(fixture.workspace.path, 'tag', '-a', 'x', '-m', 'x');
    const tag = fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'refs/tags/x');
    expect(await fixture.push({ commit: tag })).toMatchObject({ ok: false, code: 'no_commit' });
    fixture.expectUntouched();
  });
});

describe('the repository itself', () => {
  test.each([
    [
      'a file that points elsewhere',
      (other: string) => writeFileSync(fixture.dotGit(), `gitdir: ${join(other, '.git')}\n`),
    ],
    ['a link', (other: string) => symlinkSync(join(other, '.git'), fixture.dotGit())],
    ['nothing', () => {}],
    ['an empty directory', () => mkdirSync(fixture.dotGit())],
    [
      'another repository',
      (other: string) => cpSync(join(other, '.git'), fixture.dotGit(), { recursive: true }),
    ],
    [
      'a directory that shares another one',
      (other: string) => {
        mkdirSync(fixture.dotGit());
        writeFileSync(fixture.dotGit('HEAD'), `ref: ${REF}\n`);
        writeFileSync(fixture.dotGit('commondir'), `${join(other, '.git')}\n`);
      },
    ],
    [
      'links to the parts of another one',
      (other: string) => {
        mkdirSync(fixture.dotGit());
        for (const name of ['HEAD', 'config', 'objects', 'refs'])
          symlinkSync(join(other, '.git', name), fixture.dotGit(name));
      },
    ],
  ])('replaced by %s is not pushed from', async (_, replace) => {
    const other = join(fixture.workspaceFixture.base, 'other');
    fixture.workspaceFixture.git(
      fixture.workspaceFixture.base,
      'init',
      '--quiet',
      `--initial-branch=${BRANCH}`,
      other,
    );
    fixture.workspaceFixture.commit(other, { 'other.txt': 'x' });
    rmSync(fixture.dotGit(), { recursive: true });
    replace(other);
    expect(await fixture.push()).toMatchObject({ ok: false });
    expect(
      await fixture.push({ commit: fixture.workspaceFixture.git(other, 'rev-parse', 'HEAD'), force: true }),
    ).toMatchObject({
      ok: false,
    });
    fixture.expectUntouched();
    expect(fixture.ownOnRemote()).toBeNull();
  });

  test('with a renamed branch has nothing to push, unless its commit is named for the own branch', async () => {
    fixture.workspaceFixture.git(fixture.workspace.path, 'branch', '--move', BRANCH, 'main-fix');
    expect(await fixture.push()).toMatchObject({ ok: false, code: 'no_branch' });
    expect((await fixture.agentGit('push', 'origin', 'HEAD')).code).not.toBe(0);
    expect(fixture.ownOnRemote()).toBeNull();
    expect(await fixture.agentGit('push', 'origin', `HEAD:${BRANCH}`)).toMatchObject({ code: 0 });
    expect(fixture.ownOnRemote()).toBe(fixture.head());
    fixture.expectUntouched();
  });

  test('cut short by a shallow file is not pushed as half a history', async () => {
    fixture.workspaceFixture.commit(fixture.workspace.path, { 'two.txt': '2\n' });
    writeFileSync(
      fixture.dotGit('shallow'),
      `${fixture.workspaceFixture.git(fixture.workspace.path, 'rev-parse', 'HEAD')}\n`,
    );
    expect(await fixture.push()).toMatchObject({ ok: true });
    expect(
      fixture.workspaceFixture.git(fixture.workspaceFixture.remote, 'rev-list', '--count', `main..${REF}`),
    ).toBe('2');
    fixture.expectUntouched();
  });
});
