import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cacheVariables, makeTemporaryFolder } from './agent-caches.ts';

function workspace(): string {
  const path = mkdtempSync(join(tmpdir(), 'aiops-caches-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('every cache is below the workspace, and its TMPDIR exists', async () => {
  const path = workspace();
  const variables = cacheVariables(path);
  expect(Object.values(variables).every((value) => value.startsWith(`${path}/.aiops/`))).toBe(true);
  await makeTemporaryFolder(variables, path);
  expect(existsSync(variables['TMPDIR'] ?? '')).toBe(true);
});

test('nothing is made for another TMPDIR, nor where the agent left a trap', async () => {
  const path = workspace();
  await makeTemporaryFolder({ TMPDIR: join(path, 'elsewhere') }, path);
  await makeTemporaryFolder({}, path);
  expect(existsSync(join(path, 'elsewhere')) || existsSync(join(path, '.aiops'))).toBe(false);
  symlinkSync('/nowhere', join(path, '.aiops'));
  await makeTemporaryFolder(cacheVariables(path), path);
  expect(existsSync('/nowhere')).toBe(false);
});
