import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import type { Runner } from './runner.ts';

/** What of a run's own settings a runner may need. */
export type RunnerSettings = Pick<Config, 'codex' | 'claude' | 'acp' | 'sandbox' | 'workspace'>;

/** Each kind's code is loaded only when a workflow asks for it. */
const RUNNERS: Readonly<Record<string, (settings: RunnerSettings) => Promise<Runner>>> = {
  mock: async () => (await import('./mock/runner.ts')).createMockRunner(),
  'codex-app-server': async ({ codex, sandbox, workspace }) => {
    const [{ createCodexRunner }, { createSandbox }] = await Promise.all([
      import('./codex/runner.ts'),
      import('./sandbox/sandbox.ts'),
    ]);
    return createCodexRunner({
      codex,
      prices: codex.prices,
      sandbox: createSandbox(sandbox, workspace.mirrorRoot),
    });
  },
  claude: async ({ claude, sandbox, workspace }) => {
    const [{ createClaudeRunner }, { createSandbox }] = await Promise.all([
      import('./claude/runner.ts'),
      import('./sandbox/sandbox.ts'),
    ]);
    return createClaudeRunner({ claude, sandbox: createSandbox(sandbox, workspace.mirrorRoot) });
  },
  acp: async ({ acp, sandbox, workspace }) => {
    const [{ createAcpRunner }, { createSandbox }] = await Promise.all([
      import('./acp/runner.ts'),
      import('./sandbox/sandbox.ts'),
    ]);
    return createAcpRunner({ acp, sandbox: createSandbox(sandbox, workspace.mirrorRoot) });
  },
};

export const RUNNER_KINDS: readonly string[] = Object.keys(RUNNERS);

export async function createRunner(kind: string, settings: RunnerSettings): Promise<Runner> {
  const create = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined;
  if (create !== undefined) return create(settings);
  throw new AppError('agent_not_found', `There is no runner of kind ${JSON.stringify(kind)}.`, {
    hint: `Set agent.default in WORKFLOW.md to one of: ${RUNNER_KINDS.join(', ')}.`,
    context: { kind },
  });
}
