import { createClaudeRunner } from '../../src/runners/claude/runner.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';
import { runnerContract } from './runner-contract.ts';
import { ISSUE } from './runner-fixture.ts';

/** The runner against a program that speaks as Claude does in stream-json mode. */
runnerContract({
  name: 'claude',
  async arrange(scenario) {
    return {
      runner: createClaudeRunner({
        claude: fakeClaudeSettings(scenario),
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
