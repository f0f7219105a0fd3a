import { type Check, ok, skip } from '../check.ts';
import type { Effects } from '../effects.ts';
import type { ReachableAgent } from '../reachable-agents.ts';

/** They fetch the program when it is started, which only to look must not do. */
const FETCHES = /(^|\/|\s)(npx|bunx|pnpx|uvx)\s/;

/** That the agent starts and answers as its protocol has it. No model is asked anything. */
export function handshakeCheck(
  agent: ReachableAgent,
  effects: Pick<Effects, 'agentEnvironment' | 'programOf' | 'findProgram' | 'tryAgent'>,
): Check {
  return {
    id: `handshake-${agent.id}`,
    title: `Handshake with ${agent.id}`,
    needs: 'agent',
    doctorOnly: true,
    async run(signal) {
      if (FETCHES.test(`${agent.command} `)) return skip('its command would fetch the program');
      const env = await effects.agentEnvironment(agent);
      const program = effects.programOf(agent.command);
      if (program !== null && (await effects.findProgram(program, env)) === null)
        return skip('its program is not there');
      const { ms } = await effects.tryAgent(agent, env, signal);
      return ok(`it answered and was ended again, in ${(ms / 1000).toFixed(1)} s`);
    },
  };
}
