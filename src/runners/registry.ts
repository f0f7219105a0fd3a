import type { Config } from '../config/config.ts';
import { type AgentKind, optionsOf } from '../config/kinds.ts';
import { AppError } from '../errors/app-error.ts';
import { acpAgent } from './acp/settings.ts';
import { acpSetups } from './acp/setup.ts';
import type { AgentSetup } from './agent-setup.ts';
import { claudeAgent } from './claude/settings.ts';
import { claudeSetups } from './claude/setup.ts';
import { type CodexSettings, codexAgent } from './codex/settings.ts';
import { codexSetups } from './codex/setup.ts';
import type { AgentInspection } from './inspection.ts';
import { mockAgent } from './mock/settings.ts';
import { mockSetups } from './mock/setup.ts';
import type { Runner } from './runner.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** What of a run's own settings a runner may need. */
export type RunnerSettings = Pick<Config, 'agent' | 'sandbox' | 'workspace' | 'verify'>;

/** An agent: what is known without loading it, and its code, which is loaded only when it is needed. */
interface Agent {
  readonly kind: AgentKind;
  /** The programs of this kind that `aiops init` sets up. */
  readonly setups: readonly AgentSetup[];
  create(settings: RunnerSettings, sandbox: Sandbox | null): Promise<Runner>;
  inspect(): Promise<{ readonly inspection: AgentInspection }>;
}

const AGENTS: readonly Agent[] = [
  {
    kind: mockAgent,
    setups: mockSetups,
    create: async ({ verify }, sandbox) =>
      (await import('./mock/runner.ts')).createMockRunner({ sandbox, verifyCommands: verify.commands }),
    inspect: () => import('./mock/inspect.ts'),
  },
  {
    kind: codexAgent,
    setups: codexSetups,
    async create({ agent }, sandbox) {
      const codex = optionsOf<CodexSettings>(agent);
      const { createCodexRunner } = await import('./codex/runner.ts');
      return createCodexRunner({ codex, prices: codex.prices, sandbox });
    },
    inspect: () => import('./codex/inspect.ts'),
  },
  {
    kind: claudeAgent,
    setups: claudeSetups,
    create: async ({ agent, verify: { commands: verifyCommands } }, sandbox) =>
      (await import('./claude/runner.ts')).createClaudeRunner({
        claude: optionsOf(agent),
        verifyCommands,
        sandbox,
      }),
    inspect: () => import('./claude/inspect.ts'),
  },
  {
    kind: acpAgent,
    setups: acpSetups,
    create: async ({ agent }, sandbox) =>
      (await import('./acp/runner.ts')).createAcpRunner({ acp: optionsOf(agent), sandbox }),
    inspect: () => import('./acp/inspect.ts'),
  },
];

/** A program that `aiops init` offers, and the kind of agent it is. */
export type OfferedAgent = AgentSetup & { readonly kind: AgentKind };

export const AGENT_SETUPS: readonly OfferedAgent[] = AGENTS.flatMap(({ kind, setups }) =>
  setups.map((setup) => ({ ...setup, kind })),
);
export const AGENT_KINDS: readonly AgentKind[] = AGENTS.map(({ kind }) => kind);
export const RUNNER_KINDS: readonly string[] = AGENT_KINDS.map(({ kind }) => kind);

/** What is known of an agent without loading it. */
export function agentKind(kind: string): AgentKind {
  return agentNamed(kind).kind;
}

/** What an agent knows about a set-up that works with it. */
export async function inspectionOf(kind: string): Promise<AgentInspection> {
  return (await agentNamed(kind).inspect()).inspection;
}

export async function createRunner(kind: string, settings: RunnerSettings): Promise<Runner> {
  const agent = agentNamed(kind);
  const { createSandbox } = await import('./sandbox/sandbox.ts');
  return agent.create(settings, createSandbox(settings.sandbox, settings.workspace.mirrorRoot));
}

function agentNamed(name: string): Agent {
  const agent = AGENTS.find(({ kind }) => kind.kind === name);
  if (agent !== undefined) return agent;
  throw new AppError('agent_not_found', `There is no runner of kind ${JSON.stringify(name)}.`, {
    hint: `Set agent.default in WORKFLOW.md to one of: ${RUNNER_KINDS.join(', ')}.`,
    context: { kind: name },
  });
}
