import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGit } from '../../../src/workspaces/git/git.ts';
import { createDiffReader } from '../../../src/workspaces/reading/diff.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { armRepository, below, gitAtBytes, makeTrap, type Trap } from '../../hostile/git-traps.ts';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
let trap: Trap;
beforeEach(() => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  trap = makeTrap(join(fixture.base, 'trap'));
});
afterEach(() => fixture.dispose());

const prepare = () => fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
const rescues = (): string[] => readdirSync(join(fixture.root, '.aiops/rescue'));
const readDiff = (path: string) =>
  createDiffReader(fixture.environment)({ root: fixture.root, path, baseBranch: 'main', signal: never });

/** Everything the worker does with a workspace between and after runs. Refusals are fine; programs that run are not. */
async function useWorkspace(workspace: Workspace): Promise<void> {
  await workspaces.evidence(workspace).catch(() => {});
  await readDiff(workspace.path).catch(() => {});
  fixture.pushToRemote('main', { 'later.txt': 'x' }, 'main');
  const again = await fixture.prepare(workspaces, issueOf('ENG-1'));
  await workspaces.evidence(again).catch(() => {});
  await workspaces.remove('ENG-1', never);
}

function embed(at: Buffer, origin: string): void {
  mkdirSync(at, { recursive: true });
  const git = (...args: string[]): string => gitAtBytes(at, fixture.environment, ...args);
  git('init', '--quiet');
  git('fetch', '--quiet', origin, 'main:main');
  git('checkout', '--quiet', 'main');
}

const PLACES: readonly (readonly [name: string, path: Buffer, tracked: boolean])[] = [
  ['a submodule', Buffer.from('libs/one'), true],
  ['a submodule whose name is not UTF-8', Buffer.from([0x6c, 0xff, 0xfe, 0x62]), true],
  ['an embedded clone', Buffer.from('vendor/clone'), false],
  ['an embedded clone whose name is not UTF-8', Buffer.from([0x76, 0xe9, 0x6e]), false],
  ['a deep folder', Buffer.from(Array.from({ length: 60 }, (_, index) => `d${index}`).join('/')), false],
  ['an embedded clone with a line break in its name', Buffer.from('a\nb'), true],
];

describe('no program that an agent configures runs on the host', () => {
  test.each(PLACES)('in %s', async (_, place, tracked) => {
    const workspace = await prepare();
    const at = Buffer.concat([Buffer.from(`${workspace.path}/`), place]);
    embed(at, fixture.remote);
    if (tracked) {
      const head = gitAtBytes(at, fixture.environment, 'rev-parse', 'HEAD');
      const input = Buffer.concat([Buffer.from(`160000 ${head}\t`), place, Buffer.of(0)]);
      const args = ['update-index', '-z', '--index-info'];
      execFileSync('git', args, { cwd: workspace.path, env: fixture.environment, input });
      fixture.git(workspace.path, 'commit', '--quiet', '-m', 'Add a submodule');
    }
    writeFileSync(below(at, 'README.md'), 'edited\n');
    armRepository(toGitDirectory(at), at, trap);
    await useWorkspace(workspace);
    expect(existsSync(trap.proof)).toBe(false);
    expect(rescues()).not.toEqual([]);
  });

  test('in the repository itself, and the trap works on a git that obeys it', async () => {
    const workspace = await prepare();
    fixture.commit(workspace.path, { 'mine.txt': 'x' });
    writeFiles(workspace.path, { 'README.md': 'edited' });
    armRepository(join(workspace.path, '.git'), workspace.path, trap);
    await useWorkspace(workspace);
    expect(existsSync(trap.proof)).toBe(false);

    const other = await fixture.prepareConfirmed(workspaces, issueOf('ENG-2'));
    armRepository(join(other.path, '.git'), other.path, trap);
    expect(() => fixture.git(other.path, 'add', '--all')).toThrow();
    expect(existsSync(trap.proof)).toBe(true);
  });

  test('in a bare repository among the files', async () => {
    const workspace = await prepare();
    const bare = join(workspace.path, 'bare');
    fixture.git(workspace.path, 'init', '--quiet', '--bare', bare);
    armRepository(bare, bare, trap);
    await useWorkspace(workspace);
    expect(existsSync(trap.proof)).toBe(false);
    expect(rescues()).toHaveLength(1);
  });
});

