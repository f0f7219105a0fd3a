import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertOwnDirectory, openRoot } from '../../../src/workspaces/files/path-safety.ts';
import type { Workspaces } from '../../../src/workspaces/workspaces.ts';
import { RunFixture } from '../../fakes/run-fixture.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
beforeEach(() => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
});
afterEach(() => fixture.dispose());

const plain = (identifier: string, id = identifier) =>
  fixture.prepareConfirmed(workspaces, issueOf(identifier, id), null);

describe('paths', () => {
  test('any identifier gets a directory of its own directly under the root, or is refused (R-9.1-a, R-9.5-b, R-15.2-a)', async () => {
    const unit = fc.constantFrom('.', '/', '\\', '~', ' ', '\0', 'a', 'A', '-', '_', 'é', '\n', '*', '$');
    const identifier = fc.oneof(
      fc.string({ unit, maxLength: 10 }),
      fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 200, maxLength: 400 }),
      fc.constantFrom('..', '../x', '/etc', '.aiops', '.AIOPS', '.git', 'x/../../y'),
    );
    const owners = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(identifier, async (name) => {
        const refused = name === '' || name === '.' || name === '..';
        if (refused) {
          await expect(plain(name)).rejects.toMatchObject({ code: 'invalid_workspace_cwd' });
          return;
        }
        const { path } = await plain(name);
        expect(dirname(path)).toBe(fixture.root);
        expect(realpathSync(path)).toBe(path);
        const folded = path.toLowerCase();
        expect(owners.get(folded) ?? name).toBe(name);
        owners.set(folded, name);
      }),
      { numRuns: 60 },
    );
    expect(readdirSync(fixture.base).sort()).toEqual(['home', 'remote.git', 'root']);
  });

  test('a hostile identifier is sanitised, suffixed and contained before an agent is launched (R-17.2-j)', async () => {
    const run = new RunFixture();
    run.spec = { issue: issueOf('../../etc/x y', 'hostile') };
    run.ports = {
      workspaces: () => workspaces,
      assertWorkspace: async (_, { path }) => assertOwnDirectory(await openRoot(fixture.root), path),
    };
    expect((await run.run()).end).toEqual({ kind: 'completed' });
    expect(run.startedIn).toMatch(/\/[.]{2}_[.]{2}_etc_x_y--[0-9a-f]{16}$/);
    expect(dirname(run.startedIn ?? '')).toBe(fixture.root);

    const again = new RunFixture();
    again.spec = run.spec;
    const { path } = await workspaces.prepare(
      { issue: issueOf('../../etc/x y', 'hostile'), repo: null, onProgress() {} },
      never,
    );
    again.ports = {
      ...run.ports,
      runHook: async (name) => {
        if (name !== 'beforeRun') return;
        renameSync(path, join(fixture.base, 'moved'));
        symlinkSync('/etc', path);
      },
    };
    expect((await again.run()).end).toMatchObject({ kind: 'failed', code: 'invalid_workspace_cwd' });
    expect(again.startedIn).toBeNull();
  });

  test('a symlink at the path is refused, for preparing and removing, and its target stays (R-9.5-b, R-17.2-l)', async () => {
    const outside = join(fixture.base, 'outside');
    writeFiles(outside, { 'keep.txt': 'x' });
    const { path } = await plain('ENG-1');
    renameSync(path, join(fixture.base, 'moved'));
    symlinkSync(outside, path);
    await expect(plain('ENG-1')).rejects.toMatchObject({
      code: 'invalid_workspace_cwd',
      hint: expect.stringContaining(path),
    });
    const hooks: string[] = [];
    const removal = workspaces.remove('ENG-1', never, { beforeRemove: async () => void hooks.push('ran') });
    await expect(removal).rejects.toMatchObject({ code: 'invalid_workspace_cwd' });
    expect(hooks).toEqual([]);
    expect(readdirSync(outside)).toEqual(['keep.txt']);
    expect(await workspaces.list()).toEqual([]);
  });

  test('a symlinked root is used by its real path', async () => {
    const real = join(fixture.base, 'real');
    mkdirSync(real);
    symlinkSync(real, join(fixture.base, 'alias'));
    workspaces = fixture.workspaces({ root: join(fixture.base, 'alias') });
    expect((await plain('ENG-1')).path).toBe(join(real, 'ENG-1'));
    expect((await workspaces.remove('ENG-1', never)).removed).toBe(true);
  });

  test('a file at the path is kept aside and replaced by a workspace (R-17.2-d)', async () => {
    writeFiles(fixture.root, { 'ENG-1': 'a file' });
    const { path, createdNow } = await plain('ENG-1');
    expect(createdNow).toBe(true);
    expect(readdirSync(path)).toEqual([]);
    const [rescue] = readdirSync(join(fixture.root, '.aiops/rescue'));
    expect(readFileSync(join(fixture.root, '.aiops/rescue', rescue ?? '', 'workspace'), 'utf8')).toBe(
      'a file',
    );
  });

  test('a root that is no directory is named with what to do', async () => {
    const root = join(fixture.base, 'file');
    writeFileSync(root, '');
    workspaces = fixture.workspaces({ root });
    await expect(plain('ENG-1')).rejects.toMatchObject({
      code: 'workspace_root_unwritable',
      message: expect.stringContaining(root),
      hint: expect.stringContaining('AIOPS_WORKSPACE_ROOT'),
    });
    workspaces = fixture.workspaces({ mirrorRoot: root });
    await expect(fixture.prepare(workspaces, issueOf('ENG-1'))).rejects.toMatchObject({
      code: 'workspace_root_unwritable',
      hint: expect.stringContaining('AIOPS_MIRROR_ROOT'),
    });
  });

  test('a tree with read-only directories can be removed', async () => {
    const { path } = await plain('ENG-1');
    writeFiles(path, { 'cache/module/file.go': 'x' });
    chmodSync(join(path, 'cache/module'), 0o555);
    chmodSync(join(path, 'cache'), 0o555);
    await workspaces.remove('ENG-1', never);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(fixture.root, '.aiops/trash'))).toEqual([]);
  });
});

