import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Logger, silentLogger } from '../../../src/observability/logger.ts';
import { captureLoginEnvironment } from '../../../src/runners/start/login-environment.ts';

let home: string;
let warnings: string[];
let logger: Logger;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'aiops-login-'));
  warnings = [];
  logger = { ...silentLogger, warn: (message) => warnings.push(message) };
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function capture(profile: string, timeoutMs?: number): Promise<Record<string, string>> {
  writeFileSync(join(home, '.bash_profile'), profile);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, KEPT: 'yes' };
  return captureLoginEnvironment({
    env,
    cwd: home,
    logger,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

test('R-10.1-a what login files export is read, also with newlines, and nothing of the shell itself', async () => {
  const found = await capture(
    `echo welcome\nexport PATH="$PATH:/mine"\nexport TEXT=$'two\\nlines = x'\nNOT_EXPORTED=1\n`,
  );
  expect(found['PATH']?.split(':')).toContain('/mine');
  expect(found).toMatchObject({ TEXT: 'two\nlines = x', KEPT: 'yes', HOME: home });
  for (const name of ['NOT_EXPORTED', 'PWD', 'SHLVL', '_', 'AIOPS_COMMAND_ID'])
    expect(found).not.toHaveProperty(name);
  expect(warnings).toEqual([]);
});

test.each([
  ['fails', 'exit 3', undefined],
  ['hangs', 'sleep 600', 300],
  ['replaces itself', 'exec true', undefined],
])('a login that %s is a warning and no variables', async (_how, profile, timeoutMs) => {
  expect(await capture(profile, timeoutMs)).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('login shell')]);
});

test('login files that set PATH anew come first, and the folders the worker was started with follow', async () => {
  writeFileSync(join(home, '.bash_profile'), 'export PATH=/usr/local/bin:/usr/bin:/bin\n');
  const env = {
    PATH: '/opt/app/node_modules/.bin:/usr/bin:/bin:relative/bin::/opt/app/node_modules/.bin',
    HOME: home,
  };
  const found = await captureLoginEnvironment({ env, cwd: home, logger });
  expect(found['PATH']).toBe('/usr/local/bin:/usr/bin:/bin:/opt/app/node_modules/.bin');
  expect(warnings).toEqual([]);
});
