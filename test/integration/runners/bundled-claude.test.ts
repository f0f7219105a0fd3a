import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAgentSdk, findBundledClaude } from '../../../src/runners/claude/find-sdk.ts';
import { createClaudeRunner } from '../../../src/runners/claude/runner.ts';
import { createFixture, type Fixture } from '../../contracts/runner-fixture.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';

const never = new AbortController().signal;
const PACKAGES = join('node_modules', '@anthropic-ai');
let fixture: Fixture;
let folder: string;

beforeEach(() => {
  fixture = createFixture();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-sdk-')));
});
afterEach(() => {
  fixture.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A package of the SDK's name that must not be loaded. */
function installSdk(): string {
  const home = join(folder, PACKAGES, 'claude-agent-sdk');
  mkdirSync(home, { recursive: true });
  const exports = { '.': { types: './sdk.d.ts', default: './sdk.mjs' } };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports }));
  writeFileSync(join(home, 'sdk.mjs'), "throw new Error('loaded');");
  return join(home, 'sdk.mjs');
}

/** The program that comes with the SDK: the fake Claude in a scenario. */
function installProgram(machine = `${process.platform}-${process.arch}`): string {
  const home = join(folder, PACKAGES, `claude-agent-sdk-${machine}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{}');
  const program = join(home, 'claude');
  writeFileSync(program, `#!/bin/sh\nexec ${fakeClaudeSettings('happy').command} "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

test('the SDK is found from a folder below its installation, and not elsewhere', () => {
  const entry = installSdk();
  expect(findAgentSdk([join(folder, 'flows', 'deep')])).toBe(entry);
  expect(findAgentSdk(['relative', tmpdir(), folder])).toBe(entry);
  expect(findAgentSdk([])).toBeNull();
  rmSync(entry);
  expect(findAgentSdk([folder])).toBeNull();
});

test('its program is the one for this machine', () => {
  expect(findBundledClaude([folder])).toBeNull();
  installSdk();
  installProgram('plan9-pdp11');
  expect(findBundledClaude([folder])).toBeNull();
  const musl = installProgram(`${process.platform}-${process.arch}-musl`);
  expect(findBundledClaude([folder])).toBe(musl);
  const usual = installProgram();
  expect(findBundledClaude([folder])).toBe(usual);
});

test('it runs where there is no claude on the PATH, and a command of the workflow is never replaced by it', async () => {
  installSdk();
  installProgram();
  const environment = { ...fixture.environment, PATH: '/usr/bin:/bin' };
  const settings = fakeClaudeSettings('happy', { command: 'claude', sdkFolders: [folder] });
  const session = await createClaudeRunner({ claude: settings }).start(fixture.input({ environment }), never);
  await session.stop();
  expect(fixture.events.map(({ type }) => type)).toEqual(['session_started']);
  const other = createClaudeRunner({ claude: { ...settings, command: 'claude-of-mine' } });
  await expect(other.start(fixture.input({ environment }), never)).rejects.toMatchObject({
    code: 'agent_not_found',
  });
});
