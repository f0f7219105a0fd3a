import type { CommandResult } from '../process/child.ts';
import { runCommand } from '../process/run-command.ts';
import { credentialChannel, type GitCredential } from './git-credential.ts';
import { gitEnvironment } from './git-environment.ts';
import { gitFailure } from './git-errors.ts';

const NETWORK_TIMEOUT_MS = 10 * 60_000;
const LOCAL_TIMEOUT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitCall {
  readonly cwd: string;
  /** What is being done, for the error: `fetching host/owner/repo`. */
  readonly action: string;
  readonly signal?: AbortSignal;
  /** Talks to a remote: a longer limit, and the repository's credential when its host asks for one. */
  readonly network?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Output kept of each stream; default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** Each line of git's progress. */
  onProgress?(line: string): void;
}

/** Runs git without a prompt, bounded in time and output. */
export interface Git {
  /** The standard output. Throws `git_failed` or `git_missing`, or the reason of an aborted signal. */
  run(args: readonly string[], call: GitCall): Promise<string>;
  /** The result whatever the exit code; throws only when git could not run to its end. */
  attempt(args: readonly string[], call: GitCall): Promise<CommandResult>;
}

export function createGit(
  environment: Readonly<Record<string, string | undefined>>,
  credential: GitCredential | null = null,
): Git {
  const baseEnvironment = gitEnvironment(environment);
  const channel = credential === null ? null : credentialChannel(credential);

  async function attempt(args: readonly string[], call: GitCall): Promise<CommandResult> {
    call.signal?.throwIfAborted();
    const timeoutMs = call.network === true ? NETWORK_TIMEOUT_MS : LOCAL_TIMEOUT_MS;
    const { onProgress } = call;
    const signIn = call.network === true ? channel : null;
    const result = await runCommand({
      command: 'git',
      args: [...(signIn?.settings ?? []), ...args],
      cwd: call.cwd,
      env: { ...baseEnvironment, ...call.env },
      timeoutMs,
      maxOutputBytes: call.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(signIn === null ? {} : { secretInput: signIn.secretInput }),
      ...(onProgress === undefined ? {} : { onErrorLine: (line: string) => onProgress(line) }),
    });
    if (result.outcome === 'aborted') call.signal?.throwIfAborted();
    if (result.outcome !== 'exited' || result.signal !== null)
      throw gitFailure(call.action, result, timeoutMs);
    return result;
  }

  return {
    attempt,
    async run(args, call) {
      const result = await attempt(args, call);
      if (result.code !== 0) throw gitFailure(call.action, result, LOCAL_TIMEOUT_MS);
      return result.stdout;
    },
  };
}
