import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookName, HooksConfig } from '../../../src/config/config.ts';
import type { LogFields, Logger } from '../../../src/observability/logger.ts';
import { readIdentity } from '../../../src/process/table/process-identity.ts';
import { runHook } from '../../../src/workspaces/checkout/hooks.ts';
import { never } from './fixture.ts';

let workspacePath: string;
let lines: { level: string; message: string; fields: LogFields }[];
beforeEach(() => {
  workspacePath = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-test-')));
  lines = [];
});
afterEach(() => rmSync(workspacePath, { recursive: true, force: true }));

function recorder(fixed: LogFields = {}): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields: { ...fixed, ...fields } });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => recorder({ ...fixed, ...fields }),
  };
}

interface Extra {
  readonly name?: HookName;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly variables?: Record<string, string>;
  redact?(text: string): string;
}

function run(commands: readonly string[], extra: Extra = {}): Promise<void> {
  const {
    name = 'beforeRun',
    timeoutMs = 10_000,
    signal = never,
    variables = {},
    redact = (text) => text,
  } = extra;
  const none = { afterCreate: [], beforeRun: [], afterRun: [], beforeRemove: [] };
  const hooks: HooksConfig = {
    ...none,
    [name]: commands,
    timeoutMs,
    envPassthrough: [],
    sandbox: false,
  };
  const environment = { PATH: process.env['PATH'] ?? '' };
  const logger = recorder();
  return runHook({
    name,
    hooks,
    workspacePath,
    variables,
    environment,
    logger,
    signal,
    redact,
  });
}

const file = (name: string): string => readFileSync(join(workspacePath, name), 'utf8');

describe('a hook', () => {
  test('runs its commands in order in the workspace, each in a shell, and its start is logged (R-9.4-a, R-9.4-c, R-15.4-a)', async () => {
    await run(['pwd > where', 'printf one > list\nprintf two >> list', 'cat list where > all']);
    expect(file('all')).toBe(`onetwo${workspacePath}\n`);
    expect(lines.map(({ message }) => message)).toEqual([
      'hook started',
      ...Array(3).fill('hook command ended'),
    ]);
    expect(lines[0]?.fields).toMatchObject({ hook: 'before_run', commands: 3, workspace: workspacePath });
  });

  test('without commands does nothing', async () => {
    await run([]);
    expect(lines).toEqual([]);
  });

  test('sees the issue’s variables and the allow-list, and nothing else of the worker', async () => {
    const variables = { AIOPS_ISSUE_ID: '42', AIOPS_BRANCH: 'ai/42', AIOPS_ATTEMPT: '1' };
    process.env['AIOPS_TEST_SECRET'] = 'dummy-secret';
    try {
      await run(['env > env'], { variables });
    } finally {
      delete process.env['AIOPS_TEST_SECRET'];
    }
    expect(file('env')).toContain('AIOPS_ISSUE_ID=42\n');
    expect(file('env')).toContain('AIOPS_BRANCH=ai/42\n');
    expect(file('env')).not.toContain('dummy-secret');
    expect(file('env')).not.toContain('HOME=');
  });

  test('stops at the first failure and says which command, how and what it printed (R-9.4-c)', async () => {
    const attempt = run(['true', 'echo out; echo broken pipe dream >&2; exit 17', 'touch never'], {
      name: 'afterCreate',
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'hook_failed',
      message: 'the after_create hook (command 2 of 3) failed: exit code 17: broken pipe dream',
      hint: expect.stringContaining(workspacePath),
    });
    expect(existsSync(join(workspacePath, 'never'))).toBe(false);
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'hook failed',
      fields: { exit_code: 17, output: 'out\nbroken pipe dream' },
    });
  });

  test('is ended with all its children when it takes too long, and that is logged (R-9.4-b, R-9.4-c, R-15.4-c)', async () => {
    const attempt = run(['echo $$ > pid; sleep 600 & echo $! > child; wait'], { timeoutMs: 300 });
    await expect(attempt).rejects.toMatchObject({
      code: 'hook_failed',
      message: expect.stringContaining('300 ms (hooks.timeout_ms)'),
    });
    for (const name of ['pid', 'child']) expect(await readIdentity(Number(file(name)))).toBeNull();
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'hook failed',
      fields: { hook: 'before_run', reason: 'it did not finish within 300 ms (hooks.timeout_ms)' },
    });
  });

  test('is ended when its run is stopped, with the reason of the stop', async () => {
    const stop = new AbortController();
    const attempt = run(['mkfifo gate; echo ready > gate & cat gate; exec sleep 600'], {
      signal: stop.signal,
    });
    queueMicrotask(() => stop.abort(new Error('cancelled by the operator')));
    await expect(attempt).rejects.toThrow('cancelled by the operator');
  });

  test('may print without end: memory, log and error stay small (R-15.4-b)', async () => {
    const attempt = run(['yes "0123456789 https://me:token@host/x" | head -c 5000000; exit 3']);
    await expect(attempt).rejects.toMatchObject({ code: 'hook_failed' });
    const output = String(lines.at(-1)?.fields['output']);
    expect(output.length).toBeLessThan(2_100);
    expect(output).not.toContain('token');
    expect(lines.at(-1)?.fields['truncated']).toBe(true);
  });

  test('shows no secret, also not one that the cut would split', async () => {
    const secret = 'dummy-secret-value';
    const redact = (text: string): string => text.replaceAll(secret, '***');
    const padding = 'x'.repeat(2_048 - 8);
    await expect(run([`printf '%s' '${secret}${padding}'; exit 1`], { redact })).rejects.toMatchObject({
      message: expect.not.stringContaining('secret'),
      hint: expect.not.stringContaining(secret),
    });
    expect(JSON.stringify(lines)).not.toContain('value');
  });

  test('does not wait for a background process that keeps its output open', async () => {
    await run(['sleep 600 & echo $! > child']);
    const child = Number(file('child'));
    expect(process.kill(child, 0)).toBe(true);
    process.kill(child, 'SIGKILL');
  });
});
