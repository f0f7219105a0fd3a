import { fileURLToPath } from 'node:url';
import type { CodexConfig } from '../../../src/config/config.ts';

const PROGRAM = fileURLToPath(new URL('./app-server.mjs', import.meta.url));

/** The `codex` settings that start the fake app-server in a scenario. */
export function fakeCodexSettings(scenario: string, overrides: Partial<CodexConfig> = {}): CodexConfig {
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
    linearGraphql: { allowMutations: false, allowedMutations: [] },
    ...overrides,
  };
}

export function fakeCodexCommand(scenario: string, ...options: readonly string[]): string {
  return [process.execPath, PROGRAM, '--scenario', scenario, ...options].map((word) => `'${word}'`).join(' ');
}
