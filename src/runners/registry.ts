import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import type { Runner } from './runner.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** What of a run's own settings a runner may need. */
export type RunnerSettings = Pick<Config, 'codex' | 'claude' | 'acp' | 'sandbox' | 'workspace' | 'verify'>;

/** Each kind's code is loaded only when a workflow asks for it. */
const RUNNERS: Readonly<Record<string, (settings: RunnerSettings) => Promise<Runner>>> = {
  mock: async (settings) => {
    const { createMockRunner } = await import('./mock/runner.ts');
    const sandbox = await sandboxOf(settings);
    return createMockRunner({ sandbox, verifyCommands: settings.verify.commands });
  },
  'codex-app-server': async (settings) => {
    const { createCodexRunner } = await import('./codex/runner.ts');
    const { codex } = settings;
    return createCodexRunner({ codex, prices: codex.prices, sandbox: await sandboxOf(settings) });
  },
  claude: async (settings) => {
    const { createClaudeRunner } = await import('./claude/runner.ts');
    const { claude, verify } = settings;
    const sandbox = await sandboxOf(settings);
    return createClaudeRunner({ claude, verifyCommands: verify.commands, sandbox });
  },
  acp: async (settings) => {
    const { createAcpRunner } = await import('./acp/runner.ts');
    return createAcpRunner({ acp: settings.acp, sandbox: await sandboxOf(settings) });
  },
};

async function sandboxOf({ sandbox, workspace }: RunnerSettings): Promise<Sandbox | null> {
  const { createSandbox } = await import('./sandbox/sandbox.ts');
  return createSandbox(sandbox, workspace.mirrorRoot);
}

export const RUNNER_KINDS: readonly string[] = Object.keys(RUNNERS);

export async function createRunner(kind: string, settings: RunnerSettings): Promise<Runner> {
  const create = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined;
  if (create !== undefined) return create(settings);
  throw new AppError('agent_not_found', `There is no runner of kind ${JSON.stringify(kind)}.`, {
    hint: `Set agent.default in WORKFLOW.md to one of: ${RUNNER_KINDS.join(', ')}.`,
    context: { kind },
  });
}
