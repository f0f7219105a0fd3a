import type { Environment } from '../../../config/read/environment.ts';
import { runCommand } from '../../../process/children/run-command.ts';
import { gitEnvironment } from '../../../workspaces/git/environment.ts';

/** The difference between a file and what would take its place, as `git diff` shows it; empty when there is none. */
export async function showChanges(
  path: string,
  text: string,
  place: { readonly cwd: string; readonly environment: Environment },
): Promise<string> {
  const { stdout } = await runCommand({
    command: 'git',
    args: ['diff', '--no-index', '--no-color', '--no-ext-diff', '--', path, '-'],
    cwd: place.cwd,
    env: gitEnvironment(place.environment),
    input: text,
    timeoutMs: 10_000,
  });
  // The lines that name the files say nothing here: there is one file, and a text.
  return stdout.slice(Math.max(0, stdout.indexOf('\n@@ ') + 1));
}
