import { AppError } from '../errors/app-error.ts';
import type { Runner } from './runner.ts';

/** Each kind's code is loaded only when a workflow asks for it. */
const RUNNERS: Readonly<Record<string, () => Promise<Runner>>> = {
  mock: async () => (await import('./mock/runner.ts')).createMockRunner(),
};

export const RUNNER_KINDS: readonly string[] = Object.keys(RUNNERS);

export async function createRunner(kind: string): Promise<Runner> {
  const create = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined;
  if (create !== undefined) return create();
  throw new AppError('agent_not_found', `There is no runner of kind ${JSON.stringify(kind)}.`, {
    hint: `Set agent.default in WORKFLOW.md to one of: ${RUNNER_KINDS.join(', ')}.`,
    context: { kind },
  });
}
