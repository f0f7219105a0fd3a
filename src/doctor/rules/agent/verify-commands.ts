import type { Config } from '../../../config/config.ts';
import { type Verdict, warn } from '../../../domain/verdict.ts';
import { inspectionOf } from '../../../runners/registry.ts';
import { type Check, problemsOr } from '../../check.ts';
import { type AgentFiles, closedSandboxOf } from './own-sandbox.ts';
import type { ReachableAgent } from './reachable-agents.ts';

/** What the prompt asks the agent to run must not be what the workflow forbids it. */
export function verifyCommands(
  { verify }: Config,
  agents: readonly ReachableAgent[],
  effects: AgentFiles,
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
  effects: AgentFiles,
): Promise<readonly Verdict[]> {
  const { judgeVerifyCommands } = await inspectionOf(agent.kind);
  return [...judgeVerifyCommands(agent, commands), ...(await withoutNetwork(agent, commands, effects))];
}

/** The usual ways to fetch what a check needs. */
const FETCHES =
  /(^|[;&|(]\s*)(sudo\s+)?((npm|pnpm|yarn|bun)\s+(ci|i|install|add)\b|yarn\s*($|[;&|])|(python3?\s+-m\s+)?pip3?\s+install\b|uv\s+sync\b|poetry\s+install\b|bundle\s+install\b|composer\s+install\b|cargo\s+(fetch|install)\b|go\s+(get|install|mod\s+download)\b|dotnet\s+restore\b|apt(-get)?\s|curl\s|wget\s|git\s+clone\b)/;

async function withoutNetwork(
  agent: ReachableAgent,
  commands: readonly string[],
  effects: AgentFiles,
): Promise<readonly Verdict[]> {
  const fetching = commands.filter((command) => FETCHES.test(command.trim()));
  const closed = fetching.length === 0 ? null : await closedSandboxOf(agent, effects);
  if (closed === null) return [];
  return [
    warn(
      `commands of ${closed.name} have no network, and verify.commands fetches: ${fetching.join('; ')}`,
      `Fetch it before the agent starts, in hooks.after_create; or give ${closed.name} a network: ${closed.openNetwork}.`,
      'verify.commands',
    ),
  ];
}
