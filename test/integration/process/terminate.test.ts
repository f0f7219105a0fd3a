import { expect, test } from 'vitest';
import { isRunning, pidOf, processSandbox, startFake } from './fixture.ts';

const sandbox = processSandbox();
const impatient = { inputEndMs: 50, termMs: 200 };
const patient = { inputEndMs: 50, termMs: 10_000 };

test('a child that ignores every request is killed after its graces', async () => {
  const child = await startFake(sandbox, ['ignore-sigterm']);
  await child.line('ready');
  const started = performance.now();
  await child.terminate(impatient);
  expect(performance.now() - started).toBeGreaterThanOrEqual(240);
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(child.lines).toEqual(['ready', 'ignored end of input', 'ignored SIGTERM']);
});

test('terminating twice, also at once, is one termination', async () => {
  const child = await startFake(sandbox, ['ignore-sigterm']);
  await child.line('ready');
  await Promise.all([child.terminate(impatient), child.terminate(patient)]);
  await child.terminate();
  expect(child.lines.filter((line) => line === 'ignored SIGTERM')).toHaveLength(1);
});

test('a daemon that left the group and lost its parents ends with the child', async () => {
  const child = await startFake(sandbox, ['double-fork']);
  const daemon = pidOf(await child.line('daemon'));
  await child.terminate(patient);
  expect(isRunning(daemon)).toBe(false);
});

test('a daemon that also ignores SIGTERM ends with the child', async () => {
  const child = await startFake(sandbox, ['double-fork', 'stubborn']);
  const daemon = pidOf(await child.line('daemon'));
  await child.terminate(impatient);
  expect(isRunning(daemon)).toBe(false);
});

test('a daemon left by a child that has already exited is ended too', async () => {
  const child = await startFake(sandbox, ['double-fork', 'exit']);
  const daemon = pidOf(await child.line('daemon'));
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(isRunning(daemon)).toBe(true);
  await child.terminate(patient);
  expect(isRunning(daemon)).toBe(false);
});

test('a descendant without the run id is found by its parent', async () => {
  const child = await startFake(sandbox, ['shed-environment']);
  const descendant = pidOf(await child.line('child'));
  await child.terminate({ inputEndMs: 0, termMs: 5_000 });
  expect(isRunning(descendant)).toBe(false);
});

test('a descendant without the run id is not lost when its parent ends first', async () => {
  const child = await startFake(sandbox, ['shed-environment', 'leave']);
  const descendant = pidOf(await child.line('child'));
  try {
    await child.terminate({ inputEndMs: 10_000, termMs: 5_000 });
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(isRunning(descendant)).toBe(false);
  } finally {
    if (isRunning(descendant)) process.kill(descendant, 'SIGKILL');
  }
});

test('a deep tree in which each process has a session of its own and ignores SIGTERM ends whole', async () => {
  const child = await startFake(sandbox, ['many-children', '6']);
  await child.line('grown');
  await child.terminate({ inputEndMs: 0, termMs: 100 });
});

test('another run is left alone', async () => {
  const one = await startFake(sandbox, ['deaf'], { runId: 'run-1' });
  const other = await startFake(sandbox, ['deaf'], { runId: 'run-11' });
  await Promise.all([one.line('ready'), other.line('ready')]);
  await one.terminate({ inputEndMs: 0, termMs: 5_000 });
  expect(isRunning(other.pid)).toBe(true);
  await other.terminate({ inputEndMs: 0, termMs: 5_000 });
});

test.each(['quiet', 'noisy'])('a %s descendant that holds the pipe does not delay the exit', async (kind) => {
  const child = await startFake(sandbox, ['hold-pipe', kind], {}, { drain: { idleMs: 100, totalMs: 500 } });
  const holder = pidOf(await child.line('holder'));
  const started = performance.now();
  expect(await child.exited).toEqual({ code: 3, signal: null });
  expect(performance.now() - started).toBeLessThan(20_000);
  await child.terminate({ inputEndMs: 0, termMs: 1_000 });
  expect(isRunning(holder)).toBe(false);
});
