import { delimiter, isAbsolute } from 'node:path';
import type { Logger } from '../../observability/logger.ts';
import { runCommand } from '../../process/children/run-command.ts';

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
 * The variables a login shell sets, read once instead of paying for a login shell in front of every agent. Login files
 * that set PATH anew do not hide what the worker itself was started with: those folders follow theirs. A login shell
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
  const found = Object.fromEntries(
    variables.split('\0').flatMap((entry): [string, string][] => {
      const end = entry.indexOf('=');
      const name = entry.slice(0, end);
      return end <= 0 || OWN.has(name) ? [] : [[name, entry.slice(end + 1)]];
    }),
  );
  const { PATH: own } = input.env;
  return own === undefined ? found : { ...found, PATH: joinSearchPaths(found['PATH'] ?? '', own) };
}

/** What is on the first path wins. A folder of the second that is not absolute would mean one of a workspace, so it is left out. */
function joinSearchPaths(first: string, second: string): string {
  const folders = first.split(delimiter).filter((folder) => folder !== '');
  const missing = second.split(delimiter).filter((folder) => isAbsolute(folder) && !folders.includes(folder));
  return [...folders, ...new Set(missing)].join(delimiter);
}
