import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeFolder } from '../../../src/process/private-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'close-folder-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

function folder(mode: number, ...names: string[]): string {
  const path = join(base, 'root');
  mkdirSync(path);
  for (const name of names) writeFileSync(join(path, name), '');
  chmodSync(path, mode);
  return path;
}

test('a new folder is for its user only', async () => {
  await closeFolder(join(base, 'a', 'b'));
  expect(modeOf(join(base, 'a', 'b'))).toBe(0o700);
});

test.each([
  ['an empty folder', []],
  ['a folder that a worker has used', ['.aiops', 'ENG-1']],
])('%s with an open mode is closed', async (_, names) => {
  const path = folder(0o755, ...names);
  await closeFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

test.each([
  ['one that serves something else', 0o755, ['letters']],
  ['one that all share', 0o1777, []],
])('%s is refused with the fix, and left as it is', async (_, mode, names) => {
  const path = folder(mode, ...names);
  await expect(closeFolder(path)).rejects.toMatchObject({
    code: 'folder_not_private',
    hint: expect.stringContaining('chmod 700'),
  });
  expect(modeOf(path)).toBe(mode);
});
