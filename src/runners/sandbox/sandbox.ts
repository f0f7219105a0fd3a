import type { SandboxConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Launch } from './launch.ts';

/** Puts an agent's process into the sandbox of the workflow; leaves it as it is when there is none. */
export type Sandbox = (launch: Launch, workspacePath: string) => Promise<Launch>;

export async function createSandbox(config: SandboxConfig): Promise<Sandbox> {
  if (!config.enabled || config.backend === 'none') return async (launch) => launch;
  throw new AppError('agent_failed', `The sandbox ${config.backend} is not available for this agent.`, {
    hint: 'Set sandbox.enabled: false in WORKFLOW.md.',
  });
}
