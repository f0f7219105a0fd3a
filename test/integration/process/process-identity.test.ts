import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAlive, readIdentity } from '../../../src/process/table/process-identity.ts';
import { readProcessTable } from '../../../src/process/table/process-table.ts';
import { readPsRow, readPsTable } from '../../../src/process/table/ps-table.ts';
import { pidOf, processSandbox, startFake, waitUntil } from './fixture.ts';

const sandbox = processSandbox();
const grace = { inputEndMs: 0, termMs: 5_000 };

test('a process is alive until it ends', async () => {
  const child = await startFake(sandbox, ['deaf']);
  const identity = await readIdentity(child.pid);
  expect(identity).toEqual({ pid: child.pid, startTime: expect.stringMatching(/./) });
  if (identity === null) return;
  expect(await isAlive(identity)).toBe(true);
  await child.terminate(grace);
  expect(await isAlive(identity)).toBe(false);
  expect(await readIdentity(child.pid)).toBeNull();
});

test('another process with the same pid is not mistaken for it', async () => {
  const mine = await readIdentity(process.pid);
  expect(await isAlive({ pid: process.pid, startTime: mine?.startTime ?? '' })).toBe(true);
  expect(await isAlive({ pid: process.pid, startTime: 'an earlier one' })).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 40])('%d is nobody', async (pid) => {
  expect(await readIdentity(pid)).toBeNull();
  expect(await isAlive({ pid, startTime: '' })).toBe(false);
});

test('a zombie is dead', async () => {
  // The shell starts a child that ends at once, then becomes a program that never collects it.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo zombie $!; exec sleep 60'], { env: sandbox.env });
  try {
    const [line] = await once(parent.stdout, 'data');
    const pid = pidOf(String(line).trim());
    await waitUntil('it is a zombie', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
    expect(process.kill(pid, 0)).toBe(true);
    expect(await readIdentity(pid)).toBeNull();
    const row = (await readProcessTable()).find((entry) => entry.pid === pid);
    expect(row).toMatchObject({ zombie: true });
    expect(await isAlive({ pid, startTime: row?.startTime ?? '' })).toBe(false);
  } finally {
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  }
});

test('ps tells the same story as /proc', async () => {
  const child = await startFake(sandbox, ['deaf']);
  const [linux, ps] = [await readProcessTable(), await readPsTable()];
  const shape = { pid: child.pid, parentPid: process.pid, groupId: child.pid, zombie: false };
  expect(linux.find((row) => row.pid === child.pid)).toMatchObject(shape);
  expect(ps.find((row) => row.pid === child.pid)).toMatchObject(shape);
  const row = await readPsRow(child.pid);
  expect(Math.abs((row?.startOrder ?? 0) - Date.now())).toBeLessThan(60_000);
  await child.terminate(grace);
  expect(await readPsRow(child.pid)).toBeNull();
});
