import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../src/process/package-file.ts';
import { repositoryRoot } from '../../architecture/repository.ts';
import { bundleModule } from './bundle.ts';

function askedIn(modulePath: string): string {
  const program = `const { packageFile } = await import(${JSON.stringify(pathToFileURL(modulePath).href)}); console.log(packageFile('schema/a.json'));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  }).trim();
}

test('source and compiled modules find the same file', () => {
  const wanted = join(repositoryRoot, 'schema/a.json');
  expect(packageFile('schema/a.json')).toBe(wanted);
  expect(askedIn(join(repositoryRoot, 'dist/process/package-file.js'))).toBe(wanted);
});

test('a bundle finds the files of the package that it was put into', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-package-file-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const deep = join(folder, 'dist', 'program', 'parts');
  mkdirSync(deep, { recursive: true });
  const bundle = await bundleModule('src/process/package-file.ts', deep);
  expect(askedIn(bundle)).toBe(join(folder, 'schema/a.json'));
});
