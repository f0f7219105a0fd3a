import type { Logger } from '../observability/logger.ts';
import { runCommand } from '../process/run-command.ts';

export interface LoginEnvironmentInput {
  /** What the login shell starts with. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

/** Login files may print anything; the variables stand behind this. */
const MARK = 'aiops-login-environment';
/** Of the shell itself or of this very call. */
const OWN = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'AIOPS_COMMAND_ID', 'AIOPS_RUN_ID']);

/**
 * The variables a login shell sets, read once instead of paying for a login shell in front of every agent. A login shell
 * that fails or hangs is a warning and no variables: agents then run with the worker's own environment.
 */
export async function captureLoginEnvironment(input: LoginEnvironmentInput): Promise<Record<string, string>> {
  const result = await runCommand({
    command: 'bash',
    args: ['-lc', `printf '%s\\0' ${MARK}; exec env -0`],
    cwd: input.cwd,
    env: input.env,
    timeoutMs: input.timeoutMs ?? 10_000,
  });
  const [, variables] = result.stdout.split(`${MARK}\0`);
  if (result.outcome !== 'exited' || result.code !== 0 || variables === undefined) {
    input.logger.warn('the login shell could not be read; agents get the environment of the worker', {
      outcome: result.outcome,
      code: result.code,
      error: result.spawnError ?? result.stderr.slice(-500),
    });
    return {};
  }
  return Object.fromEntries(
    variables.split('\0').flatMap((entry): [string, string][] => {
      const end = entry.indexOf('=');
      const name = entry.slice(0, end);
      return end <= 0 || OWN.has(name) ? [] : [[name, entry.slice(end + 1)]];
    }),
  );
}
