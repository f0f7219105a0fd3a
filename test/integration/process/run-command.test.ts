import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandOptions } from '../../../src/process/children/child.ts';
import type { CommandLimits } from '../../../src/process/children/run-command.ts';
import { enableHelper, runCommand } from '../../../src/process/helper/helper.ts';
import { fakeProgram, isRunning, pidOf, processSandbox, startFake, waitUntil } from './fixture.ts';
import { helperIsThere } from './helper-fixture.ts';

describe.each(['here', 'by the helper process'])('%s', (way) => {
  let disable = async (): Promise<void> => {};
  beforeAll(async () => {
    if (way === 'here') return;
    disable = enableHelper().close;
    await helperIsThere();
  });
  afterAll(() => disable());

  const sandbox = processSandbox();

  function shell(script: string, options: Partial<CommandOptions> = {}) {
    return runCommand({ command: 'sh', args: ['-c', script], ...sandbox, ...options });
  }

  function fake(
    args: [string, ...string[]],
    options: Partial<CommandOptions> = {},
    limits: Partial<CommandLimits> = {},
  ) {
    const [program, ...rest] = args;
    return runCommand(
      { command: process.execPath, args: [fakeProgram(program), ...rest], ...sandbox, ...options },
      limits,
    );
  }

  test('a command gives its code and both of its streams', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      outcome: 'exited',
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      stdoutTruncated: false,
      truncated: false,
      durationMs: expect.any(Number),
      spawnError: null,
    });
  });

  test('input reaches it, and without input its stdin is empty', async () => {
    expect(await shell('cat', { input: 'über\n' })).toMatchObject({ code: 0, stdout: 'über\n' });
    expect(await shell('cat')).toMatchObject({ code: 0, stdout: '' });
  });

  test('input that is not read is no error', async () => {
    expect(await fake(['exit-early', '5'], { input: 'x'.repeat(8_000_000) })).toMatchObject({
      outcome: 'exited',
      code: 5,
    });
  });

  test('the environment is the given one and the two marks', async () => {
    const { stdout } = await fake(['print-environment'], { runId: 'run-7' });
    expect(JSON.parse(stdout)).toEqual({
      ...sandbox.env,
      AIOPS_RUN_ID: 'run-7',
      AIOPS_COMMAND_ID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test.each([
    ['a missing program', { command: 'no-such-program' }, 'no-such-program was not found'],
    ['a folder as program', { command: '/' }, '/ may not be executed'],
    [
      'a missing directory',
      { cwd: '/no/such/folder' },
      'the working directory /no/such/folder does not exist',
    ],
  ])('%s is a result, not an exception', async (_name, options, spawnError) => {
    expect(await shell('true', options)).toMatchObject({ outcome: 'spawn_failed', code: null, spawnError });
  });

  test('a working directory removed just before is told apart from a missing program', async () => {
    const gone = sandbox.cwd;
    await rm(gone, { recursive: true });
    expect(await shell('true')).toMatchObject({
      outcome: 'spawn_failed',
      spawnError: `the working directory ${gone} does not exist`,
    });
  });

  /** Aborts a fake as soon as it says on stderr that it is ready. */
  async function abortWhenReady(args: [string, ...string[]]) {
    const controller = new AbortController();
    return fake(
      args,
      { signal: controller.signal, onErrorLine: () => controller.abort() },
      { grace: { inputEndMs: 0, termMs: 200 } },
    );
  }

  test('ending it ends what it started, in and outside its group', async () => {
    const result = await abortWhenReady(['double-fork', 'stubborn']);
    expect(result).toMatchObject({ outcome: 'aborted', stdout: expect.stringMatching(/^daemon \d+\n$/) });
    expect(isRunning(pidOf(result.stdout.trim()))).toBe(false);
  });

  test('a command that ignores SIGTERM is killed after the grace', async () => {
    const result = await abortWhenReady(['ignore-sigterm']);
    expect(result).toMatchObject({ outcome: 'aborted', code: null, signal: 'SIGKILL' });
  });

  test('a timeout longer than a timer can be is not a short one', async () => {
    expect(await shell('sleep 0.1; echo done', { timeoutMs: 3_000_000_000 })).toMatchObject({
      outcome: 'exited',
      stdout: 'done\n',
    });
  });

  test('a timeout of one command leaves the other processes of its run alone', async () => {
    const agent = await startFake(sandbox, ['deaf'], { runId: 'shared' });
    await agent.line('ready');
    expect(await shell('sleep 60', { runId: 'shared', timeoutMs: 100 })).toMatchObject({
      outcome: 'timed_out',
    });
    expect(isRunning(agent.pid)).toBe(true);
    await agent.terminate({ inputEndMs: 0, termMs: 5_000 });
  });

  test('an abort ends it, and one that came first keeps it from starting', async () => {
    const controller = new AbortController();
    const progress: string[] = [];
    const running = shell('echo started >&2; sleep 60', {
      signal: controller.signal,
      timeoutMs: 60_000,
      onErrorLine: (line) => progress.push(line),
    });
    await waitUntil('it started', () => progress.length > 0);
    controller.abort();
    expect(await running).toMatchObject({ outcome: 'aborted', signal: 'SIGTERM', stderr: 'started\n' });
    expect(await shell('touch made', { signal: controller.signal })).toMatchObject({ outcome: 'aborted' });
    expect(await shell('test -e made')).toMatchObject({ code: 1 });
  });

  test('the first cause counts: an abort after the timeout changes nothing', async () => {
    const controller = new AbortController();
    const progress: string[] = [];
    const running = shell('trap "echo stopping >&2; sleep 0.2; exit 0" TERM; while :; do sleep 0.01; done', {
      signal: controller.signal,
      timeoutMs: 1_000,
      onErrorLine: (line) => progress.push(line),
    });
    await waitUntil('the timeout has struck', () => progress.includes('stopping'));
    controller.abort();
    expect(await running).toMatchObject({ outcome: 'timed_out', code: 0 });
  });

  test.each(['quiet', 'noisy'])(
    'a %s background process that holds the pipe does not hang it',
    async (kind) => {
      const result = await fake(['hold-pipe', kind], {}, { drain: { idleMs: 100, totalMs: 300 } });
      expect(result).toMatchObject({ outcome: 'exited', code: 3 });
      expect(result.durationMs).toBeLessThan(5_000);
      const holder = pidOf(result.stdout.split('\n')[0] ?? '');
      process.kill(holder, 'SIGKILL');
      await waitUntil('the holder is gone', () => !isRunning(holder));
    },
  );

  test('progress lines end at carriage returns too and are cut', async () => {
    const progress: string[] = [];
    const result = await shell(
      'printf "10%%\\r50%%\\r\\n100%%\\nlast" >&2; head -c 9000 /dev/zero | tr "\\0" y >&2',
      {
        onErrorLine: (line) => progress.push(line),
      },
    );
    expect(progress.slice(0, 3)).toEqual(['10%', '50%', '100%']);
    expect(progress[3]).toBe(`last${'y'.repeat(8188)}`);
    expect(result.stderr).toHaveLength(15 + 9004 - 1);
  });

  test('output is cut between characters', async () => {
    const result = await shell('printf "aé€"', { maxOutputBytes: 4 });
    expect(result).toMatchObject({ stdout: 'aé', truncated: true });
  });
});
