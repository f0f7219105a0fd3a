import { expect, test } from 'vitest';
import { bundleModule } from './bundle.ts';
import { processSandbox, startFake, type TestChild, waitUntil } from './fixture.ts';

const sandbox = processSandbox();
const AT_ONCE = 4;
const KILLS = 24;

const entries = (child: TestChild): number => child.lines.filter((line) => line.startsWith('in ')).length;

test('with processes killed while they hold or take the lock there are never two holders', async () => {
  const library = await bundleModule('src/process/locks/file-lock.ts', sandbox.cwd);
  const everyone: TestChild[] = [];
  const running: TestChild[] = [];
  const start = async (): Promise<void> => {
    const child = await startFake(sandbox, ['contend-for-lock', library, sandbox.cwd]);
    everyone.push(child);
    running.push(child);
  };
  while (running.length < AT_ONCE) await start();

  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = running.shift();
    if (victim === undefined) throw new Error('nobody left to kill');
    // Half of them in the middle of their turn, the others wherever they are when someone else has a turn.
    const watched = kill % 2 === 0 ? victim : running[0];
    const before = watched === undefined ? 0 : entries(watched);
    await waitUntil('someone entered', () => watched !== undefined && entries(watched) > before);
    process.kill(victim.pid, 'SIGKILL');
    await start();
  }
  for (const child of running) child.endInput();
  const exits = await Promise.all(running.map((child) => child.exited));

  const said = everyone.flatMap((child) => child.lines);
  expect(said.filter((line) => line.startsWith('violation'))).toEqual([]);
  expect(everyone.flatMap((child) => child.errorLines)).toEqual([]);
  expect(exits).toEqual(running.map(() => ({ code: 0, signal: null })));
  const counted = said.filter((line) => line.startsWith('out ')).map((line) => Number(line.slice(4)));
  expect(new Set(counted).size).toBe(counted.length);
  expect(counted.length).toBeGreaterThan(KILLS);
});
