import { createMockRunner } from '../../src/runners/mock/runner.ts';
import { runnerContract } from './runner-contract.ts';
import { ISSUE } from './runner-fixture.ts';
import type { Scenario } from './runner-scenarios.ts';

const SCRIPTS: Readonly<Record<Scenario, string>> = {
  happy: 'behaviour: succeed',
  several_turns: 'behaviour: turns\nturns: 3',
  exits_before_session: 'behaviour: crash\nwhen: start',
  exits_in_turn: 'behaviour: crash',
  fails: 'behaviour: fail',
  hangs_before_session: 'behaviour: hang\nwhen: start',
  hangs: 'behaviour: hang',
  works_slowly: 'step_ms: 60000',
  floods: 'behaviour: flood\nmegabytes: 20',
  prints_garbage: 'behaviour: garbage',
  ignores_sigterm: 'behaviour: ignore_sigterm',
  leaves_grandchild: 'behaviour: grandchild',
  asks: 'behaviour: ask\nquestion: Red or blue?',
  meets_quota: 'behaviour: quota\nreset_in_s: 3600',
  calls_unknown_tool: 'behaviour: unknown_tool',
};

runnerContract({
  name: 'mock',
  async arrange(scenario) {
    const script = SCRIPTS[scenario];
    const pace = script.includes('step_ms') ? '' : '\nstep_ms: 1';
    return {
      runner: createMockRunner({
        timing: {
          responseTimeoutMs: scenario === 'hangs_before_session' ? 2_000 : 20_000,
          interruptGraceMs: 300,
          stopGrace: { inputEndMs: 150, termMs: 150 },
        },
      }),
      issue: { ...ISSUE, description: `Say hello.\n\n\`\`\`mock\n${script}${pace}\n\`\`\`\n` },
    };
  },
});
