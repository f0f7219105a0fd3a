import { basename } from 'node:path';
import { skip, type Verdict } from '../../../domain/verdict.ts';
import type { AgentEnvironment, AgentLook } from '../../../runners/inspection.ts';
import { inspectionOf } from '../../../runners/registry.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';

type Asking = Pick<AgentLook, 'programOf' | 'findProgram' | 'runProgram' | 'readText'>;

/** Whether the agent is signed in to its model, as its own program tells without asking anybody. */
export function signInCheck(
  agent: ReachableAgent,
  effects: Asking & Pick<Effects, 'agentEnvironment'>,
): Check {
  return {
    id: `sign-in-${agent.id}`,
    title: `Sign-in of ${agent.id}`,
    needs: 'agent',
    // It heals with a word of the user in another terminal, and the first runs say so too.
    optional: true,
    async run() {
      return judgeSignIn(agent, await effects.agentEnvironment(agent), effects);
    },
  };
}

/** `skip` for an agent that cannot be asked. */
export async function judgeSignIn(
  { kind, command }: Pick<ReachableAgent, 'kind' | 'command'>,
  env: AgentEnvironment,
  look: Asking,
): Promise<Verdict> {
  const { signIn } = await inspectionOf(kind);
  if (signIn === null) return skip('this agent does not tell');
  const program = look.programOf(command) ?? signIn.program;
  if (basename(program) !== signIn.program)
    return skip(`${basename(program)} is not ${signIn.program} itself, so it is not asked`);
  const path = await look.findProgram(program, env);
  return path === null ? skip('its program is not there') : signIn.judge(path, env, look);
}
