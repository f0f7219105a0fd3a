import { fail, ok, skip, type Verdict } from '../../../domain/verdict.ts';
import { messageOf } from '../../../errors/app-error.ts';
import type { AgentEnvironment } from '../../../runners/inspection.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';
import { judgeSignIn } from './sign-in.ts';

type Agents = Pick<
  Effects,
  'agentEnvironment' | 'programOf' | 'findProgram' | 'tryAgent' | 'runProgram' | 'readText'
>;

/** They fetch the program when it is started, which only to look must not do. */
const FETCHES = /(^|\/|\s)(npx|bunx|pnpx|uvx)\s/;

/** That the agent starts and answers as its protocol has it. No model is asked anything. */
export function handshakeCheck(agent: ReachableAgent, effects: Agents): Check {
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
      try {
        const { ms } = await effects.tryAgent(agent, env, signal);
        return ok(`it answered and was ended again, in ${(ms / 1000).toFixed(1)} s`);
      } catch (error) {
        const signedOut = await whenSignedOut(agent, env, effects);
        if (signedOut === null) throw error;
        return fail(`${messageOf(error)}; ${signedOut.text}`, signedOut.fix ?? '', signedOut.key);
      }
    },
  };
}

/** An agent without an account may refuse to start, and say nothing of use about it. */
async function whenSignedOut(
  agent: ReachableAgent,
  env: AgentEnvironment,
  effects: Agents,
): Promise<Verdict | null> {
  const verdict = await judgeSignIn(agent, env, effects);
  return verdict.status === 'fail' ? verdict : null;
}
