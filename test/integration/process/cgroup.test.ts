import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { moveInto, removeCgroup } from '../../../src/process/cgroup/cgroup-folder.ts';
import { makeRunCgroup, probeCgroups } from '../../../src/process/cgroup/run-cgroup.ts';
import { endOrphans, RUN_OWNER_VARIABLE } from '../../../src/process/children/orphans.ts';
import { isRunning, pidOf, processSandbox, startFake, waitUntil } from './fixture.ts';

const sandbox = processSandbox();
const found = await probeCgroups();
const own = 'own' in found ? found.own : null;
const why = 'why' in found ? found.why : '';

/** The folder of the cgroup that a process is in. */
const cgroupOf = (pid: number): string =>
  join(
    own ?? '',
    /\/(aiops-[0-9a-f]{16}-[0-9a-f]{12})$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? '?',
  );

describe.skipIf(own === null)(`with a cgroup for each child ${why}`, () => {
  const stray: number[] = [];
  afterEach(() => {
    for (const pid of stray.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });

  async function startStray(owner: string, ...args: string[]) {
    const child = await startFake(sandbox, ['leave-no-trace', ...args], {
      env: { ...sandbox.env, [RUN_OWNER_VARIABLE]: owner },
    });
    const daemon = pidOf(await child.line('daemon'));
    stray.push(daemon);
    return { child, daemon };
  }

  test('a daemon without session, environment and parent ends with the child, and the cgroup is removed', async () => {
    const { child, daemon } = await startStray(randomUUID());
    expect(readFileSync(`/proc/${daemon}/environ`, 'utf8')).not.toContain('AIOPS_');
    const folder = cgroupOf(child.pid);
    expect([existsSync(folder), cgroupOf(daemon)]).toEqual([true, folder]);

    await child.terminate({ inputEndMs: 2_000, termMs: 100 });

    expect(isRunning(daemon)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('one that its agent hid in a cgroup inside of its own is found too', async () => {
    const { child, daemon } = await startStray(randomUUID());
    const folder = cgroupOf(child.pid);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    expect(moveInto(inner, daemon)).toBe(true);

    await child.terminate({ inputEndMs: 2_000, termMs: 100 });

    expect(isRunning(daemon)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('what a killed worker left is found by the next one of the same owner, and by no other', async () => {
    const owner = randomUUID();
    const { child, daemon } = await startStray(owner, 'exit');
    await child.exited;
    const folder = cgroupOf(daemon);

    expect(await endOrphans(randomUUID(), { graceMs: 50 })).toEqual([]);
    expect([isRunning(daemon), existsSync(folder)]).toEqual([true, true]);

    expect(await endOrphans(owner, { graceMs: 50 })).toEqual([daemon]);
    expect([isRunning(daemon), existsSync(folder)]).toEqual([false, false]);
    await child.terminate();
  });

  test('empty cgroups of a killed worker are removed', async () => {
    const owner = randomUUID();
    const folder = makeRunCgroup(owner) ?? '';
    mkdirSync(join(folder, 'inner'));
    await endOrphans(randomUUID());
    expect(existsSync(folder)).toBe(true);
    await endOrphans(owner);
    expect(existsSync(folder)).toBe(false);
  });

  test('a process of somebody else that was moved in is not taken along', async () => {
    const outsider = await startFake(sandbox, ['deaf']);
    await outsider.line('ready');
    const { child, daemon } = await startStray(randomUUID());
    const folder = cgroupOf(child.pid);
    // As an agent with the same rights could: something older than it, and its worker.
    expect([moveInto(folder, outsider.pid), moveInto(folder, process.pid)]).toEqual([true, true]);
    try {
      await child.terminate({ inputEndMs: 2_000, termMs: 100 });
      expect([isRunning(daemon), isRunning(outsider.pid)]).toEqual([false, true]);
    } finally {
      for (const pid of [process.pid, outsider.pid]) moveInto(own ?? '', pid);
      await removeCgroup(folder);
      await outsider.terminate({ inputEndMs: 0, termMs: 5_000 });
    }
  });

  test('a program that does not exist leaves no cgroup', async () => {
    const owner = randomUUID();
    const env = { ...sandbox.env, [RUN_OWNER_VARIABLE]: owner };
    await expect(startFake(sandbox, ['deaf'], { command: 'no-such-program', env })).rejects.toMatchObject({
      code: 'agent_not_found',
    });
    const start = basename(makeRunCgroup(owner) ?? '').slice(0, -12);
    expect(readdirSync(own ?? '').filter((name) => name.startsWith(start))).toHaveLength(1);
    await endOrphans(owner);
  });

  test('a child that ends by itself and leaves nobody takes its cgroup along', async () => {
    const env = { ...sandbox.env, [RUN_OWNER_VARIABLE]: randomUUID() };
    const child = await startFake(sandbox, ['polite'], { env });
    const folder = cgroupOf(child.pid);
    child.endInput();
    await child.exited;
    await waitUntil('the cgroup is gone', () => !existsSync(folder));
  });

  test('one with a process in it stays', async () => {
    const folder = makeRunCgroup(randomUUID()) ?? '';
    const child = await startFake(sandbox, ['deaf']);
    await child.line('ready');
    moveInto(folder, child.pid);
    expect(await removeCgroup(folder)).toBe(false);
    await child.terminate({ inputEndMs: 0, termMs: 5_000 });
    expect(await removeCgroup(folder)).toBe(true);
  });
});

test('without a cgroup of our own a child runs as before', async () => {
  const folder = join(sandbox.cwd, 'not-there');
  expect(makeRunCgroup(randomUUID(), folder)).toBeNull();
  expect(makeRunCgroup(randomUUID(), null)).toBeNull();
  // A folder that is no cgroup: nobody can be moved into it.
  mkdirSync(folder);
  const made = makeRunCgroup(randomUUID(), folder) ?? '';
  expect(existsSync(made)).toBe(true);
  rmdirSync(made);
});
