import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './program.mjs';
import { noticesOf } from './third-party.mjs';

function createPackages(packages) {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-notices-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, files] of Object.entries(packages)) {
    mkdirSync(join(folder, path), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, path, name), text);
  }
  return folder;
}

it('tells of each package once, the innermost that holds the module, and of none of our own', () => {
  const folder = createPackages({
    'node_modules/a': { 'package.json': '{"name":"a","version":"1.0.0","license":"MIT"}', LICENSE: 'Of A\n' },
    'node_modules/a/node_modules/@b/c': {
      'package.json': '{"name":"@b/c","version":"2.0.0","license":"ISC"}',
      'LICENCE.md': 'Of C',
      NOTICE: 'By C',
    },
  });
  const paths = [
    'node_modules/a/x.js',
    'node_modules/a/lib/y.js',
    'node_modules/a/node_modules/@b/c/z.js',
    'src/own.ts',
  ];
  const parts = noticesOf(paths.map((path) => join(folder, path))).split(/\n+-{80}\n+/);
  expect(parts.slice(1)).toEqual(['@b/c 2.0.0 (ISC)\n\nOf C\n\nBy C', 'a 1.0.0 (MIT)\n\nOf A\n']);
});

it.each([
  ['a licence text', { 'package.json': '{"name":"a","version":"1.0.0","license":"MIT"}' }],
  ['a named licence', { 'package.json': '{"name":"a","version":"1.0.0"}', LICENSE: 'Mine' }],
])('refuses a package without %s', (_what, files) => {
  const folder = createPackages({ 'node_modules/a': files });
  expect(() => noticesOf([join(folder, 'node_modules/a/x.js')])).toThrow(/^a comes without a licence/);
});

it('is what the built program carries', () => {
  const notices = readFileSync(join(root, 'dist/program/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['commander', 'hono', 'pino', 'yaml', 'zod'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
});
