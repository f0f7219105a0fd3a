import { isAbsolute } from 'node:path';
import { skip } from '../../../domain/verdict.ts';
import { inspectionOf } from '../../../runners/registry.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';

export function agentCheck(agent: ReachableAgent, effects: Effects): Check {
  return {
    id: `agent-${agent.id}`,
    title: `Agent ${agent.id}`,
    needs: 'agent',
    async run() {
      const { judgeProgram } = await inspectionOf(agent.kind);
      const program = effects.programOf(agent.command);
      if (program?.includes('/') === true && !isAbsolute(program)) {
        return skip(`${program} is looked up in each workspace, and there is none yet`);
      }
      return judgeProgram(agent, program, await effects.agentEnvironment(agent), effects);
    },
  };
}
