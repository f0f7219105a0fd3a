import type { Config } from '../../config/config.ts';
import { type Check, fail, problemsOr, type Verdict, warn } from '../check.ts';
import type { ReachableAgent } from '../reachable-agents.ts';
import { type CodexFiles, codexHasNetwork, OPEN_NETWORK } from './codex-network.ts';

/** What the prompt asks the agent to run must not be what the workflow forbids it. */
export function verifyCommands(
  { verify }: Config,
  agents: readonly ReachableAgent[],
  effects: CodexFiles,
): Check {
  return {
    id: 'verify-commands',
    title: 'Verify commands',
    needs: 'files',
    async run() {
      const problems = await Promise.all(agents.map((agent) => judge(agent, verify.commands, effects)));
      return problemsOr(problems.flat(), `the agent may run ${verify.commands.join(', ')}`);
    },
  };
}

async function judge(
  agent: ReachableAgent,
  commands: readonly string[],
  effects: CodexFiles,
): Promise<readonly Verdict[]> {
  const { kind, config } = agent;
  if (kind === 'claude') return judgeClaude(config.claude, commands);
  if (kind === 'codex-app-server')
    return [...judgeCodex(config.codex), ...(await withoutNetwork(agent, commands, effects))];
  if (kind === 'acp' && config.acp.permissions === 'ask')
    return [
      warn(
        'acp.permissions is ask: the agent may ask a person before each of verify.commands, and the run waits for the answer',
        'Set acp.permissions: allow, best with a sandbox.',
        'acp.permissions',
      ),
    ];
  return [];
}

function judgeClaude(claude: Config['claude'], commands: readonly string[]): readonly Verdict[] {
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

function judgeCodex({
  threadSandbox,
  turnSandboxPolicy,
  approvalPolicy,
}: Config['codex']): readonly Verdict[] {
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

/** The usual ways to fetch what a check needs. */
const FETCHES =
  /(^|[;&|(]\s*)(sudo\s+)?((npm|pnpm|yarn|bun)\s+(ci|i|install|add)\b|yarn\s*($|[;&|])|(python3?\s+-m\s+)?pip3?\s+install\b|uv\s+sync\b|poetry\s+install\b|bundle\s+install\b|composer\s+install\b|cargo\s+(fetch|install)\b|go\s+(get|install|mod\s+download)\b|dotnet\s+restore\b|apt(-get)?\s|curl\s|wget\s|git\s+clone\b)/;

async function withoutNetwork(
  agent: ReachableAgent,
  commands: readonly string[],
  effects: CodexFiles,
): Promise<readonly Verdict[]> {
  const fetching = commands.filter((command) => FETCHES.test(command.trim()));
  if (fetching.length === 0 || (await codexHasNetwork(agent, effects))) return [];
  return [
    warn(
      `commands of Codex have no network, and verify.commands fetches: ${fetching.join('; ')}`,
      `Fetch it before the agent starts, in hooks.after_create; or give Codex a network: ${OPEN_NETWORK}.`,
      'verify.commands',
    ),
  ];
}
