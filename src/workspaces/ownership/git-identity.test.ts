import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identify, recognise } from './git-identity.ts';

const MAX_TRIES = 200;

function makeRepository(path: string): void {
  mkdirSync(join(path, 'objects'), { recursive: true });
  mkdirSync(join(path, 'refs'));
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
}

test('another repository in the same place is not taken for the worker’s, also when the file system gives it the same inode', async () => {
  const root = mkdtempSync(join(tmpdir(), 'git-identity-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, 'ISSUE-1');
  const dotGit = join(workspace, '.git');
  makeRepository(dotGit);
  const identity = await identify(workspace, root);
  expect((await recognise(workspace, identity))?.location.gitDirectory).toBe(dotGit);
  const { ino } = statSync(dotGit);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    rmSync(dotGit, { recursive: true });
    makeRepository(dotGit);
    if (statSync(dotGit).ino === ino) break;
  }
  await expect(recognise(workspace, identity)).rejects.toMatchObject({ code: 'repository_unsafe' });
});

test('a record from before births were kept still knows its repository', async () => {
  const root = mkdtempSync(join(tmpdir(), 'git-identity-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, 'ISSUE-1');
  makeRepository(join(workspace, '.git'));
  const now = await identify(workspace, root);
  if (now === null) throw new Error('there is a repository');
  const older = {
    ...now,
    directory: { ...now.directory, bornNs: '0' },
    root: { ...now.root, bornNs: '0' },
  };
  expect(await recognise(workspace, older)).not.toBeNull();
});
