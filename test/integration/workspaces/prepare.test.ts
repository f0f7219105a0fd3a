import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFixture, type Fixture, issueOf, never, writeFiles } from './fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.dispose());

describe('preparing a workspace', () => {
  test('gives a new issue a checkout of its own on its branch, borrowing the mirror', async () => {
    const workspace = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1', 'uuid-1'));
    expect(workspace).toMatchObject({ path: join(fixture.root, 'ENG-1'), key: 'ENG-1', createdNow: true });
    expect(workspace.git).toMatchObject({ branch: 'ai/uuid-1', baseBranch: 'main', behindBase: 0 });
    expect(readFileSync(join(workspace.path, 'README.md'), 'utf8')).toBe('Hello\n');
    expect(fixture.git(workspace.path, 'branch', '--show-current')).toBe('ai/uuid-1');
    expect(fixture.git(workspace.path, 'remote', 'get-url', 'origin')).toBe(fixture.remote);
    expect(fixture.git(workspace.path, 'rev-parse', '--git-dir')).toBe('.git');
    expect(fixture.git(workspace.path, 'status', '--porcelain')).toBe('');
    expect(fixture.git(workspace.path, 'fsck')).toBe('');
    expect(existsSync(join(workspace.git?.mirrorPath ?? '', 'objects'))).toBe(true);
  });

  test('continues commits and edits of an earlier run and offers what the base gained', async () => {
    const workspaces = fixture.workspaces();
    const first = await fixture.prepare(workspaces, issueOf('ENG-1'));
    writeFiles(first.path, { 'done.txt': 'done\n' });
    fixture.git(first.path, 'add', 'done.txt');
    fixture.git(first.path, 'commit', '--quiet', '--message', 'Work');
    writeFiles(first.path, { 'README.md': 'edited\n', 'new.txt': 'untracked\n' });
    const advanced = fixture.pushToRemote('main', { 'later.txt': 'later\n' }, 'main');

    const second = await fixture.prepare(fixture.workspaces(), issueOf('ENG-1'));
    expect(second.createdNow).toBe(false);
    expect(second.git?.headAtStart).toBe(fixture.git(first.path, 'rev-parse', 'HEAD'));
    expect(second.git?.behindBase).toBe(1);
    expect(readFileSync(join(second.path, 'README.md'), 'utf8')).toBe('edited\n');
    expect(readFileSync(join(second.path, 'new.txt'), 'utf8')).toBe('untracked\n');
    expect(fixture.git(second.path, 'rev-parse', 'origin/main')).toBe(advanced);
    expect(existsSync(join(second.path, 'later.txt'))).toBe(false);
    fixture.git(second.path, 'merge', '--quiet', '--no-edit', 'origin/main');
  });

  test('prepares ten workspaces at once', async () => {
    const workspaces = fixture.workspaces();
    const ids = Array.from({ length: 10 }, (_, index) => `ENG-${index}`);
    const all = await Promise.all(ids.map((id) => fixture.prepare(workspaces, issueOf(id))));
    expect(new Set(all.map(({ path }) => path)).size).toBe(10);
    for (const { path } of all) expect(fixture.git(path, 'status', '--porcelain')).toBe('');
  });

  test('removal saves unpushed work', async () => {
    const workspaces = fixture.workspaces();
    const { path } = await fixture.prepare(workspaces, issueOf('ENG-1'));
    writeFileSync(join(path, 'new.txt'), 'precious\n');
    const report = await workspaces.remove('ENG-1', never);
    expect(report.removed).toBe(true);
    expect(report.rescuedTo).not.toBeNull();
    expect(existsSync(path)).toBe(false);
    expect(await workspaces.list()).toEqual([]);
    expect(
      fixture.git(fixture.remote, 'bundle', 'list-heads', join(report.rescuedTo ?? '', 'work.bundle')),
    ).toContain('refs/rescue/worktree');
  });
});
