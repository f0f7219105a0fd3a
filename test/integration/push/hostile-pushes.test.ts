import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PushRequest, PushResult } from '../../../src/domain/push.ts';
import type { OpenDoor, Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

/** What an agent could try to have the worker push, or to have it run. Nothing but the own branch may ever change. */

const BRANCH = 'ai/ENG-1';
const REF = `refs/heads/${BRANCH}`;

let fixture: Fixture;
let workspaces: Workspaces;
let workspace: Workspace;
let door: OpenDoor;
/** Whatever fires leaves a file here. */
let fired: string;
let before: string;

beforeEach(async () => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  fired = join(fixture.base, 'fired');
  mkdirSync(fired);
  fixture.commit(workspace.path, { 'one.txt': '1\n' });
  fixture.git(fixture.remote, 'tag', 'v1', 'main');
  before = otherRefs();
  door = workspaces.openDoor(workspace, (request) => workspaces.push('ENG-1', request, never));
});
afterEach(async () => {
  await door.close();
  fixture.dispose();
});

/** Every ref of the remote but the issue's own. */
function otherRefs(): string {
  const all = fixture.git(fixture.remote, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n');
  return all.filter((line) => !line.endsWith(` ${REF}`)).join('\n');
}

function expectUntouched(): void {
  expect(otherRefs()).toBe(before);
  expect(readdirSync(fired)).toEqual([]);
}

const ownOnRemote = (): boolean => existsSync(join(fixture.remote, REF));
const head = (): string => fixture.git(workspace.path, 'rev-parse', 'HEAD');
const push = (request: Partial<PushRequest> = {}): Promise<PushResult> =>
  workspaces.push('ENG-1', { commit: null, force: false, ...request }, never);
const dotGit = (...parts: string[]): string => join(workspace.path, '.git', ...parts);
/** A program that tells that it ran. */
function trap(path: string): string {
  writeFileSync(path, `#!/bin/sh\ntouch '${fired}'/$$\n`);
  chmodSync(path, 0o755);
  return path;
}
const config = (name: string, value: string): string => fixture.git(workspace.path, 'config', name, value);

function agentGit(...args: string[]): Promise<{ code: number; text: string }> {
  const options = {
    cwd: workspace.path,
    env: fixture.environment,
    encoding: 'utf8' as const,
    timeout: 60_000,
  };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
    );
  });
}