describe('ownership', () => {
  test('another scope’s workspace is neither used, listed nor removed', async () => {
    const other = fixture.workspaces({ scope: { trackerKind: 'local', trackerScope: 'team-b' } });
    const theirs = await fixture.prepareConfirmed(other, issueOf('ENG-1', '7'), null);
    writeFiles(theirs.path, { 'theirs.txt': 'x' });
    expect(await workspaces.remove('ENG-1', never)).toEqual({ removed: false, rescuedTo: null });
    const ours = await plain('ENG-1', '7');
    expect(ours.key).toMatch(/^ENG-1--[0-9a-f]{16}$/);
    expect((await plain('ENG-1', '7')).path).toBe(ours.path);
    expect(await workspaces.list()).toEqual([
      { path: ours.path, key: ours.key, issueId: '7', identifier: 'ENG-1' },
    ]);
    await workspaces.remove('ENG-1', never);
    expect(existsSync(ours.path)).toBe(false);
    expect(readdirSync(theirs.path)).toEqual(['theirs.txt']);
  });

  test('another repository, and another issue with the same identifier, get keys of their own', async () => {
    const first = await plain('ENG-1', '1');
    const recreated = await plain('ENG-1', '2');
    const withRepo = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1', '1'));
    expect(new Set([first.path, recreated.path, withRepo.path]).size).toBe(3);
    await workspaces.remove('ENG-1', never);
    expect(await workspaces.list()).toEqual([]);
  });

  test('identifiers that differ only in case never share a directory, whatever the disk does', async () => {
    const [upper, lower] = [await plain('ENG-1', 'u'), await plain('eng-1', 'l')];
    expect(upper.path.toLowerCase()).not.toBe(lower.path.toLowerCase());
    await workspaces.remove('eng-1', never);
    expect(existsSync(upper.path)).toBe(true);
    expect(await workspaces.list()).toHaveLength(1);
  });

  test('identifiers that clean up alike stay apart', async () => {
    const [a, b] = [await plain('team/a-1'), await plain('team_a-1')];
    expect(a.path).not.toBe(b.path);
    await workspaces.remove('team/a-1', never);
    expect(existsSync(b.path)).toBe(true);
  });

  test('a directory nobody recorded is not taken for a checkout, but is for a plain directory', async () => {
    writeFiles(fixture.root, { 'ENG-1/someone.txt': 'x', 'ENG-2/someone.txt': 'x' });
    const checkout = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(checkout.key).toMatch(/^ENG-1--/);
    expect(await plain('ENG-2')).toMatchObject({ key: 'ENG-2', createdNow: false });
    expect(existsSync(join(fixture.root, 'ENG-1/someone.txt'))).toBe(true);
  });

  test('an unreadable record protects its workspace', async () => {
    const { path, key } = await plain('ENG-1');
    writeFileSync(join(fixture.root, '.aiops/owners/eng-1.json'), '{"version":1');
    expect((await plain('ENG-1')).key).not.toBe(key);
    await workspaces.remove('ENG-1', never);
    expect(existsSync(path)).toBe(true);
  });

  test('a record that claims another file’s key is ignored', async () => {
    const { path } = await plain('ENG-1');
    const record = readFileSync(join(fixture.root, '.aiops/owners/eng-1.json'), 'utf8');
    writeFileSync(
      join(fixture.root, '.aiops/owners/evil.json'),
      record.replace('"ENG-1"', '"../../outside"'),
    );
    expect(await workspaces.list()).toMatchObject([{ path }]);
  });
});

