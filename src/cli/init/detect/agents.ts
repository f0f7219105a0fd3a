import { judgeSignIn } from '../../../doctor/rules/sign-in.ts';
import { findProgram } from '../../../runners/sandbox/plan.ts';
import { readCodexSettings } from '../../doctor/codex-settings.ts';
import type { AgentFacts } from '../facts.ts';
import { passedVariables, runnerOf } from '../plan.ts';
import { type Place, quietEnvironment, runQuietly } from './ask-program.ts';

/** Agents on the PATH. The worker looks there too. */
export async function findAgents(place: Place): Promise<readonly AgentFacts[]> {
  const names: readonly AgentFacts['id'][] = ['codex', 'claude', 'gemini', 'opencode'];
  const found = await Promise.all(names.map((id) => findAgent(id, place)));
  return found.filter((agent) => agent !== null);
}

async function findAgent(id: AgentFacts['id'], place: Place): Promise<AgentFacts | null> {
  const path = place.environment['PATH'] ?? '';
  const program = await findProgram(id, path).catch(() => null);
  if (program === null) return null;
  const { status } = await judgeSignIn({ kind: runnerOf(id).runner, command: id }, accountOf(id, place), {
    programOf: (command) => command,
    findProgram: async () => program,
    runProgram: (command, args, env) => runQuietly(command, args, place.cwd, env),
    codexSettings: readCodexSettings,
  });
  return { id, program, signedIn: status === 'skip' ? null : status === 'ok' };
}

/** With what the workflow will pass on to the agent: a key in a variable is an account, too. */
function accountOf(id: AgentFacts['id'], { environment }: Place): Readonly<Record<string, string>> {
  const names = [...passedVariables(id, Object.keys(environment)), 'CODEX_HOME', 'CLAUDE_CONFIG_DIR'];
  const account = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...quietEnvironment(environment), ...Object.fromEntries(account) };
}
