import { z } from 'zod';
import { optionsOf } from '../../config/kinds.ts';
import { fail, ok, skip, type Verdict, warn } from '../../domain/verdict.ts';
import { findVersion } from '../../domain/version.ts';
import type { AgentEnvironment, AgentInspection, AgentLook, Inspected } from '../inspection.ts';
import { findBundledClaude, INSTALL_AGENT_SDK } from './find-sdk.ts';
import type { ClaudeSettings } from './settings.ts';

export const inspection: AgentInspection = {
  judgeProgram,
  signIn: { program: 'claude', judge: judgeSignIn },
  judgeVerifyCommands,
  ownSandbox: null,
};

const GET_CLAUDE =
  'Install Claude Code with `npm install -g @anthropic-ai/claude-code` and run `claude` once as the user of the worker to sign in, or write its full path into claude.command.';

/** The SDK brings a program of its own, which is used when the default command is not there. */
async function judgeProgram(
  agent: Inspected,
  program: string | null,
  env: AgentEnvironment,
  look: AgentLook,
): Promise<Verdict> {
  const { command } = optionsOf<ClaudeSettings>(agent);
  const path = await look.findProgram(program ?? 'claude', env);
  if (path === null) {
    const version = look.bundledVersion(findBundledClaude);
    if (version !== null && command.trim() === 'claude')
      return ok(`the program of the Claude Agent SDK ${version}; there is no claude on the PATH`);
    const orSdk = `Or run \`${INSTALL_AGENT_SDK}\` in the folder of the workflow: the Claude Agent SDK brings its own program.`;
    return fail(`the program of claude.command was not found: ${command}`, `${GET_CLAUDE} ${orSdk}`);
  }
  const result = await look.runProgram(path, ['--version'], env);
  const version = result.outcome === 'exited' && result.code === 0 ? findVersion(result.stdout) : null;
  if (version !== null) return ok(`Claude Code ${version} at ${path}`);
  const why =
    result.outcome === 'timed_out'
      ? 'no answer in time'
      : (result.spawnError ?? (result.stderr.trim().slice(0, 300) || 'it named no version'));
  return warn(
    `\`${path} --version\` failed: ${why}`,
    `Run it by hand as the user of the worker. ${GET_CLAUDE}`,
  );
}

const Status = z.object({ loggedIn: z.boolean(), authMethod: z.string().optional() });

async function judgeSignIn(
  path: string,
  env: AgentEnvironment,
  look: Pick<AgentLook, 'runProgram'>,
): Promise<Verdict> {
  const { outcome, stdout } = await look.runProgram(path, ['auth', 'status', '--json'], env);
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

function judgeVerifyCommands(agent: Inspected, commands: readonly string[]): readonly Verdict[] {
  const claude = optionsOf<ClaudeSettings>(agent);
  if (claude.permissionMode === 'plan')
    return [
      fail(
        'claude.permission_mode is plan, in which Claude runs nothing, not even verify.commands',
        'Set claude.permission_mode: acceptEdits, or remove the key.',
        'claude.permission_mode',
      ),
    ];
  const forbidden = commands.filter((command) =>
    claude.disallowedTools.some((rule) => forbids(rule, command)),
  );
  if (forbidden.length > 0)
    return [
      fail(
        `claude.disallowed_tools forbids what verify.commands asks for: ${forbidden.join(', ')}`,
        'Take one of the two out.',
        'claude.disallowed_tools',
      ),
    ];
  const unruled =
    claude.permissionMode === 'dontAsk' ? commands.filter((command) => /[(),*\\\n]/.test(command)) : [];
  if (unruled.length === 0) return [];
  return [
    fail(
      `claude.permission_mode is dontAsk, and Claude has no notation that allows exactly: ${unruled.join('; ')}`,
      'Put it into a script and name the script in verify.commands, or set claude.permission_mode: acceptEdits.',
      'verify.commands',
    ),
  ];
}

/** Whether a rule in Claude's notation covers a command. */
function forbids(rule: string, command: string): boolean {
  const [, inner] = /^Bash(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (inner === undefined) return /^Bash$/.test(rule.trim());
  if (inner === '*') return true;
  return inner.endsWith(':*') ? command.startsWith(inner.slice(0, -2)) : command.trim() === inner.trim();
}
