import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { acquireFileLock, readLockHolder } from '../../../src/process/locks/file-lock.ts';
import { processSandbox } from './fixture.ts';

const sandbox = processSandbox();
const lockPath = (): string => join(sandbox.cwd, 'locks', 'mirror.lock');
const files = (): Promise<string[]> => readdir(join(sandbox.cwd, 'locks'));
const nonce = (digit: string): string => digit.repeat(16);

/** Writes a lock file as a process would that is no longer there. */
async function plantHolder(path: string, holder: Record<string, unknown> = {}): Promise<void> {
  const lock = await acquireFileLock(join(sandbox.cwd, 'sample.lock'), { purpose: 'sample' });
  await mkdir(join(sandbox.cwd, 'locks'), { recursive: true });
  await writeFile(
    path,
    JSON.stringify({ ...lock.holder, startTime: 'long ago', nonce: nonce('a'), ...holder }),
  );
  await lock.release();
}

test('a lock names its holder while it is held and leaves nothing behind', async () => {
  expect(await readLockHolder(lockPath())).toBeNull();
  const lock = await acquireFileLock(lockPath(), { purpose: 'fetching' });
  expect(await readLockHolder(lockPath())).toMatchObject({ pid: process.pid, purpose: 'fetching' });
  expect(Object.keys(JSON.parse(await readFile(lockPath(), 'utf8')))).toEqual(
    expect.arrayContaining(['pid', 'startTime', 'purpose', 'since']),
  );
  expect(await files()).toEqual(['mirror.lock']);
  await lock.release();
  await lock.release();
  expect(await files()).toEqual([]);
});

test('a held lock is refused with the name of the holder', async () => {
  const lock = await acquireFileLock(lockPath(), { purpose: 'cloning acme' });
  const refused = await acquireFileLock(lockPath(), { purpose: 'other', waitMs: 50 }).catch((error) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({
    code: 'lock_unavailable',
    message: expect.stringMatching(
      new RegExp(`mirror\\.lock is held by process ${process.pid} on .+, for cloning acme, since \\d{4}-`),
    ),
    hint: expect.stringContaining(String(process.pid)),
  });
  await lock.release();
});

test('a waiter gets the lock once it is released', async () => {
  const first = await acquireFileLock(lockPath(), { purpose: 'first' });
  const second = acquireFileLock(lockPath(), { purpose: 'second', waitMs: 10_000 });
  await first.release();
  expect((await readLockHolder((await second).path))?.purpose).toBe('second');
  await (await second).release();
});

test('an abort ends the wait with its reason', async () => {
  const lock = await acquireFileLock(lockPath(), { purpose: 'first' });
  const controller = new AbortController();
  const waiting = acquireFileLock(lockPath(), {
    purpose: 'second',
    waitMs: 60_000,
    signal: controller.signal,
  });
  controller.abort(new Error('stop it'));
  await expect(waiting).rejects.toThrow('stop it');
  await lock.release();
});

test('a dead holder is replaced at once, a reused pid does not keep it alive', async () => {
  await plantHolder(lockPath(), { pid: process.pid });
  expect(await readLockHolder(lockPath())).toBeNull();
  const lock = await acquireFileLock(lockPath(), { purpose: 'next' });
  await lock.release();
  expect(await files()).toEqual([]);
});

test('processes that died while replacing a dead holder are replaced too', async () => {
  await plantHolder(lockPath(), { nonce: nonce('a') });
  await plantHolder(`${lockPath()}.${nonce('a')}`, { nonce: nonce('b') });
  await plantHolder(`${lockPath()}.${nonce('a')}.${nonce('b')}`, { nonce: nonce('c') });
  const lock = await acquireFileLock(lockPath(), { purpose: 'next' });
  await lock.release();
  expect(await files()).toEqual([]);
});

test('of many that find the same dead holder at once, one at a time gets in', async () => {
  let inside = 0;
  let most = 0;
  for (let round = 0; round < 8; round += 1) {
    await plantHolder(lockPath(), { nonce: round.toString(16).padStart(16, '0') });
    const takers = Array.from({ length: 6 }, async () => {
      const lock = await acquireFileLock(lockPath(), { purpose: 'racing', waitMs: 10_000 });
      inside += 1;
      most = Math.max(most, inside);
      await immediate();
      inside -= 1;
      await lock.release();
    });
    await Promise.all(takers);
  }
  expect(most).toBe(1);
});

test('while a live process replaces a dead holder, others wait for it', async () => {
  await plantHolder(lockPath(), { nonce: nonce('a') });
  const breaker = await acquireFileLock(`${lockPath()}.${nonce('a')}`, { purpose: 'replacing' });
  await expect(acquireFileLock(lockPath(), { purpose: 'next' })).rejects.toMatchObject({
    code: 'lock_unavailable',
    message: expect.stringContaining('for replacing'),
  });
  await breaker.release();
});

test.each([
  ['empty', ''],
  ['not JSON', 'hello'],
  ['without a nonce', '{"pid":1}'],
  ['with a nonce that is a path', '{"pid":1,"nonce":"../../../../x"}'],
])('a lock file that is %s has no holder', async (_name, content) => {
  await mkdir(join(sandbox.cwd, 'locks'));
  await writeFile(lockPath(), content);
  const lock = await acquireFileLock(lockPath(), { purpose: 'next' });
  await lock.release();
  expect(await files()).toEqual([]);
});

test('a holder that cannot be seen from here counts as alive until its heartbeat stops', async () => {
  await plantHolder(lockPath(), { place: 'another machine', host: 'elsewhere' });
  await expect(acquireFileLock(lockPath(), { purpose: 'next' })).rejects.toMatchObject({
    message: expect.stringContaining('on elsewhere'),
  });
  const silent = new Date(Date.now() - 31_000);
  await utimes(lockPath(), silent, silent);
  await (await acquireFileLock(lockPath(), { purpose: 'next' })).release();
});

test('what dead processes left beside the lock is swept up; other files stay', async () => {
  await plantHolder(lockPath());
  const litter = [`${lockPath()}.${nonce('d')}.draft`, `${lockPath()}.${nonce('e')}`];
  const others = [`${lockPath()}.notes`, `${lockPath()}.${nonce('f')}.draft`];
  const old = new Date(Date.now() - 3_600_000);
  for (const path of [...litter, ...others]) await writeFile(path, 'x');
  for (const path of [...litter, `${lockPath()}.notes`]) await utimes(path, old, old);
  await (await acquireFileLock(lockPath(), { purpose: 'next' })).release();
  expect(await files()).toEqual([`mirror.lock.${nonce('f')}.draft`, 'mirror.lock.notes']);
});

test('a folder that cannot be made or is none is an error with advice', async () => {
  await writeFile(join(sandbox.cwd, 'locks'), 'a file');
  await expect(acquireFileLock(lockPath(), { purpose: 'x' })).rejects.toMatchObject({
    code: 'lock_unavailable',
    hint: expect.stringContaining('writable'),
  });
  expect((await stat(join(sandbox.cwd, 'locks'))).isFile()).toBe(true);
});

test('releasing a lock that someone removed by hand does not remove the next one', async () => {
  const first = await acquireFileLock(lockPath(), { purpose: 'first' });
  await writeFile(lockPath(), '');
  const second = await acquireFileLock(lockPath(), { purpose: 'second' });
  await first.release();
  expect((await readLockHolder(lockPath()))?.purpose).toBe('second');
  await second.release();
});
