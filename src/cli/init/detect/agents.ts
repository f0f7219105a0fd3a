import { judgeSignIn } from '../../../doctor/rules/agent/sign-in.ts';
import type { OfferedAgent } from '../../../runners/registry.ts';
import { findProgram } from '../../../runners/sandbox/plan.ts';
import { gitEnvironment } from '../../../workspaces/git/environment.ts';
import { readText } from '../../doctor/files.ts';
import { passedVariables } from '../decide/plan.ts';
import { AGENTS, isBuiltIn } from '../kinds.ts';
import { type Place, runQuietly } from './ask-program.ts';
import type { AgentFacts } from './facts.ts';

/** Agents on the PATH. The worker looks there too. */
export async function findAgents(place: Place): Promise<readonly AgentFacts[]> {
  const found = await Promise.all(
    AGENTS.filter((agent) => !isBuiltIn(agent)).map((agent) => findAgent(agent, place)),
  );
  return found.filter((agent) => agent !== null);
}

async function findAgent(agent: OfferedAgent, place: Place): Promise<AgentFacts | null> {
  const { name: id, kind } = agent;
  const path = place.environment['PATH'] ?? '';
  const program = await findProgram(id, path).catch(() => null);
  if (program === null) return null;
  const { status } = await judgeSignIn({ kind: kind.kind, command: id }, accountOf(agent, place), {
    programOf: (command) => command,
    findProgram: async () => program,
    runProgram: (command, args, env) => runQuietly(command, args, place.cwd, env),
    readText,
  });
  return { id, program, signedIn: status === 'skip' ? null : status === 'ok' };
}

/** With what the workflow will pass on to the agent: a key in a variable is an account, too. */
function accountOf(
  { name: id, kind }: OfferedAgent,
  { environment }: Place,
): Readonly<Record<string, string>> {
  const names = [...passedVariables(id, Object.keys(environment)), ...kind.environment];
  const account = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...gitEnvironment(environment), ...Object.fromEntries(account) };
}
