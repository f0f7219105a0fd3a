import type { Environment } from '../../../config/environment.ts';
import { runCommand } from '../../../process/run-command.ts';
import { gitEnvironment } from '../../../workspaces/git-environment.ts';

const TIMEOUT_MS = 5_000;

export interface Place {
  readonly cwd: string;
  readonly environment: Environment;
}

/** What the program printed, trimmed; null when it is not there, fails, or takes too long. No prompt ever waits. */
export async function askProgram(
  command: string,
  args: readonly string[],
  { cwd, environment }: Place,
): Promise<string | null> {
  const env = gitEnvironment(environment);
  const result = await runCommand({
    command,
    args,
    cwd,
    env,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: 256 * 1024,
  });
  return result.outcome === 'exited' && result.code === 0 ? result.stdout.trim() : null;
}
