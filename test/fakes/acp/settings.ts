import { fileURLToPath } from 'node:url';
import type { AcpSettings } from '../../../src/runners/acp/settings.ts';

const PROGRAM = fileURLToPath(new URL('./agent.mjs', import.meta.url));

/** The `acp` settings that start the fake agent in a scenario. */
export function fakeAcpSettings(scenario: string, overrides: Partial<AcpSettings> = {}): AcpSettings {
  return {
    command: [process.execPath, PROGRAM, scenario].map((word) => `'${word}'`).join(' '),
    envPassthrough: [],
    permissions: 'ask',
    stateFolders: [],
    turnTimeoutMs: 60_000,
    stallTimeoutMs: 60_000,
    ...overrides,
  };
}
