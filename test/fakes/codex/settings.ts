import { fileURLToPath } from 'node:url';
import type { CodexSettings } from '../../../src/runners/codex/settings.ts';

const PROGRAM = fileURLToPath(new URL('./app-server.mjs', import.meta.url));

/** The `codex` settings that start the fake app-server in a scenario. */
export function fakeCodexSettings(scenario: string, overrides: Partial<CodexSettings> = {}): CodexSettings {
  return {
    command: fakeCodexCommand(scenario),
    envPassthrough: [],
    approvalPolicy: 'never',
    threadSandbox: 'workspace-write',
    turnSandboxPolicy: null,
    turnTimeoutMs: 60_000,
    readTimeoutMs: 20_000,
    stallTimeoutMs: 60_000,
    prices: {},
    ...overrides,
  };
}

export function fakeCodexCommand(scenario: string, ...options: readonly string[]): string {
  return [process.execPath, PROGRAM, '--scenario', scenario, ...options].map((word) => `'${word}'`).join(' ');
}
