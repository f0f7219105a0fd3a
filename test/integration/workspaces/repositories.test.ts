import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFixture, type Fixture, issueOf, never } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

const asUrl = () => ({ ...fixture.repo, cloneUrl: pathToFileURL(fixture.remote).href });

describe('git itself', () => {
  test('missing is named, with what to install', async () => {
    const workspaces = fixture.workspaces({ environment: { PATH: fixture.base } });
    await expect(fixture.prepare(workspaces, issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'git_missing',
      hint: expect.stringContaining('Install git'),
    });
  });

  test('never asks a person: a remote that wants a password fails at once, without showing the token', async () => {
    const server = await startForbiddenServer();
    try {
      const cloneUrl = `http://user:dummy-token@127.0.0.1:${server.port}/acme/shop.git`;
      const attempt = fixture.prepare(fixture.workspaces(), issueOf('ENG-1'), { ...fixture.repo, cloneUrl });
      await expect(attempt).rejects.toMatchObject({
        code: 'git_failed',
        message: expect.not.stringContaining('dummy-token'),
        hint: expect.stringContaining('credential'),
      });
      expect(
        readdirSync(fixture.mirrorRoot, { recursive: true }).filter((name) =>
          String(name).includes('staging'),
        ),
      ).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('a repository', () => {
  test('without the base branch is named together with those it has', async () => {
    const attempt = fixture.prepare(fixture.workspaces(), issueOf('ENG-1'), {
      ...fixture.repo,
      defaultBranch: 'trunk',
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringMatching(/has no branch trunk \(it has main\)/),
      hint: expect.stringContaining('repo.default_branch'),
    });
  });

  test('without any commit says so', async () => {
    fixture.git(fixture.remote, 'update-ref', '-d', 'refs/heads/main');
    await expect(fixture.prepare(fixture.workspaces(), issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringContaining('it is empty'),
    });
  });

  test('reports the progress of a long clone', async () => {
    const details: string[] = [];
    const workspaces = fixture.workspaces();
    await workspaces.prepare(
      { issue: issueOf('ENG-1'), repo: asUrl(), onProgress: (detail) => details.push(detail) },
      never,
    );
    expect(details[0]).toBe('fetching');
    expect(details.some((detail) => /^cloning: (receiving|counting) objects \d+%$/.test(detail))).toBe(true);
    expect(details).toContain('checking out');
  });

  test('keeps in the mirror what no branch reaches any more, also when packs are combined', async () => {
    const workspaces = fixture.workspaces();
    const { git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const mirror = git?.mirrorPath ?? '';
    const lost = fixture.writePacks(mirror, 52);
    const packs = (): number =>
      readdirSync(join(mirror, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
    expect(packs()).toBeGreaterThan(50);
    await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(packs()).toBeLessThan(10);
    expect(fixture.git(mirror, 'rev-list', '--count', lost)).toBe('52');
  });

  test('with submodules has them checked out; one out of reach fails clearly', async () => {
    const library = join(fixture.base, 'library');
    mkdirSync(library);
    fixture.git(library, 'init', '--quiet', '--initial-branch=main');
    fixture.commit(library, { 'lib.txt': 'lib\n' });
    fixture.git(fixture.base, 'clone', '--quiet', fixture.remote, 'author');
    const author = join(fixture.base, 'author');
    fixture.git(
      author,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      library,
      'libs/library',
    );
    fixture.git(author, 'commit', '--quiet', '--message', 'Add a submodule');
    fixture.git(author, 'push', '--quiet', 'origin', 'main');

    await expect(fixture.prepare(fixture.workspaces(), issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('checking out the submodules failed'),
      hint: expect.stringContaining('protocol'),
    });
    expect(existsSync(join(fixture.root, 'ENG-1'))).toBe(false);
    const environment = {
      ...fixture.environment,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'protocol.file.allow',
      GIT_CONFIG_VALUE_0: 'always',
    };
    const allowing = fixture.workspaces({ environment });
    const { path } = await fixture.prepareConfirmed(allowing, issueOf('ENG-1'));
    expect(readFileSync(join(path, 'libs/library/lib.txt'), 'utf8')).toBe('lib\n');
    expect(fixture.git(path, 'status', '--porcelain')).toBe('');
    fixture.commit(join(path, 'libs/library'), { 'patch.txt': 'x' });
    expect((await allowing.remove('ENG-1', never)).rescuedTo).not.toBeNull();
    const skipping = await fixture.prepare(fixture.workspaces({ submodules: false }), issueOf('ENG-2'));
    expect(readdirSync(join(skipping.path, 'libs/library'))).toEqual([]);
  });

  test('does not fetch submodules that only an agent’s branch names', async () => {
    const gitmodules = '[submodule "x"]\n\tpath = x\n\turl = https://internal.invalid/secret.git\n';
    fixture.pushToRemote('ai/ENG-1', { '.gitmodules': gitmodules }, 'main');
    const { path, git } = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(existsSync(join(path, '.gitmodules'))).toBe(true);
    expect(git?.headAtStart).toBe(fixture.git(fixture.remote, 'rev-parse', 'ai/ENG-1'));
    expect(existsSync(join(path, '.git/modules'))).toBe(false);
  });

  test('with Git LFS files is refused without git-lfs, set up with it, and left as pointers on request', async () => {
    fixture.pushToRemote(
      'main',
      { 'sub/.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'sub/a.bin': 'pointer\n' },
      'main',
    );
    const bare = { ...fixture.environment, PATH: fixture.pathOf('git', 'sh') };
    const without = fixture.workspaces({ environment: bare });
    await expect(fixture.prepare(without, issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'workspace_unusable',
      hint: expect.stringContaining('Install git-lfs'),
    });
    const pointers = fixture.workspaces({ environment: { ...bare, GIT_LFS_SKIP_SMUDGE: '1' } });
    expect(
      readFileSync(join((await fixture.prepare(pointers, issueOf('ENG-2'))).path, 'sub/a.bin'), 'utf8'),
    ).toBe('pointer\n');

    const bin = join(fixture.base, 'bin');
    mkdirSync(bin);
    const calls = join(fixture.base, 'lfs-calls');
    writeFileSync(join(bin, 'git-lfs'), `#!/bin/sh\necho "$@" >> ${calls}\n`, { mode: 0o755 });
    const environment = { ...fixture.environment, PATH: `${bin}:${fixture.environment['PATH']}` };
    await fixture.prepare(fixture.workspaces({ environment }), issueOf('ENG-3'));
    expect(readFileSync(calls, 'utf8')).toBe('version\ninstall --local\n');
  });

  test('can be cloned shallow, continued as the remote grows, and deepened later', async () => {
    for (const name of ['b', 'c', 'd']) fixture.pushToRemote('main', { [name]: name }, 'main');
    const shallow = fixture.workspaces({ cloneDepth: 2 });
    const { path } = await fixture.prepareConfirmed(shallow, issueOf('ENG-1'), asUrl());
    expect(fixture.git(path, 'rev-list', '--count', 'HEAD')).toBe('2');
    fixture.commit(path, { 'mine.txt': 'x' });
    for (const name of ['e', 'f', 'g']) fixture.pushToRemote('main', { [name]: name }, 'main');
    const again = await fixture.prepare(shallow, issueOf('ENG-1'), asUrl());
    expect(again).toMatchObject({ path, createdNow: false });
    expect(fixture.git(path, 'fsck')).toBe('');
    fixture.push(path, 'HEAD');
    expect((await shallow.evidence(again)).pushed).toBe(true);
    const full = await fixture.prepare(fixture.workspaces(), issueOf('ENG-2'), asUrl());
    expect(fixture.git(full.path, 'rev-list', '--count', 'HEAD')).toBe('7');
  });

  test('can be cloned without old files, which checkouts then share', async () => {
    fixture.git(fixture.remote, 'config', 'uploadpack.allowFilter', 'true');
    fixture.git(fixture.remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    fixture.pushToRemote('main', { 'README.md': 'second version\n' }, 'main');
    const partial = fixture.workspaces({ partialClone: 'blob:none' });
    const { path, git } = await fixture.prepareConfirmed(partial, issueOf('ENG-1'), asUrl());
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('second version\n');
    expect(readdirSync(join(path, '.git/objects/pack'))).toEqual([]);
    const missing = fixture.git(git?.mirrorPath ?? '', 'rev-list', '--objects', '--all', '--missing=print');
    expect(missing.split('\n').filter((line) => line.startsWith('?'))).toHaveLength(1);
    expect(fixture.git(path, 'show', 'HEAD~1:README.md')).toBe('Hello');
    fixture.commit(path, { 'mine.txt': 'x' });
    const again = await fixture.prepare(partial, issueOf('ENG-1'), asUrl());
    expect(await partial.evidence(again)).toMatchObject({ commitsAhead: 1 });
    expect((await partial.remove('ENG-1', never)).rescuedTo).not.toBeNull();
  });
});

test('what killed workers left behind is cleared at the next start, unless it may be in use', async () => {
  const workspaces = fixture.workspaces();
  const { git } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  const own = join(fixture.root, '.aiops');
  const pack = join(git?.mirrorPath ?? '', 'objects/pack');
  const left = [`${own}/staging/view-1`, `${own}/rescue/.staging-1`, `${own}/trash/ENG-2.1234`];
  for (const path of [...left, `${own}/staging/young`]) mkdirSync(path, { recursive: true });
  const [old, young] = [join(pack, 'tmp_pack_old'), join(pack, 'tmp_pack_young')];
  for (const path of [old, young]) writeFileSync(path, '');
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const path of [...left, old]) utimesSync(path, longAgo, longAgo);
  expect(await workspaces.list()).toHaveLength(1);
  await fixture.prepare(workspaces, issueOf('ENG-1'));
  expect([...left, old, `${own}/staging/young`, young].map((path) => existsSync(path))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});

describe('disk space', () => {
  test('too little is refused before anything is written', async () => {
    const workspaces = fixture.workspaces({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(fixture.prepare(workspaces, issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/too little disk space at .*: \d+ MiB free, \d+ MiB wanted/),
      hint: expect.stringContaining('Free some disk space'),
    });
    expect(await fixture.workspaces().list()).toEqual([]);
  });
});

/** An HTTP server that wants a login for everything. */
async function startForbiddenServer(): Promise<{ port: number; close(): Promise<void> }> {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
