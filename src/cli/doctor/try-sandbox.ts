import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CommandResult } from '../../process/children/child.ts';
import { runCommand } from '../../process/children/run-command.ts';
import type { AgentEnvironment } from '../../runners/inspection.ts';
import { createSandbox } from '../../runners/sandbox/sandbox.ts';
import { inspectFolder } from './files.ts';

const START_MS = 15_000;

/** Starts `true` exactly as an agent would be started, in the workspace root when there is one. */
export async function trySandbox(
  { sandbox: settings, workspace, workflowPath }: Config,
  env: AgentEnvironment,
  signal: AbortSignal,
): Promise<CommandResult> {
  const sandbox = createSandbox(settings, workspace.mirrorRoot);
  if (sandbox === null) throw new AppError('agent_failed', 'the workflow wants no sandbox');
  const { exists } = await inspectFolder(workspace.root);
  const workspacePath = exists ? workspace.root : dirname(workflowPath);
  const place = { workspacePath, stateFolders: [], variables: [] };
  const launch = await sandbox.wrap({ command: 'true', args: [], env }, place);
  try {
    return await runCommand({ ...launch, cwd: workspacePath, timeoutMs: START_MS, signal });
  } finally {
    await launch.dispose?.();
  }
}
