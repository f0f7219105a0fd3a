import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteTree, enableHelper, runCommand } from '../../../src/process/helper/helper.ts';
import { isRunning, processSandbox, waitUntil } from './fixture.ts';
import { helperIsThere, starterOfCommands } from './helper-fixture.ts';

const sandbox = processSandbox();
let disable = async (): Promise<void> => {};
beforeEach(() => {
  disable = enableHelper().close;
});
afterEach(() => disable());

function shell(script: string, onErrorLine?: (line: string) => void) {
  const options = { command: 'sh', args: ['-c', script], ...sandbox };
  return runCommand(onErrorLine === undefined ? options : { ...options, onErrorLine });
}

test('nothing waits for it: the first command is started here', async () => {
  expect(await starterOfCommands()).toBe(process.pid);
});

test('it is given nothing of the worker’s environment', async () => {
  const pid = await helperIsThere();
  expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('PATH=');
});

test('a command whose helper is killed is ended and told as killed; the next one runs, and another helper comes', async () => {
  const helper = await helperIsThere();
  let pid = 0;
  const running = shell('echo $$ >&2; sleep 60', (line) => {
    pid = Number(line);
  });
  await waitUntil('it runs', () => pid > 0);
  process.kill(helper, 'SIGKILL');
  expect(await running).toMatchObject({ outcome: 'exited', code: null, signal: 'SIGKILL' });
  expect(isRunning(pid)).toBe(false);
  expect(await shell('echo on')).toMatchObject({ code: 0, stdout: 'on\n' });
  expect(await helperIsThere()).not.toBe(helper);
});

test('signals that are meant for the worker do not end it', async () => {
  const helper = await helperIsThere();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(helper, signal);
  expect(await helperIsThere()).toBe(helper);
});

test('it ends when nobody needs it any more', async () => {
  const helper = await helperIsThere();
  await disable();
  expect(isRunning(helper)).toBe(false);
  expect(await starterOfCommands()).toBe(process.pid);
});

test('a tree is deleted by it, and an error of its own comes back', async () => {
  await helperIsThere();
  const folder = join(sandbox.cwd, 'tree');
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await writeFile(join(folder, 'a/b/c'), 'x');
  await deleteTree(folder);
  await expect(readFile(join(folder, 'a/b/c'))).rejects.toThrow('ENOENT');
  await expect(deleteTree('/proc/self')).rejects.toThrow();
});
