import { createAcpRunner } from '../../src/runners/acp/runner.ts';
import { fakeAcpSettings } from '../fakes/acp/settings.ts';
import { runnerContract } from './runner-contract.ts';
import { ISSUE } from './runner-fixture.ts';

/** The runner against a program that speaks the Agent Client Protocol. */
runnerContract({
  name: 'acp',
  async arrange(scenario) {
    return {
      runner: createAcpRunner({
        acp: fakeAcpSettings(scenario),
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
