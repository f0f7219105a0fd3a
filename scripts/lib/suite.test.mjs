import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { root } from './program.mjs';

const folders = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs the real suite runner over files made for the purpose; its checks are left out. */
function runSuiteOver(files) {
  const folder = mkdtempSync(join(root, 'node_modules', '.suite-test-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { root: ${JSON.stringify(folder)}, include: ['*.test.mjs'], exclude: [] } };`,
  );
  const program = `
    import { runSuite } from ${JSON.stringify(join(root, 'scripts', 'lib', 'suite.mjs'))};
    const code = await runSuite({ checks: [], vitestArgs: ['--config', ${JSON.stringify(join(folder, 'vitest.config.mjs'))}] });
    process.exit(code);
  `;
  return run(process.execPath, ['--input-type=module', '--eval', program]);
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lastLine: stdout.trimEnd().split('\n').at(-1) }));
  });
}

const header = `import { expect, it } from 'vitest';\n`;

it('counts tests, files that do not load and errors nobody caught, and fails', async () => {
  const files = {
    'a.test.mjs': `${header}it('a', () => {}); it('b', () => expect(1).toBe(2)); it.todo('c');`,
    'b.test.mjs': `${header}throw new Error('broken');`,
    'c.test.mjs': `${header}it('d', () => {}); Promise.reject(new Error('nobody caught me'));`,
  };
  expect(await runSuiteOver(files)).toEqual({ code: 1, lastLine: '2 passed, 3 failed, 1 skipped' });
});

it('passes when something passed and nothing failed', async () => {
  const files = { 'a.test.mjs': `${header}it('a', () => {});` };
  expect(await runSuiteOver(files)).toEqual({ code: 0, lastLine: '1 passed, 0 failed, 0 skipped' });
});

it('fails when there is nothing to run', async () => {
  expect(await runSuiteOver({})).toEqual({ code: 1, lastLine: '0 passed, 1 failed, 0 skipped' });
});

it('reports a suite that skips itself as skipped', async () => {
  const files = { 'a.test.mjs': `${header}it.skipIf(true)('a', () => {}); it.skipIf(true)('b', () => {});` };
  expect(await runSuiteOver(files)).toEqual({ code: 0, lastLine: '0 passed, 0 failed, 2 skipped' });
});
