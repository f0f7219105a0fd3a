import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensurePrivateFolder, whyNotPrivate } from '../../../src/process/private-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes a folder and those above it for its owner only', async () => {
  const path = join(folder, 'a', 'b');
  await ensurePrivateFolder(path);
  for (const made of [path, join(folder, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  expect(await whyNotPrivate(path)).toBeNull();
  await ensurePrivateFolder(path);
});

it.each([0o755, 0o710, 0o701, 0o770])('refuses a folder of mode %o and says how to mend it', async (mode) => {
  const path = join(folder, "it's");
  await ensurePrivateFolder(path);
  chmodSync(path, mode);
  await expect(ensurePrivateFolder(path)).rejects.toMatchObject({
    code: 'folder_not_private',
    message: expect.stringContaining(`mode ${mode.toString(8)}`),
    hint: expect.stringContaining(`chmod 700 '${folder}/it'\\''s'`),
  });
});

it('refuses a file, and a folder of another user', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await whyNotPrivate(join(folder, 'file'))).toMatchObject({ why: 'it is no folder' });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, 12_345, 12_345);
  const foreign = isRoot ? folder : '/';
  expect(await whyNotPrivate(foreign)).toMatchObject({
    why: expect.stringContaining('belongs to another user'),
    fix: expect.stringContaining(`chown -R ${process.getuid?.()} ${foreign}`),
  });
});
