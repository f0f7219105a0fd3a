import { join } from 'node:path';
import { optionsOf } from '../../config/kinds.ts';
import { fail, ok, skip, type Verdict, warn } from '../../domain/verdict.ts';
import { compareVersions } from '../../domain/version.ts';
import {
  type AgentEnvironment,
  type AgentInspection,
  type AgentLook,
  type Inspected,
  WHERE_PROGRAMS_ARE,
} from '../inspection.ts';
import type { CodexSettings } from './settings.ts';
import { readCodexVersion } from './version.ts';

export const inspection: AgentInspection = {
  judgeProgram,
  signIn: { program: 'codex', judge: judgeSignIn },
  judgeVerifyCommands,
  ownSandbox: {
    name: 'Codex',
    openNetwork: 'codex.turn_sandbox_policy: {type: workspaceWrite, networkAccess: true}',
    async hasNetwork(agent, env, look) {
      const { threadSandbox, turnSandboxPolicy } = optionsOf<CodexSettings>(agent);
      if (turnSandboxPolicy !== null) {
        const { type, networkAccess } = turnSandboxPolicy;
        return type === 'dangerFullAccess' || networkAccess === true || networkAccess === 'enabled';
      }
      return threadSandbox === 'danger-full-access' || (await readOwnSettings(env, look)).network;
    },
  },
};

/** A command that needs a shell is taken to start the agent by its usual name. */
async function judgeProgram(
  { command }: Inspected,
  program: string | null,
  env: AgentEnvironment,
  look: AgentLook,
): Promise<Verdict> {
  const [path, found] = await Promise.all([
    look.findProgram(program ?? 'codex', env),
    readCodexVersion(command, env, look.runProgram),
  ]);
  const { tested } = found;
  const install = `npm install -g @openai/codex@${tested}`;
  if (path === null) {
    return fail(
      `the program of codex.command was not found: ${command}`,
      `Install it with \`${install}\` and sign in with \`codex login\`, or write its full path into codex.command; ${WHERE_PROGRAMS_ARE}`,
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

const NOT_CODEX = /unrecognized subcommand|unexpected argument/i;

async function judgeSignIn(
  path: string,
  env: AgentEnvironment,
  look: Pick<AgentLook, 'runProgram' | 'readText'>,
): Promise<Verdict> {
  const { outcome, code, stdout, stderr } = await look.runProgram(path, ['login', 'status'], env);
  const [said = ''] = `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^WARNING/.test(line));
  if (outcome !== 'exited' || NOT_CODEX.test(stderr)) return skip('the program does not tell');
  if (code === 0) return ok(said.trim() || 'signed in');
  const { provider } = await readOwnSettings(env, look);
  if (provider !== null) return ok(`not to OpenAI, but its settings name the model provider ${provider}`);
  return fail(`Codex is not signed in: ${said.trim()}`, 'Run `codex login` as the user of the worker.');
}

/** The few things of Codex's own settings that matter before it starts, read without a parser of their language. */
async function readOwnSettings(
  env: AgentEnvironment,
  { readText }: Pick<AgentLook, 'readText'>,
): Promise<{ readonly provider: string | null; readonly network: boolean }> {
  const text = await readText(join(env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex'), 'config.toml'));
  return {
    provider: /^\s*model_provider\s*=\s*["']([^"'\n]{1,60})["']/m.exec(text)?.[1] ?? null,
    network: /^\s*(?:sandbox_workspace_write\.)?network_access\s*=\s*true\b/m.test(text),
  };
}

function judgeVerifyCommands(agent: Inspected): readonly Verdict[] {
  const { threadSandbox, turnSandboxPolicy, approvalPolicy } = optionsOf<CodexSettings>(agent);
  const type = turnSandboxPolicy?.['type'];
  const readOnly = type === undefined ? threadSandbox === 'read-only' : type === 'readOnly';
  if (readOnly) {
    const key = type === undefined ? 'codex.thread_sandbox' : 'codex.turn_sandbox_policy';
    return [
      fail(
        `${key} is read-only: the agent can neither change a file nor commit, and verify.commands that write fail`,
        'Set codex.thread_sandbox: workspace-write, or remove the key.',
        key,
      ),
    ];
  }
  if (approvalPolicy !== 'untrusted') return [];
  return [
    warn(
      'codex.approval_policy is untrusted: a person is asked before each of verify.commands, and the run waits for the answer',
      'Set codex.approval_policy: never, or remove the key.',
      'codex.approval_policy',
    ),
  ];
}
