import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { resolveProgram } from './program-path.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const moduleUrl = (path: string): string => pathToFileURL(join(root, path)).href;

test.each([
  ['src/runners/mock/runner.ts', './agent/main.js', 'dist/runners/mock/agent/main.js'],
  ['src/runners/mock/runner.ts', './agent/main.ts', 'dist/runners/mock/agent/main.js'],
  ['src/runners/mock/runner.ts', '../../cli/main.js', 'dist/cli/main.js'],
  ['dist/runners/mock/runner.js', './agent/main.js', 'dist/runners/mock/agent/main.js'],
])('%s starts %s as %s', (module, relative, expected) => {
  expect(resolveProgram(moduleUrl(module), relative)).toBe(join(root, expected));
});

test('a folder called src further down or up is not taken for the source', () => {
  expect(resolveProgram(moduleUrl('dist/src/deep/module.js'), './main.js')).toBe(
    join(root, 'dist/src/deep/main.js'),
  );
});
