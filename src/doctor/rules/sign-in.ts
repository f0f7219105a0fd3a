import { basename } from 'node:path';
import { z } from 'zod';
import { type Check, fail, ok, skip, type Verdict } from '../check.ts';
import type { AgentEnvironment, Effects } from '../effects.ts';
import type { ReachableAgent } from '../reachable-agents.ts';

type Asking = Pick<Effects, 'programOf' | 'findProgram' | 'runProgram' | 'codexSettings'>;

/** The programs that tell. */
const USUAL: Readonly<Record<string, string>> = { claude: 'claude', 'codex-app-server': 'codex' };

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
  effects: Asking,
): Promise<Verdict> {
  const usual = USUAL[kind];
  if (usual === undefined) return skip('this agent does not tell');
  const program = effects.programOf(command) ?? usual;
  if (basename(program) !== usual)
    return skip(`${basename(program)} is not ${usual} itself, so it is not asked`);
  const path = await effects.findProgram(program, env);
  if (path === null) return skip('its program is not there');
  return kind === 'claude' ? judgeClaude(path, env, effects) : judgeCodex(path, env, effects);
}

const NOT_CODEX = /unrecognized subcommand|unexpected argument/i;

async function judgeCodex(path: string, env: AgentEnvironment, effects: Asking): Promise<Verdict> {
  const { outcome, code, stdout, stderr } = await effects.runProgram(path, ['login', 'status'], env);
  const [said = ''] = `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^WARNING/.test(line));
  if (outcome !== 'exited' || NOT_CODEX.test(stderr)) return skip('the program does not tell');
  if (code === 0) return ok(said.trim() || 'signed in');
  const { provider } = await effects.codexSettings(env);
  if (provider !== null) return ok(`not to OpenAI, but its settings name the model provider ${provider}`);
  return fail(`Codex is not signed in: ${said.trim()}`, 'Run `codex login` as the user of the worker.');
}

const Status = z.object({ loggedIn: z.boolean(), authMethod: z.string().optional() });

async function judgeClaude(path: string, env: AgentEnvironment, effects: Asking): Promise<Verdict> {
  const { outcome, stdout } = await effects.runProgram(path, ['auth', 'status', '--json'], env);
  const status = outcome === 'exited' ? parse(stdout) : null;
  if (status === null) return skip('this version of Claude Code does not tell');
  if (status.loggedIn)
    return ok(`signed in${status.authMethod === undefined ? '' : ` by ${status.authMethod}`}`);
  return fail(
    'Claude is not signed in',
    'Run `claude auth login` as the user of the worker, or pass a key on: claude.env_passthrough: [ANTHROPIC_API_KEY].',
    'claude.env_passthrough',
  );
}

function parse(text: string): z.infer<typeof Status> | null {
  try {
    return Status.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
