import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, writeFiles } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
let workspace: Workspace;
beforeEach(async () => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
  workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
});
afterEach(() => fixture.dispose());

describe('evidence', () => {
  test('of an untouched workspace is all zeros', async () => {
    expect(await workspaces.evidence(workspace)).toEqual({
      branch: 'ai/ENG-1',
      headCommit: workspace.git?.headAtStart,
      commitsAhead: 0,
      newCommits: 0,
      pushed: true,
      filesChanged: 0,
      uncommittedFiles: 0,
      pullRequestUrl: null,
    });
  });

  test('tells new commits from earlier ones, and pushed from not', async () => {
    fixture.commit(workspace.path, { 'one.txt': '1' });
    const second = await fixture.prepare(workspaces, issueOf('ENG-1'));
    fixture.commit(workspace.path, { 'two.txt': '2', 'README.md': 'new\n' });
    writeFiles(workspace.path, {
      ' leading space.txt': 'x',
      'README.md': 'newer\n',
      'dir/x': 'x',
      '.aiops/PROMPT.md': 'x',
    });
    const facts = { commitsAhead: 2, newCommits: 1, filesChanged: 5, uncommittedFiles: 3 };
    expect(await workspaces.evidence(second)).toMatchObject({ ...facts, pushed: false });
    fixture.push(workspace.path, 'HEAD');
    expect(await workspaces.evidence(second)).toMatchObject({ ...facts, pushed: true });
  });

  test('believes the remote, not what the workspace says about it', async () => {
    fixture.commit(workspace.path, { 'x.txt': 'x' });
    fixture.git(workspace.path, 'update-ref', 'refs/remotes/origin/ai/ENG-1', 'HEAD');
    expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: false });
    fixture.git(
      workspace.path,
      'push',
      '--quiet',
      pathToFileURL(fixture.remote).href,
      'HEAD:refs/heads/ai/ENG-1',
    );
    fixture.git(workspace.path, 'update-ref', '-d', 'refs/remotes/origin/ai/ENG-1');
    expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: true });
  });

  test('counts a head pushed under another name, or pushed over', async () => {
    fixture.commit(workspace.path, { 'x.txt': 'x' });
    fixture.push(workspace.path, 'HEAD:refs/heads/feature');
    expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: true });
  });

  test.each(['origin/invented', 'elsewhere/main', 'origin/main'])(
    'does not believe that %s has the head because the workspace says so',
    async (name) => {
      fixture.commit(workspace.path, { 'x.txt': 'x' });
      fixture.git(workspace.path, 'update-ref', `refs/remotes/${name}`, 'HEAD');
      expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: false, commitsAhead: 1 });
    },
  );

  test('does not say whether a head is pushed while the remote is away', async () => {
    fixture.commit(workspace.path, { 'x.txt': 'x' });
    fixture.git(workspace.path, 'update-ref', 'refs/remotes/origin/ai/ENG-1', 'HEAD');
    rmSync(fixture.remote, { recursive: true });
    expect(await workspaces.evidence(workspace)).toMatchObject({ pushed: null, newCommits: 1 });
  });

  test('of a detached head has no branch; of a directory without a repository, nothing', async () => {
    fixture.git(workspace.path, 'checkout', '--quiet', '--detach');
    expect(await workspaces.evidence(workspace)).toMatchObject({ branch: null, commitsAhead: 0 });
    const plain = await fixture.prepare(workspaces, issueOf('ENG-2'), null);
    expect(await workspaces.evidence(plain)).toMatchObject({ headCommit: null, uncommittedFiles: null });
  });

  test('of a repository without a commit counts its files', async () => {
    const plain = await fixture.prepare(workspaces, issueOf('ENG-2'), null);
    fixture.git(plain.path, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(plain.path, 'x'), '');
    expect(await workspaces.evidence(plain)).toMatchObject({
      branch: 'main',
      headCommit: null,
      uncommittedFiles: 1,
    });
  });

  test('changes nothing in the workspace', async () => {
    writeFiles(workspace.path, { 'README.md': 'edited\n' });
    mkdirSync(join(workspace.path, 'empty'));
    const index = fixture.git(workspace.path, 'hash-object', '.git/index');
    await workspaces.evidence(workspace);
    expect(fixture.git(workspace.path, 'hash-object', '.git/index')).toBe(index);
  });
});
