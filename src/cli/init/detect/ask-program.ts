import type { Environment } from '../../../config/read/environment.ts';
import type { CommandResult } from '../../../process/children/child.ts';
import { runCommand } from '../../../process/children/run-command.ts';
import { gitEnvironment } from '../../../workspaces/git/environment.ts';

const TIMEOUT_MS = 5_000;

export interface Place {
  readonly cwd: string;
  readonly environment: Environment;
}

/** What the program printed, trimmed; null when it is not there, fails, or takes too long. */
export async function askProgram(
  command: string,
  args: readonly string[],
  { cwd, environment }: Place,
): Promise<string | null> {
  const result = await runQuietly(command, args, cwd, gitEnvironment(environment));
  return result.outcome === 'exited' && result.code === 0 ? result.stdout.trim() : null;
}

export function runQuietly(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return runCommand({ command, args, cwd, env, timeoutMs: TIMEOUT_MS, maxOutputBytes: 256 * 1024 });
}
