import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { endOrphans, RUN_OWNER_VARIABLE } from '../../../src/process/children/orphans.ts';
import { runCommand } from '../../../src/process/children/run-command.ts';
import { bundleModule } from './bundle.ts';
import { fakeProgram, isRunning, pidOf, processSandbox, startFake } from './fixture.ts';

const sandbox = processSandbox();
const owned = (owner: string) => ({ ...sandbox.env, [RUN_OWNER_VARIABLE]: owner });

test('what a dead worker left behind is ended, stubborn or not, and named', async () => {
  const owner = randomUUID();
  const stubborn = await startFake(sandbox, ['ignore-sigterm'], { env: owned(owner) });
  const forked = await startFake(sandbox, ['double-fork', 'exit'], { env: owned(owner) });
  const bare = await startFake(sandbox, ['shed-environment'], { env: owned(owner) });
  const daemon = pidOf(await forked.line('daemon'));
  const descendant = pidOf(await bare.line('child'));
  await stubborn.line('ready');
  await forked.exited;

  const ended = await endOrphans(owner, { graceMs: 200 });

  expect(ended).toEqual([stubborn.pid, daemon, bare.pid, descendant].sort((a, b) => a - b));
  expect(ended.filter(isRunning)).toEqual([]);
  expect(await stubborn.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await bare.exited;
  expect(await endOrphans(owner)).toEqual([]);
});

test('another owner is left alone, also one whose name begins the same', async () => {
  const child = await startFake(sandbox, ['deaf'], { env: owned('worker-10') });
  await child.line('ready');
  expect(await endOrphans('worker-1')).toEqual([]);
  expect(isRunning(child.pid)).toBe(true);
  await child.terminate({ inputEndMs: 0, termMs: 5_000 });
});

test('the worker itself and whoever started it are spared', async () => {
  const owner = randomUUID();
  const library = await bundleModule('src/process/children/orphans.ts', sandbox.cwd);
  // A shell that carries the owner starts the program that sweeps, which carries it too.
  const result = await runCommand({
    command: 'sh',
    args: [
      '-c',
      '"$@"; echo "shell survived"',
      'sh',
      process.execPath,
      fakeProgram('sweep-orphans'),
      library,
      owner,
    ],
    cwd: sandbox.cwd,
    env: owned(owner),
  });
  expect(result).toMatchObject({ stdout: '[]\nshell survived\n', code: 0 });
});
