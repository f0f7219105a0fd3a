import { fileURLToPath } from 'node:url';
import type { ClaudeSettings } from '../../../src/runners/claude/settings.ts';

const PROGRAM = fileURLToPath(new URL('./claude.mjs', import.meta.url));

/** The `claude` settings that start the fake Claude in a scenario. */
export function fakeClaudeSettings(
  scenario: string,
  overrides: Partial<ClaudeSettings> = {},
): ClaudeSettings {
  return {
    command: [process.execPath, PROGRAM, '--scenario', scenario].map((word) => `'${word}'`).join(' '),
    sdkFolders: [],
    envPassthrough: [],
    model: null,
    permissionMode: 'acceptEdits',
    allowedTools: [],
    disallowedTools: [],
    maxTurns: null,
    maxBudgetUsd: null,
    turnTimeoutMs: 60_000,
    stallTimeoutMs: 60_000,
    ...overrides,
  };
}
