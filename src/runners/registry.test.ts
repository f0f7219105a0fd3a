import { expect, test } from 'vitest';
import { fakeCodexSettings } from '../../test/fakes/codex/settings.ts';
import { createRunner, RUNNER_KINDS, type RunnerSettings } from './registry.ts';

const settings: RunnerSettings = {
  codex: fakeCodexSettings('happy'),
  claude: { command: 'claude', envPassthrough: [] },
  sandbox: {
    enabled: false,
    backend: 'none',
    network: 'none',
    networkAllowlistCidrs: [],
    networkInterface: null,
    envAllowlist: [],
    credentialFiles: [],
  },
};

test.each(RUNNER_KINDS)('%s makes a runner of its own kind', async (kind) => {
  expect((await createRunner(kind, settings)).kind).toBe(kind);
});

test.each(['', 'Mock', 'nothing', 'constructor', '__proto__'])(
  '%j is refused with the kinds there are',
  async (kind) => {
    await expect(createRunner(kind, settings)).rejects.toMatchObject({
      name: 'AppError',
      message: `There is no runner of kind ${JSON.stringify(kind)}.`,
      hint: expect.stringContaining('mock'),
    });
  },
);