describe('a repository an agent tampered with', () => {
  test('runs none of its configured programs on the host (R-15.5-b)', async () => {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const proof = join(fixture.base, 'executed');
    const evil = join(path, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho "$0 $@" >> ${proof}\ncat\n`, { mode: 0o755 });
    fixture.commit(path, { '.gitattributes': '* filter=evil diff=evil\n' });
    for (const [key, value] of [
      ['core.fsmonitor', evil],
      ['core.hooksPath', path],
      ['core.sshCommand', evil],
      ['core.editor', evil],
      ['core.pager', evil],
      ['core.alternateRefsCommand', evil],
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['diff.evil.textconv', evil],
      ['diff.external', evil],
      ['gpg.program', evil],
      ['commit.gpgSign', 'true'],
      ['remote.origin.uploadpack', evil],
      ['credential.helper', `!${evil}`],
      ['extensions.partialClone', 'origin'],
    ] as const) {
      fixture.git(path, 'config', '--file', '.git/config', key, value);
    }
    for (const hook of ['post-checkout', 'reference-transaction', 'pre-commit', 'post-index-change']) {
      writeFileSync(join(path, hook), readFileSync(evil), { mode: 0o755 });
    }
    writeFiles(path, { 'README.md': 'edited', 'new.txt': 'x' });
    fixture.pushToRemote('main', { 'later.txt': 'x' }, 'main');

    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(await workspaces.evidence(again)).toMatchObject({ newCommits: 0, commitsAhead: 1, pushed: false });
    expect(existsSync(proof)).toBe(false);
    fixture.git(path, 'status');
    expect(existsSync(proof), 'the trap works on a git that obeys it').toBe(true);
    rmSync(proof);
    expect((await workspaces.remove('ENG-1', never)).rescuedTo).not.toBeNull();
    expect(existsSync(proof)).toBe(false);
  });

  test('goes on with a fresh configuration when its own is broken', async () => {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    fixture.commit(path, { 'mine.txt': 'x' });
    writeFileSync(join(path, '.git/config'), '[core\nthis is no configuration');
    const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
    expect(again).toMatchObject({ path, createdNow: false });
    expect(fixture.git(path, 'config', '--get', 'remote.origin.url')).toBe(fixture.remote);
    expect(fixture.git(path, 'log', '--format=%s', '-1')).toBe('Change mine.txt');
  });

  test('cannot make the worker write through its links', async () => {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const outside = join(fixture.base, 'outside');
    mkdirSync(outside);
    renameSync(join(path, '.git/refs'), join(path, 'refs'));
    symlinkSync(outside, join(path, '.git/refs'));
    fixture.pushToRemote('main', { 'later.txt': 'x' }, 'main');
    await fixture.prepare(workspaces, issueOf('ENG-1')).catch(() => {});
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a git directory that is a link is set aside, not followed', async () => {
    const { path } = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
    const elsewhere = join(fixture.base, 'elsewhere.git');
    renameSync(join(path, '.git'), elsewhere);
    symlinkSync(elsewhere, join(path, '.git'));
    const before = readFileSync(join(elsewhere, 'config'), 'utf8');
    expect((await fixture.prepare(workspaces, issueOf('ENG-1'))).createdNow).toBe(true);
    expect(readFileSync(join(elsewhere, 'config'), 'utf8')).toBe(before);
    expect(readdirSync(join(fixture.root, '.aiops/rescue'))).toHaveLength(1);
  });

  test('a hard link to a foreign file is only ever unlinked', async () => {
    const outside = join(fixture.base, 'outside.txt');
    writeFileSync(outside, 'untouched');
    const { path } = await plain('ENG-1');
    linkSync(outside, join(path, 'link.txt'));
    await workspaces.remove('ENG-1', never);
    expect(readFileSync(outside, 'utf8')).toBe('untouched');
  });
});
