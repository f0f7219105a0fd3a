import { describe } from 'vitest';
import { createClaudeRunner } from '../../../src/runners/claude/runner.ts';
import { runnerContract } from '../../contracts/runner-contract.ts';
import { ISSUE } from '../../contracts/runner-fixture.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';
import { sdkFolder } from './claude-fixture.ts';

/** The runner through the real SDK, against a program that speaks as Claude does. */
describe.runIf(sdkFolder !== null)('through the SDK', () => {
  runnerContract({
    name: 'claude',
    async arrange(scenario) {
      return {
        runner: createClaudeRunner({
          claude: fakeClaudeSettings(scenario, { driver: 'sdk', sdkFolders: [`${sdkFolder}`] }),
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
});
