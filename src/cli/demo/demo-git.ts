import type { Environment } from '../../config/read/environment.ts';
import { AppError } from '../../errors/app-error.ts';
import { buildChildEnvironment } from '../../process/children/environment.ts';
import { runCommand } from '../../process/children/run-command.ts';

/** The demo's own identity and a configuration free of the user's, so that it behaves the same everywhere. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Demo Reviewer',
  GIT_AUTHOR_EMAIL: 'reviewer@demo.invalid',
  GIT_COMMITTER_NAME: 'Demo Reviewer',
  GIT_COMMITTER_EMAIL: 'reviewer@demo.invalid',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

export type Git = (cwd: string, ...args: readonly string[]) => Promise<string>;

/** Runs git and gives its output; a failure is an error with git's own words. */
export function createGit(environment: Environment): Git {
  const env = buildChildEnvironment({
    source: environment,
    passthrough: [],
    denyNames: [],
    denyValues: [],
    extra: IDENTITY,
  });
  return async (cwd, ...args) => {
    const result = await runCommand({ command: 'git', args, cwd, env, timeoutMs: 30_000 });
    if (result.outcome === 'spawn_failed') {
      throw new AppError('git_missing', 'git was not found on PATH', {
        hint: 'Install git, then run the demo again.',
      });
    }
    if (result.outcome !== 'exited' || result.code !== 0) {
      throw new AppError('git_failed', `git ${args.join(' ')}: ${result.stderr.trim() || result.outcome}`);
    }
    return result.stdout.trim();
  };
}
