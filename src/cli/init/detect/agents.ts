import { findProgram } from '../../../runners/sandbox/plan.ts';
import type { AgentFacts } from '../facts.ts';
import { askProgram, type Place } from './ask-program.ts';

/** How each is asked whether it is signed in, by its exit code; null for those that cannot say. */
const STATUS_COMMANDS: Readonly<Record<AgentFacts['id'], readonly string[] | null>> = {
  codex: ['login', 'status'],
  claude: ['auth', 'status'],
  gemini: null,
  opencode: null,
};

/** Agents on the PATH. The worker looks there too. */
export async function findAgents(place: Place): Promise<readonly AgentFacts[]> {
  const names: readonly AgentFacts['id'][] = ['codex', 'claude', 'gemini', 'opencode'];
  const found = await Promise.all(names.map((id) => findAgent(id, place)));
  return found.filter((agent) => agent !== null);
}

async function findAgent(id: AgentFacts['id'], place: Place): Promise<AgentFacts | null> {
  const program = await findProgram(id, place.environment['PATH'] ?? '').catch(() => null);
  if (program === null) return null;
  const status = STATUS_COMMANDS[id];
  const signedIn = status === null ? null : (await askProgram(program, status, place)) !== null;
  return { id, program, signedIn };
}