/** As text that `join` takes; the tests use it for writing below only, so a link with a plain name will do. */
function toGitDirectory(workTree: Buffer): string {
  const link = join(fixture.base, `link-${readdirSync(fixture.base).length}`);
  symlinkSync(below(workTree, '.git'), link);
  return link;
}

describe('a repository that is not the one the worker made', () => {
  const foreign = () => {
    const path = join(fixture.base, 'foreign');
    mkdirSync(path);
    fixture.git(path, 'init', '--quiet', '--initial-branch=main');
    fixture.commit(path, { 'secret.txt': 'foreign secret\n' });
    return { path, head: fixture.git(path, 'rev-parse', 'HEAD') };
  };
  const mirrorHas = (workspace: Workspace, commit: string): boolean => {
    try {
      fixture.git(workspace.git?.mirrorPath ?? '', 'cat-file', '-e', commit);
      return true;
    } catch {
      return false;
    }
  };

  test.each(['file', 'link', 'other folder'])('is not read when .git is a %s', async (kind) => {
    const workspace = await prepare();
    const { path, head } = foreign();
    writeFiles(workspace.path, { 'work.txt': 'precious' });
    const dotGit = join(workspace.path, '.git');
    renameSync(dotGit, join(fixture.base, 'old.git'));
    if (kind === 'file') writeFileSync(dotGit, `gitdir: ${path}/.git\n`);
    if (kind === 'link') symlinkSync(join(path, '.git'), dotGit);
    if (kind === 'other folder') renameSync(join(path, '.git'), dotGit);
    await expect(workspaces.evidence(workspace)).rejects.toMatchObject({ code: 'repository_unsafe' });
    await expect(readDiff(workspace.path)).rejects.toMatchObject({ code: 'repository_unsafe' });
    const { rescuedTo } = await workspaces.remove('ENG-1', never);
    expect(mirrorHas(workspace, head)).toBe(false);
    expect(readFileSync(join(rescuedTo ?? '', 'workspace/work.txt'), 'utf8')).toBe('precious');
  });

  test('is set aside, told, and a fresh one made for the next run', async () => {
    const workspace = await prepare();
    const { path } = foreign();
    rmSync(join(workspace.path, '.git'), { recursive: true });
    writeFileSync(join(workspace.path, '.git'), `gitdir: ${path}/.git\n`);
    const again = await prepare();
    expect(again).toMatchObject({ path: workspace.path, createdNow: true });
    expect(await workspaces.evidence(again)).toMatchObject({ commitsAhead: 0 });
    expect(rescues()).toHaveLength(1);
  });

  test('lends no objects: alternates that an agent wrote are not followed', async () => {
    const workspace = await prepare();
    const { path, head } = foreign();
    fixture.commit(workspace.path, { 'own.txt': 'x' });
    const git = join(workspace.path, '.git');
    writeFileSync(join(git, 'objects/info/alternates'), `${path}/.git/objects\n`, { flag: 'a' });
    writeFileSync(join(git, 'refs/heads/stolen'), `${head}\n`);
    await workspaces.evidence(workspace);
    await workspaces.remove('ENG-1', never);
    expect(mirrorHas(workspace, head)).toBe(false);
  });

  test('lends no objects: alternates that an agent wrote are not taken down when the next run begins', async () => {
    const workspace = await prepare();
    const { path, head } = foreign();
    fixture.commit(workspace.path, { 'own.txt': 'x' });
    const git = join(workspace.path, '.git');
    writeFileSync(join(git, 'objects/info/alternates'), `${path}/.git/objects\n`, { flag: 'a' });
    expect(await prepare()).toMatchObject({ createdNow: false });
    expect(readFileSync(join(fixture.root, '.aiops/owners/eng-1.json'), 'utf8')).not.toContain(path);
    writeFileSync(join(git, 'refs/heads/stolen'), `${head}\n`);
    await workspaces.remove('ENG-1', never);
    expect(mirrorHas(workspace, head)).toBe(false);
  });

  test('lends no objects: folders and packs that are links are refused', async () => {
    const workspace = await prepare();
    const { path, head } = foreign();
    const objects = join(workspace.path, '.git/objects');
    for (const name of readdirSync(join(path, '.git/objects')).filter((entry) => entry.length === 2)) {
      rmSync(join(objects, name), { recursive: true, force: true });
      symlinkSync(join(path, '.git/objects', name), join(objects, name));
    }
    writeFileSync(join(workspace.path, '.git/refs/heads/stolen'), `${head}\n`);
    await expect(workspaces.evidence(workspace)).rejects.toMatchObject({ code: 'repository_unsafe' });
    await workspaces.remove('ENG-1', never);
    expect(mirrorHas(workspace, head)).toBe(false);
  });

  test('is adopted once when the workspace is older than the record', async () => {
    const workspace = await prepare();
    const file = join(fixture.root, '.aiops/owners/eng-1.json');
    const { git: _, ...older } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(older));
    fixture.commit(workspace.path, { 'mine.txt': 'x' });
    expect(await prepare()).toMatchObject({ createdNow: false });
    expect(JSON.parse(readFileSync(file, 'utf8')).git).not.toBeNull();
    expect(await workspaces.evidence(workspace)).toMatchObject({ newCommits: 1 });
  });

  test('is known again after the whole root moved to another disk', async () => {
    const workspace = await prepare();
    fixture.commit(workspace.path, { 'mine.txt': 'x' });
    renameSync(fixture.root, `${fixture.root}.old`);
    execFileSync('cp', ['-a', `${fixture.root}.old`, fixture.root]);
    expect(await prepare()).toMatchObject({ createdNow: false });
    expect(await workspaces.evidence(workspace)).toMatchObject({ commitsAhead: 1 });
  });

  test('may be what a hook made before any agent came, a worktree too', async () => {
    const { path } = foreign();
    const workspace = await fixture.prepare(workspaces, issueOf('ENG-9'), null);
    rmSync(workspace.path, { recursive: true });
    fixture.git(path, 'worktree', 'add', '--quiet', '-b', 'ai/ENG-9', workspace.path);
    await workspaces.confirmCreated(workspace);
    expect((await workspaces.reread(workspace)).git).toMatchObject({ branch: 'ai/ENG-9' });
  });
});

