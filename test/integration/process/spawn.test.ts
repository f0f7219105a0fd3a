import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnChild } from '../../../src/process/children/spawn.ts';
import { processSandbox, startFake } from './fixture.ts';

const sandbox = processSandbox();
const quick = { inputEndMs: 5_000, termMs: 5_000 };

function options(command: string, ...args: string[]) {
  return { command, args, cwd: sandbox.cwd, env: sandbox.env, runId: 'run', onLine() {} };
}

test('lines go in and come out, and the exit follows the last of them', async () => {
  const lines: string[] = [];
  const child = await spawnChild({ ...options('cat'), onLine: (line) => lines.push(line) });
  await child.writeLine('{"id":1}');
  await child.writeLine('two');
  child.endInput();
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(lines).toEqual(['{"id":1}', 'two']);
  await child.terminate();
});

test('a handler that throws ends its child, with a word about why, and nothing else', async () => {
  const said: string[] = [];
  let handled = 0;
  const child = await spawnChild({
    ...options('sh', '-c', 'echo one; echo two; exec sleep 600'),
    onLine() {
      handled += 1;
      throw new RangeError('Maximum call stack size exceeded');
    },
    onErrorLine: (line) => said.push(line),
  });
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(handled).toBe(1);
  expect(said).toEqual(['what the agent printed could not be handled: Maximum call stack size exceeded']);
  await child.terminate();
});

test('arguments are never read by a shell', async () => {
  const lines: string[] = [];
  const child = await spawnChild({
    ...options('printf', '%s\\n', '$(touch made) `touch made`; touch made'),
    onLine: (line) => lines.push(line),
  });
  await child.exited;
  expect(lines).toEqual(['$(touch made) `touch made`; touch made']);
  await expect(stat(join(sandbox.cwd, 'made'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the environment is the given one and the run id, nothing else', async () => {
  const child = await startFake(sandbox, ['print-environment'], { runId: 'run-42' });
  await child.exited;
  expect(JSON.parse(child.lines[0] ?? '')).toEqual({ ...sandbox.env, AIOPS_RUN_ID: 'run-42' });
});

test('a missing executable says how to point to it (R-14.1-b)', async () => {
  await expect(spawnChild(options('no-such-agent'))).rejects.toMatchObject({
    code: 'agent_not_found',
    message: 'The executable no-such-agent was not found.',
    hint: expect.stringContaining('PATH'),
  });
});

test('a file that is not executable and one whose interpreter is missing are not found either', async () => {
  const plain = join(sandbox.cwd, 'plain');
  await writeFile(plain, 'echo hello\n');
  await expect(spawnChild(options(plain))).rejects.toMatchObject({ code: 'agent_not_found' });
  const script = join(sandbox.cwd, 'script');
  await writeFile(script, '#!/no/such/interpreter\n');
  await chmod(script, 0o755);
  await expect(spawnChild(options(script))).rejects.toMatchObject({ code: 'agent_not_found' });
});

test.each([
  ['missing', () => join(sandbox.cwd, 'gone'), 'does not exist'],
  ['a file', () => process.execPath, 'is not a directory'],
  ['relative', () => 'somewhere', 'is not an absolute path'],
])('a working directory that is %s is refused', async (_name, path, problem) => {
  await expect(spawnChild({ ...options('cat'), cwd: path() })).rejects.toMatchObject({
    code: 'invalid_workspace_cwd',
    message: `The working directory ${path()} ${problem}.`,
  });
});

test('a start the system refuses outright is an AppError too', async () => {
  await expect(spawnChild(options('cat', 'x'.repeat(4 * 1024 * 1024)))).rejects.toMatchObject({
    code: 'agent_failed',
  });
  await expect(spawnChild(options('cat', 'a\0b'))).rejects.toMatchObject({ code: 'agent_failed' });
});

test('a polite child ends on the end of its input, with its last words heard', async () => {
  const child = await startFake(sandbox, ['polite']);
  await child.line('ready');
  await child.terminate(quick);
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.lines).toEqual(['ready', 'goodbye']);
});

test('a line over the cap is reported and the next one still arrives', async () => {
  const child = await startFake(sandbox, ['long-line', '300000'], { maxLineBytes: 1000 });
  await child.exited;
  expect(child.lines).toEqual(['before', 'after']);
  expect(child.oversize).toEqual([300_000]);
});

test('bytes that are not UTF-8 are replaced, never fatal', async () => {
  const child = await startFake(sandbox, ['bad-utf8']);
  await child.exited;
  expect(child.lines).toEqual(['a\ufffd\ufffdb', '\ufffd(', '\0', '€', 'end\ufffd']);
});

test('a crash is told by its code or signal, with what stood on stderr (R-10.3-i)', async () => {
  const thrown = await startFake(sandbox, ['crash', 'throw']);
  expect(await thrown.exited).toEqual({ code: 1, signal: null });
  expect(thrown.lines).toEqual(['working']);
  expect(thrown.errorLines.join('\n')).toContain('something broke');
  const killed = await startFake(sandbox, ['crash', 'kill']);
  expect(await killed.exited).toEqual({ code: null, signal: 'SIGSEGV' });
});

test('a child that ends before reading rejects what is written to it', async () => {
  const child = await startFake(sandbox, ['exit-early', '7']);
  await expect(child.writeLine('x'.repeat(8 * 1024 * 1024))).rejects.toMatchObject({ code: 'port_exit' });
  expect(await child.exited).toEqual({ code: 7, signal: null });
  await expect(child.writeLine('late')).rejects.toMatchObject({
    code: 'port_exit',
    message: expect.stringContaining('Cannot write to'),
  });
});

test('a child that never reads is a stuck pipe after the write timeout', async () => {
  const child = await startFake(sandbox, ['deaf'], {}, { writeTimeoutMs: 200 });
  await child.line('ready');
  const writes = [child.writeLine('x'.repeat(4 * 1024 * 1024)), child.writeLine('second')];
  for (const write of await Promise.allSettled(writes)) {
    expect(write).toMatchObject({ status: 'rejected', reason: { code: 'port_exit' } });
  }
  await child.terminate({ inputEndMs: 0, termMs: 5_000 });
});

test('input that nobody reads is refused instead of queued without end', async () => {
  const child = await startFake(sandbox, ['deaf'], {}, { maxQueuedInputBytes: 1024 * 1024 });
  await child.line('ready');
  const writes = Array.from({ length: 64 }, () => child.writeLine('x'.repeat(100_000)));
  const failed = (await Promise.allSettled(writes)).filter((write) => write.status === 'rejected');
  expect(failed.length).toBeGreaterThan(0);
  await child.terminate({ inputEndMs: 0, termMs: 5_000 });
});

test('a line with a newline inside is a bug of ours, not two lines', async () => {
  const child = await startFake(sandbox, ['polite']);
  await expect(child.writeLine('a\nb')).rejects.toThrow('must not contain a newline');
  await child.terminate(quick);
});
