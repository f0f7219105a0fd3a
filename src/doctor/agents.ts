import { isAbsolute } from 'node:path';
import type { Config } from '../config/config.ts';
import { type Check, fail, ok, skip, type Verdict, warn } from './check.ts';
import type { AgentEnvironment, Effects } from './effects.ts';
import type { ReachableAgent } from './reachable-agents.ts';
import { compareVersions, findVersion } from './version.ts';

type Agents = Pick<
  Effects,
  'agentEnvironment' | 'programOf' | 'findProgram' | 'runProgram' | 'codexVersion' | 'findClaudeSdk'
>;

const WHERE = 'PATH is that of the login files of the user of the worker, then that of the worker itself.';
const GET_CLAUDE =
  'Install Claude Code with `npm install -g @anthropic-ai/claude-code` and run `claude` once as the user of the worker to sign in, or write its full path into claude.command.';

export function agentCheck(agent: ReachableAgent, effects: Agents): Check {
  return {
    id: `agent-${agent.id}`,
    title: `Agent ${agent.id}`,
    needs: 'agent',
    async run() {
      if (agent.kind === 'mock') return ok('built in; it only writes notes, for trying things out');
      const program = effects.programOf(agent.command);
      if (program?.includes('/') === true && !isAbsolute(program)) {
        return skip(`${program} is looked up in each workspace, and there is none yet`);
      }
      const env = await effects.agentEnvironment(agent);
      if (agent.kind === 'codex-app-server') return judgeCodex(agent.command, program, env, effects);
      if (agent.kind === 'claude') return judgeClaude(agent.config.claude, program, env, effects);
      return judgeAcp(program, env, effects);
    },
  };
}

/** A command that needs a shell is taken to start the agent by its usual name. */
async function judgeCodex(
  command: string,
  program: string | null,
  env: AgentEnvironment,
  effects: Agents,
): Promise<Verdict> {
  const [path, found] = await Promise.all([
    effects.findProgram(program ?? 'codex', env),
    effects.codexVersion(command, env),
  ]);
  const { tested } = found;
  const install = `npm install -g @openai/codex@${tested}`;
  if (path === null) {
    return fail(
      `the program of codex.command was not found: ${command}`,
      `Install it with \`${install}\` and sign in with \`codex login\`, or write its full path into codex.command; ${WHERE}`,
    );
  }
  if (found.version === null) {
    return warn(
      `${path} does not say which version of Codex it is: ${found.reason}`,
      `Make sure that it is Codex ${tested}, whose protocol this worker speaks (\`${install}\`).`,
    );
  }
  const drift = compareVersions(found.version, tested);
  if (found.version === tested)
    return ok(`Codex ${found.version} at ${path}, the version of the pinned protocol`);
  return warn(
    `Codex ${found.version} at ${path} is ${howItDiffers(drift)} than ${tested}, whose protocol this worker speaks: messages it does not know are passed over, and ones it needs may have changed`,
    drift < 0
      ? `Update it: \`${install}\`.`
      : `Update aiops, or install the tested version: \`${install}\`. Watch the first runs if you keep it.`,
  );
}

function howItDiffers(drift: number): string {
  return drift === 0 ? 'another build' : drift < 0 ? 'older' : 'newer';
}

/** The SDK brings a program of its own, which is used when the default command is not there. */
async function judgeClaude(
  { command, driver }: Config['claude'],
  program: string | null,
  env: AgentEnvironment,
  effects: Agents,
): Promise<Verdict> {
  const sdk = effects.findClaudeSdk();
  const addSdk = `\`${sdk.install}\` in the folder of the workflow`;
  if (driver === 'sdk' && sdk.version === null)
    return fail(
      'claude.driver is sdk, but the Claude Agent SDK is not installed',
      `Run ${addSdk}, or set claude.driver: auto.`,
    );
  const bySdk = driver === 'command' ? null : sdk.version;
  const path = await effects.findProgram(program ?? 'claude', env);
  if (path === null) {
    if (bySdk !== null && command.trim() === 'claude')
      return ok(`the program of the Claude Agent SDK ${bySdk}; there is no claude on the PATH`);
    const orSdk = driver === 'auto' ? ` Or run ${addSdk}: the Claude Agent SDK brings its own program.` : '';
    return fail(`the program of claude.command was not found: ${command}`, `${GET_CLAUDE}${orSdk}`);
  }
  const how =
    bySdk === null
      ? `driven directly${driver === 'command' ? '' : ` (the optional Claude Agent SDK is not installed: ${addSdk})`}`
      : `driven through the Claude Agent SDK ${bySdk}`;
  const result = await effects.runProgram(path, ['--version'], env);
  const version = result.outcome === 'exited' && result.code === 0 ? findVersion(result.stdout) : null;
  if (version !== null) return ok(`Claude Code ${version} at ${path}, ${how}`);
  const why =
    result.outcome === 'timed_out'
      ? 'no answer in time'
      : (result.spawnError ?? (result.stderr.trim().slice(0, 300) || 'it named no version'));
  return warn(
    `\`${path} --version\` failed: ${why}`,
    `Run it by hand as the user of the worker. ${GET_CLAUDE}`,
  );
}

async function judgeAcp(program: string | null, env: AgentEnvironment, effects: Agents): Promise<Verdict> {
  if (program === null) return skip('acp.command needs a shell, which finds its own programs');
  const path = await effects.findProgram(program, env);
  if (path !== null) return ok(`${path} is there`);
  return fail(
    `the program of acp.command was not found: ${program}`,
    `Install it, or write its full path into acp.command; ${WHERE}`,
  );
}
