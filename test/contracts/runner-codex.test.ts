import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import { fakeCodexSettings } from '../fakes/codex/settings.ts';
import { runnerContract } from './runner-contract.ts';
import { ISSUE } from './runner-fixture.ts';

/** The runner against a program that speaks the app-server's protocol and checks every message against its schema. */
runnerContract({
  name: 'codex-app-server',
  async arrange(scenario) {
    return {
      runner: createCodexRunner({
        codex: fakeCodexSettings(scenario),
        timing: {
          responseTimeoutMs: scenario === 'hangs_before_session' ? 2_000 : 20_000,
          interruptGraceMs: 300,
          stopGrace: { inputEndMs: 150, termMs: 150 },
        },
      }),
      issue: ISSUE,
    };
  },
});
