import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteTree } from '../../../src/process/helper/helper.ts';
import { createDiffReader } from '../../../src/workspaces/reading/diff.ts';
import type { Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from './fixture.ts';

let fixture: Fixture;
let workspaces: Workspaces;
beforeEach(() => {
  fixture = createFixture();
  workspaces = fixture.workspaces();
});
afterEach(() => fixture.dispose());

/** More places and kinds are in the corpus of `npm run test:hostile`. */
const PLACES = ['.gitignore', 'src/.gitattributes', '.git/config', '.git/index', '.git/refs/heads/x'];

test.each(PLACES)('a pipe as %s holds nobody up, is named, and costs no work', async (place) => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  writeFileSync(join(workspace.path, 'precious.txt'), 'precious');
  const path = join(workspace.path, place);
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  const refused = { code: 'repository_unsafe', message: `${path} is a pipe` };
  await expect(workspaces.evidence(workspace)).rejects.toMatchObject(refused);
  const read = createDiffReader(fixture.environment);
  const diff = read({ root: fixture.root, path: workspace.path, baseBranch: 'main', signal: never });
  await expect(diff).rejects.toMatchObject(refused);
  const { rescuedTo } = await workspaces.remove('ENG-1', never);
  expect(readFileSync(join(rescuedTo ?? '', 'workspace/precious.txt'), 'utf8')).toBe('precious');
});

test('a pipe as a reference whose name is no text holds nobody up', async () => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  writeFileSync(join(workspace.path, 'precious.txt'), 'precious');
  execFileSync('sh', ['-c', `mkfifo ".git/refs/heads/$(printf 'o\\377dd')"`], { cwd: workspace.path });
  await expect(workspaces.evidence(workspace)).rejects.toMatchObject({ code: 'repository_unsafe' });
  const { rescuedTo } = await workspaces.remove('ENG-1', never);
  expect(readFileSync(join(rescuedTo ?? '', 'workspace/precious.txt'), 'utf8')).toBe('precious');
});

test('logs deeper than a path may be long cost a workspace, not the issue', async () => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  writeFileSync(join(workspace.path, 'precious.txt'), 'precious');
  const dig =
    'mkdir -p .git/logs/x && cd .git/logs/x && for i in $(seq 300); do mkdir deep-deep-deep && cd deep-deep-deep || exit 1; done';
  execFileSync('bash', ['-c', dig], { cwd: workspace.path });
  expect(await fixture.prepare(workspaces, issueOf('ENG-1'))).toMatchObject({ createdNow: true });
  await deleteTree(fixture.root);
});

test('an endless file where git reads does not fill the memory', async () => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  symlinkSync('/dev/zero', join(workspace.path, '.gitmodules'));
  await expect(workspaces.evidence(workspace)).rejects.toMatchObject({ code: 'repository_unsafe' });
  expect((await fixture.prepare(workspaces, issueOf('ENG-1'))).path).toBe(workspace.path);
});

test('evidence ends with the signal of the run', async () => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  const stop = AbortSignal.abort(new Error('stopped'));
  await expect(workspaces.evidence(workspace, stop)).rejects.toThrow('stopped');
});

test('folders deeper than a path may be long are kept and can be removed', async () => {
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  const dig =
    'for i in $(seq 300); do mkdir deep-deep-deep && cd deep-deep-deep || exit 1; done; echo x > file';
  execFileSync('bash', ['-c', dig], { cwd: workspace.path });
  const report = await workspaces.remove('ENG-1', never);
  expect(report).toMatchObject({ removed: true, rescuedTo: expect.any(String) });
  await deleteTree(fixture.root);
  expect(existsSync(fixture.root)).toBe(false);
});