describe('the files of a rescue', () => {
  test('are never those behind a folder that became a link', async () => {
    const workspace = await prepare();
    const outside = join(fixture.base, 'outside');
    writeFiles(outside, { 'a.txt': 'foreign secret\n' });
    rmSync(join(workspace.path, 'src'), { recursive: true });
    symlinkSync(outside, join(workspace.path, 'src'));
    await workspaces.remove('ENG-1', never);
    const objects = fixture.git(workspace.git?.mirrorPath ?? '', 'rev-list', '--objects', '--all');
    expect(objects).not.toBe('');
    const id = execFileSync('git', ['hash-object', '--stdin'], { input: 'foreign secret\n' });
    expect(objects).not.toContain(id.toString().trim());
  });

  test('keep names of any bytes, links, programs and deletions', async () => {
    const workspace = await prepare();
    const odd = Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.from([0xff, 0x0a, 0x22, 0x5c])]);
    writeFileSync(odd, 'odd\n');
    writeFileSync(join(workspace.path, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('/nowhere', join(workspace.path, 'away'));
    rmSync(join(workspace.path, 'src/a.txt'));
    await workspaces.remove('ENG-1', never);
    const mirror = workspace.git?.mirrorPath ?? '';
    const [ref = ''] = fixture
      .git(mirror, 'for-each-ref', '--format=%(refname)', 'refs/aiops')
      .split('\n')
      .filter((name) => name.endsWith('/rescue/worktree'));
    const tree = fixture.git(mirror, 'ls-tree', '-r', '--format=%(objectmode) %(path)', ref).split('\n');
    expect(tree.sort()).toEqual([
      '100644 "\\377\\n\\"\\\\"',
      '100644 README.md',
      '100755 run.sh',
      '120000 away',
    ]);
  });
});

test('output of git that was cut is an error, not an answer', async () => {
  const git = createGit(fixture.environment);
  const call = { cwd: fixture.remote, action: 'listing', maxOutputBytes: 10 };
  await expect(git.run(['rev-parse', 'main'], call)).rejects.toMatchObject({
    code: 'git_failed',
    message: 'listing printed more than 10 bytes',
  });
  expect(await git.run(['rev-parse', 'main'], { ...call, prefixWillDo: true })).toHaveLength(10);
});
