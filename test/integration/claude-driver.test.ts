import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClaudeConfig } from '../../src/config/config.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { chooseDriver } from '../../src/runners/claude/driver.ts';
import { findAgentSdk } from '../../src/runners/claude/find-sdk.ts';
import { createClaudeRunner } from '../../src/runners/claude/runner.ts';
import { createFixture, type Fixture } from '../contracts/runner-fixture.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';

const never = new AbortController().signal;
let fixture: Fixture;
let folder: string;
let loaded: string;

beforeEach(() => {
  fixture = createFixture();
  folder = mkdtempSync(join(tmpdir(), 'aiops-sdk-'));
  loaded = join(folder, 'loaded');
});
afterEach(() => {
  fixture.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A package of the SDK's name that leaves a mark when it is loaded. */
function installSdk(code: string): string {
  const home = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk');
  mkdirSync(home, { recursive: true });
  const exports = { '.': { types: './sdk.d.ts', default: './sdk.mjs' } };
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: '@anthropic-ai/claude-agent-sdk', type: 'module', exports }),
  );
  const mark = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(loaded)}, '');\n`;
  writeFileSync(join(home, 'sdk.mjs'), `${mark}${code}`);
  return join(home, 'sdk.mjs');
}

const settings = (overrides: Partial<ClaudeConfig> = {}): ClaudeConfig =>
  fakeClaudeSettings('happy', { driver: 'auto', sdkFolders: [folder], ...overrides });

function recordingLogger(): { readonly logger: Logger; readonly lines: unknown[] } {
  const lines: unknown[] = [];
  const { logger } = fixture.input();
  const record = (message: string, fields?: object): void => void lines.push({ message, ...fields });
  return { logger: { ...logger, info: record, warn: record }, lines };
}

describe('the SDK', () => {
  test('is found from a folder below its installation, and not elsewhere', () => {
    const entry = installSdk('export const query = () => {};');
    expect(findAgentSdk([join(folder, 'flows', 'deep')])).toBe(entry);
    expect(findAgentSdk(['relative', tmpdir(), folder])).toBe(entry);
    expect(findAgentSdk([])).toBeNull();
    rmSync(entry);
    expect(findAgentSdk([folder])).toBeNull();
    expect(existsSync(loaded)).toBe(false);
  });

  test('is loaded by a run that needs it and by nothing before', async () => {
    installSdk("export const query = () => { throw new Error('out of order'); };");
    const runner = createClaudeRunner({ claude: settings() });
    expect(chooseDriver(settings()).kind).toBe('sdk');
    expect(existsSync(loaded)).toBe(false);
    await expect(runner.start(fixture.input(), never)).rejects.toMatchObject({
      code: 'agent_failed',
      message: 'Claude did not start: out of order',
    });
    expect(existsSync(loaded)).toBe(true);
  });

  test('is not looked at by a workflow that wants the command', async () => {
    installSdk("throw new Error('broken');");
    const runner = createClaudeRunner({ claude: settings({ driver: 'command' }) });
    const { logger, lines } = recordingLogger();
    const session = await runner.start(fixture.input({ logger }), never);
    await session.stop();
    expect(existsSync(loaded)).toBe(false);
    expect(lines).toEqual([]);
  });
});

describe('without the SDK', () => {
  test('the command is driven, and the log says why in one line', async () => {
    const { logger, lines } = recordingLogger();
    const session = await createClaudeRunner({ claude: settings() }).start(fixture.input({ logger }), never);
    expect(await session.runTurn('work', never)).toEqual({ kind: 'completed' });
    await session.stop();
    expect(lines).toEqual([
      {
        message: 'claude.command is driven directly',
        reason: '@anthropic-ai/claude-agent-sdk is not installed',
        install: 'npm install @anthropic-ai/claude-agent-sdk',
      },
    ]);
  });

  test('a workflow that insists on it is told how to get it', () => {
    expect(() => chooseDriver(settings({ driver: 'sdk' }))).toThrow(
      expect.objectContaining({
        code: 'agent_not_found',
        hint: expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk'),
      }),
    );
  });

  test('a command that prints text is no way to drive the SDK', () => {
    const command = 'claude -p --output-format text';
    expect(chooseDriver(settings({ command }))).toEqual({ kind: 'text' });
    expect(() => chooseDriver(settings({ command, driver: 'sdk' }))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Remove -p') }),
    );
  });
});

describe.each([
  ['throws', "throw new Error('half installed');", 'half installed'],
  ['is something else', 'export const answer = 42;', 'has no query()'],
])('an SDK that %s', (_what, code, reason) => {
  test('is done without, and the log says why', async () => {
    installSdk(code);
    const { logger, lines } = recordingLogger();
    const session = await createClaudeRunner({ claude: settings() }).start(fixture.input({ logger }), never);
    await session.stop();
    expect(JSON.stringify(lines)).toContain(reason);
  });

  test('fails the start of a workflow that insists on it', async () => {
    installSdk(code);
    const runner = createClaudeRunner({ claude: settings({ driver: 'sdk' }) });
    await expect(runner.start(fixture.input(), never)).rejects.toMatchObject({
      code: 'agent_failed',
      message: expect.stringContaining(reason),
    });
  });
});