describe('what the door refuses by itself, and the worker behind it', () => {
  const refusals: [string, string[]][] = [
    ['another branch', ['push', 'origin', 'HEAD:refs/heads/other']],
    ['the default branch', ['push', 'origin', 'HEAD:main']],
    ['the default branch by force', ['push', '--force', 'origin', 'HEAD:main']],
    ['the default branch with a plus', ['push', 'origin', '+HEAD:refs/heads/main']],
    ['a tag', ['push', 'origin', 'HEAD:refs/tags/v2']],
    ['a tag moved', ['push', '--force', 'origin', 'HEAD:refs/tags/v1']],
    ['all tags', ['push', '--tags', 'origin', 'HEAD']],
    ['everything', ['push', '--mirror', 'origin']],
    ['all branches beside a second one', ['push', 'origin', 'HEAD', 'HEAD:refs/heads/second']],
    ['its own deletion', ['push', 'origin', `:${BRANCH}`]],
    ['a deletion of the default branch', ['push', 'origin', '--delete', 'main']],
    ['a ref outside of branches', ['push', 'origin', 'HEAD:refs/for/main']],
    ['a branch that begins like its own', ['push', 'origin', `HEAD:${REF}-2`]],
    ['a pull request ref', ['push', 'origin', 'HEAD:refs/pull/1/head']],
    ['notes', ['push', 'origin', 'HEAD:refs/notes/commits']],
  ];
  test.each(refusals)('%s', async (_, args) => {
    fixture.git(workspace.path, 'tag', 'mine');
    const { code } = await agentGit(...args);
    expect(code).not.toBe(0);
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  /** The hook is the agent's to rewrite, so the worker hears what the agent likes. */
  const requests: [string, (id: string) => string | Buffer][] = [
    ['another ref', (id) => `${id} refs/heads/main force\n`],
    ['two refs in one', (id) => `${id} ${REF} plain\n${id} refs/heads/main force\n`],
    ['a commit that is an option', () => `--upload-pack=/bin/true ${REF} plain\n`],
    ['a commit that is a name', () => `HEAD ${REF} plain\n`],
    ['a refspec in the commit', (id) => `${id}:refs/heads/main ${REF} plain\n`],
    ['a ref with a refspec', (id) => `${id} ${REF}:refs/heads/main plain\n`],
    ['a ref with a line break', (id) => `${id} ${REF}\nrefs/heads/main plain\n`],
    ['nothing', () => ''],
    ['no UTF-8', () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a])],
    ['a flood', () => 'a'.repeat(5_000_000)],
    ['a commit that is not there', () => `${'f'.repeat(40)} ${REF} force\n`],
  ];
  test.each(requests)('a request of %s', async (_, text) => {
    writeFileSync(dotGit('aiops', 'door.git', 'requests', 'Request1'), text(head()));
    await gone(dotGit('aiops', 'door.git', 'requests', 'Request1'));
    await door.close();
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  test('requests that are no files: a pipe, a link, a directory, thousands; the next push goes through', async () => {
    const folder = dotGit('aiops', 'door.git', 'requests');
    execFileSync('mkfifo', [join(folder, 'Pipe0001')]);
    symlinkSync('/etc/passwd', join(folder, 'Link0001'));
    symlinkSync('/dev/zero', join(folder, 'Zero0001'));
    mkdirSync(join(folder, 'Folder01'));
    for (let index = 0; index < 2_000; index += 1) writeFileSync(join(folder, `.junk${index}`), 'x');
    for (const name of ['Pipe0001', 'Link0001', 'Zero0001']) {
      // More entries than the worker looks at in one go may hide these; they are the agent's own loss.
      if (existsSync(join(folder, name))) rmSync(join(folder, name), { force: true });
    }
    for (let index = 0; index < 2_000; index += 1) rmSync(join(folder, `.junk${index}`));
    expect(await agentGit('push')).toMatchObject({ code: 0 });
    expectUntouched();
  });

  test('answers that are not written through what the agent puts in their place', async () => {
    const victim = join(fixture.base, 'victim');
    mkdirSync(victim);
    rmSync(dotGit('aiops', 'door.git', 'answers'), { recursive: true });
    symlinkSync(victim, dotGit('aiops', 'door.git', 'answers'));
    writeFileSync(dotGit('aiops', 'door.git', 'requests', 'Request1'), `${head()} ${REF} plain\n`);
    await gone(dotGit('aiops', 'door.git', 'requests', 'Request1'));
    await door.close();
    expect(readdirSync(victim)).toEqual([]);
    expectUntouched();
  });

  test('a door that is a link to another place is not served', async () => {
    const elsewhere = join(fixture.base, 'elsewhere');
    renameSync(dotGit('aiops'), elsewhere);
    symlinkSync(elsewhere, dotGit('aiops'));
    writeFileSync(join(elsewhere, 'door.git', 'requests', 'Request1'), `${head()} ${REF} plain\n`);
    await new Promise((resolve) => setImmediate(resolve));
    await door.close();
    expect(existsSync(join(elsewhere, 'door.git', 'requests', 'Request1'))).toBe(true);
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  test('a deleted door fails the push and nothing else', async () => {
    rmSync(dotGit('aiops'), { recursive: true });
    expect((await agentGit('push')).code).not.toBe(0);
    expectUntouched();
  });

  test('many pushes at once end with the branch at one of them', async () => {
    const results = await Promise.all([push(), push(), agentGit('push'), agentGit('push')]);
    expect(
      results.filter((result) => ('ok' in result ? result.ok : result.code === 0)).length,
    ).toBeGreaterThan(0);
    expect(fixture.git(fixture.remote, 'rev-parse', REF)).toBe(head());
    expectUntouched();
  });
});

describe('nothing the repository of an agent says is obeyed', () => {
  /** Each sets a trap; the push itself is fine and goes through. */
  const traps: [string, () => void][] = [
    ['a pre-push hook', () => void trap(dotGit('hooks', 'pre-push'))],
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
          trap(dotGit('hooks', name));
      },
    ],
    [
      'core.hooksPath',
      () => {
        const folder = mkdtempSync(join(fixture.base, 'hooks-'));
        for (const name of ['pre-push', 'reference-transaction', 'pre-receive', 'post-update'])
          trap(join(folder, name));
        config('core.hooksPath', folder);
      },
    ],
    ['core.fsmonitor', () => void config('core.fsmonitor', trap(join(fixture.base, 'monitor')))],
    ['core.sshCommand', () => void config('core.sshCommand', trap(join(fixture.base, 'ssh')))],
    ['core.gitProxy', () => void config('core.gitProxy', trap(join(fixture.base, 'proxy')))],
    ['core.askPass', () => void config('core.askPass', trap(join(fixture.base, 'askpass')))],
    [
      'core.alternateRefsCommand',
      () => void config('core.alternateRefsCommand', trap(join(fixture.base, 'refs'))),
    ],
    ['a credential helper', () => void config('credential.helper', `!${trap(join(fixture.base, 'helper'))}`)],
    [
      'url.insteadOf',
      () => void config(`url.ext::${trap(join(fixture.base, 'ext'))}.insteadOf`, fixture.remote),
    ],
    ['remote.pushurl', () => void config('remote.origin.pushurl', `ext::${trap(join(fixture.base, 'ext'))}`)],
    [
      'remote.receivepack',
      () => void config('remote.origin.receivepack', trap(join(fixture.base, 'receive'))),
    ],
    ['remote.uploadpack', () => void config('remote.origin.uploadpack', trap(join(fixture.base, 'upload')))],
    [
      'uploadpack.packObjectsHook',
      () => void config('uploadpack.packObjectsHook', trap(join(fixture.base, 'pack'))),
    ],
    [
      'push settings',
      () => {
        for (const [name, value] of [
          ['push.followTags', 'true'],
          ['remote.origin.mirror', 'true'],
          ['remote.origin.push', '+refs/heads/*:refs/heads/*'],
        ])
          config(name ?? '', value ?? '');
        fixture.git(workspace.path, 'tag', '-a', 'loud', '-m', 'loud');
      },
    ],
    [
      'gpg.program',
      () => {
        config('gpg.program', trap(join(fixture.base, 'gpg')));
        config('push.gpgSign', 'true');
      },
    ],
    [
      'filters',
      () => {
        config('filter.evil.clean', trap(join(fixture.base, 'clean')));
        config('filter.evil.smudge', trap(join(fixture.base, 'smudge')));
        writeFileSync(dotGit('info', 'attributes'), '* filter=evil\n');
      },
    ],
    [
      'an included file',
      () => {
        writeFileSync(
          join(fixture.base, 'included'),
          `[core]\n\thooksPath = ${fired}\n\tfsmonitor = ${trap(join(fixture.base, 'm'))}\n`,
        );
        config('include.path', join(fixture.base, 'included'));
      },
    ],
    [
      'a replaced commit',
      () => {
        const main = fixture.git(workspace.path, 'rev-parse', 'origin/main');
        fixture.git(workspace.path, 'replace', head(), main);
      },
    ],
    ['grafts', () => appendFileSync(dotGit('info', 'grafts'), `${head()}\n`)],
    [
      'a HEAD on the default branch',
      () => void fixture.git(workspace.path, 'symbolic-ref', 'HEAD', 'refs/heads/main'),
    ],
  ];
  test.each(traps)('%s', async (_, set) => {
    const commit = head();
    set();
    const result = await push({ commit });
    // Whether it goes through or is refused as unsafe, nothing else may happen.
    if (result.ok) expect(fixture.git(fixture.remote, 'rev-parse', REF)).toBe(commit);
    else expect(ownOnRemote()).toBe(false);
    expectUntouched();
  });

  test('a replaced commit is pushed as what it really is', async () => {
    const commit = head();
    const main = fixture.git(workspace.path, 'rev-parse', 'origin/main');
    fixture.git(workspace.path, 'replace', commit, main);
    expect(await push({ commit })).toMatchObject({ ok: true });
    expect(fixture.git(fixture.remote, 'rev-list', '--count', `main..${REF}`)).toBe('1');
  });
});

describe('objects', () => {
  test('of another repository do not come along by alternates or links', async () => {
    const secret = join(fixture.base, 'secret');
    fixture.git(fixture.base, 'init', '--quiet', secret);
    fixture.commit(secret, { 'secret.txt': 'secret\n' });
    const stolen = fixture.git(secret, 'rev-parse', 'HEAD');
    appendFileSync(dotGit('objects', 'info', 'alternates'), `${join(secret, '.git', 'objects')}\n`);
    expect(await push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    const folder = stolen.slice(0, 2);
    rmSync(dotGit('objects', folder), { recursive: true, force: true });
    symlinkSync(join(secret, '.git', 'objects', folder), dotGit('objects', folder));
    expect(await push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    rmSync(dotGit('objects', folder));
    mkdirSync(dotGit('objects', folder));
    symlinkSync(
      join(secret, '.git', 'objects', folder, stolen.slice(2)),
      dotGit('objects', folder, stolen.slice(2)),
    );
    expect(await push({ commit: stolen, force: true })).toMatchObject({ ok: false });
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  test('that are missing, or hold a .git entry, are refused by name', async () => {
    const blob = fixture.git(workspace.path, 'hash-object', '-w', 'one.txt');
    const input = `100644 blob ${blob}\t.git\n`;
    const options = { cwd: workspace.path, env: fixture.environment, encoding: 'utf8' as const };
    const tree = execFileSync('git', ['mktree'], { ...options, input }).trim();
    const commit = fixture.git(workspace.path, 'commit-tree', tree, '-p', 'HEAD', '-m', 'evil');
    expect(await push({ commit })).toMatchObject({
      ok: false,
      code: 'objects_refused',
      message: expect.stringContaining('hasDotgit'),
    });
    const whole = fixture.git(workspace.path, 'rev-parse', 'HEAD^{tree}');
    rmSync(dotGit('objects', whole.slice(0, 2), whole.slice(2)));
    expect(await push()).toMatchObject({ ok: false });
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  test('with a pipe among them do not hang the worker', async () => {
    const blob = fixture.git(workspace.path, 'rev-parse', 'HEAD:one.txt');
    const path = dotGit('objects', blob.slice(0, 2), blob.slice(2));
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await push()).toMatchObject({ ok: false });
    expectUntouched();
  });

  test('that are a tree or a tag are no commit', async () => {
    const tree = fixture.git(workspace.path, 'rev-parse', 'HEAD^{tree}');
    expect(await push({ commit: tree })).toMatchObject({ ok: false, code: 'no_commit' });
    fixture.git(workspace.path, 'tag', '-a', 'x', '-m', 'x');
    const tag = fixture.git(workspace.path, 'rev-parse', 'refs/tags/x');
    expect(await push({ commit: tag })).toMatchObject({ ok: false, code: 'no_commit' });
    expectUntouched();
  });
});

describe('the repository itself', () => {
  test.each([
    [
      'a file that points elsewhere',
      (other: string) => writeFileSync(dotGit(), `gitdir: ${join(other, '.git')}\n`),
    ],
    ['a link', (other: string) => symlinkSync(join(other, '.git'), dotGit())],
    ['nothing', () => {}],
    ['an empty directory', () => mkdirSync(dotGit())],
  ])('replaced by %s is not pushed from', async (_, replace) => {
    const other = join(fixture.base, 'other');
    fixture.git(fixture.base, 'init', '--quiet', `--initial-branch=${BRANCH}`, other);
    fixture.commit(other, { 'other.txt': 'x' });
    rmSync(dotGit(), { recursive: true });
    replace(other);
    expect(await push()).toMatchObject({ ok: false });
    expect(await push({ commit: fixture.git(other, 'rev-parse', 'HEAD'), force: true })).toMatchObject({
      ok: false,
    });
    expectUntouched();
    expect(ownOnRemote()).toBe(false);
  });

  test('with a renamed branch has nothing to push, unless its commit is named for the own branch', async () => {
    fixture.git(workspace.path, 'branch', '--move', BRANCH, 'main-fix');
    expect(await push()).toMatchObject({ ok: false, code: 'no_branch' });
    expect((await agentGit('push', 'origin', 'HEAD')).code).not.toBe(0);
    expect(ownOnRemote()).toBe(false);
    expect(await agentGit('push', 'origin', `HEAD:${BRANCH}`)).toMatchObject({ code: 0 });
    expect(fixture.git(fixture.remote, 'rev-parse', REF)).toBe(head());
    expectUntouched();
  });

  test('cut short by a shallow file is not pushed as half a history', async () => {
    fixture.commit(workspace.path, { 'two.txt': '2\n' });
    writeFileSync(dotGit('shallow'), `${fixture.git(workspace.path, 'rev-parse', 'HEAD')}\n`);
    const result = await push();
    if (result.ok) expect(fixture.git(fixture.remote, 'rev-list', '--count', `main..${REF}`)).toBe('2');
    expectUntouched();
  });
});

async function gone(path: string): Promise<void> {
  await expect.poll(() => existsSync(path), { timeout: 20_000 }).toBe(false);
}
