import { AppError } from '../../errors/app-error.ts';
import type { CommandInput, CommandResult } from '../../process/children/child.ts';
import { runCommand } from '../../process/helper/helper.ts';
import { credentialChannel, type GitCredential } from './credential.ts';
import { gitEnvironment } from './environment.ts';
import { gitFailure } from './errors.ts';
import { createSettingsReader } from './settings-reader.ts';

const NETWORK_TIMEOUT_MS = 10 * 60_000;
const LOCAL_TIMEOUT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitCall {
  readonly cwd: string;
  /** What is being done, for the error: `fetching host/owner/repo`. */
  readonly action: string;
  readonly signal?: AbortSignal;
  /** Longer or shorter than usual. */
  readonly timeoutMs?: number;
  /** Talks to a remote: a longer limit, and the repository's credential when its host asks for one. */
  readonly network?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: CommandInput;
  /** Output kept of each stream; default 64 MiB. More is an error, unless a beginning of it will do. */
  readonly maxOutputBytes?: number;
  readonly prefixWillDo?: boolean;
  /** Keeps every byte of the output, one character each: names of files need not be UTF-8. */
  readonly bytes?: boolean;
  /** Reads what an agent wrote: memory is limited, since a few bytes of it can stand for gigabytes. */
  readonly limited?: boolean;
  /** Each line of git's progress. */
  onProgress?(line: string): void;
}

/**
 * Address space of a git that reads an agent's repository, in KiB. Packs are mapped in windows (see the view's
 * configuration), so that this does not limit how large a repository may be. Where a shell has no such limit, none holds.
 */
const MAX_MEMORY_KIB = 4 * 1024 * 1024;
const LIMITED = `ulimit -v ${MAX_MEMORY_KIB} 2>/dev/null; exec git "$@"`;
const NOT_FOUND = 127;

/** Runs git without a prompt, bounded in time and output. */
export interface Git {
  /** The standard output. Throws `git_failed` or `git_missing`, or the reason of an aborted signal. */
  run(args: readonly string[], call: GitCall): Promise<string>;
  /** The result whatever the exit code; throws only when git could not run to its end. */
  attempt(args: readonly string[], call: GitCall): Promise<CommandResult>;
  /** The settings that a configuration's text has of the names in a pattern, as `config -z` prints them; '' when it is broken. */
  settingsIn(text: string, pattern: string, call: GitCall): Promise<string>;
  /** Says that a text of ours adds nothing to another one that anybody asks `settingsIn` for. */
  addsNoSettings(text: string, to: string): void;
}

export function createGit(
  environment: Readonly<Record<string, string | undefined>>,
  credential: GitCredential | null = null,
): Git {
  const baseEnvironment = gitEnvironment(environment);
  const channel = credential === null ? null : credentialChannel(credential);

  async function attempt(args: readonly string[], call: GitCall): Promise<CommandResult> {
    call.signal?.throwIfAborted();
    const timeoutMs = call.timeoutMs ?? (call.network === true ? NETWORK_TIMEOUT_MS : LOCAL_TIMEOUT_MS);
    const { onProgress } = call;
    const signIn = call.network === true ? channel : null;
    const result = await runCommand({
      ...(call.limited === true
        ? { command: 'sh', args: ['-c', LIMITED, 'git', ...args] }
        : { command: 'git', args: [...(signIn?.settings ?? []), ...args] }),
      cwd: call.cwd,
      env: { ...baseEnvironment, ...call.env },
      timeoutMs,
      encoding: call.bytes === true ? 'latin1' : 'utf8',
      maxOutputBytes: call.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.input === undefined ? {} : { input: call.input }),
      ...(signIn === null ? {} : { secretInput: signIn.secretInput }),
      ...(onProgress === undefined ? {} : { onErrorLine: (line: string) => onProgress(line) }),
    });
    assertRanToEnd(result, call, timeoutMs);
    return result;
  }

  return {
    attempt,
    ...createSettingsReader(attempt),
    async run(args, call) {
      const result = await attempt(args, call);
      if (result.code !== 0) throw gitFailure(call.action, result, LOCAL_TIMEOUT_MS);
      return result.stdout;
    },
  };
}

function assertRanToEnd(result: CommandResult, call: GitCall, timeoutMs: number): void {
  if (result.outcome === 'aborted') call.signal?.throwIfAborted();
  if (result.outcome !== 'exited' || result.signal !== null) throw gitFailure(call.action, result, timeoutMs);
  if (call.limited === true && result.code === NOT_FOUND) {
    const missing = { ...result, outcome: 'spawn_failed', spawnError: 'git was not found' } as const;
    throw gitFailure(call.action, missing, 0);
  }
  if (result.stdoutTruncated && call.prefixWillDo !== true) throw outputTooLarge(call);
}

/** Half a listing is no listing: what it leaves out would be taken for absent. */
function outputTooLarge({ action, maxOutputBytes = MAX_OUTPUT_BYTES }: GitCall): AppError {
  return new AppError('git_failed', `${action} printed more than ${maxOutputBytes} bytes`, {
    hint: 'The repository holds more files or references than the worker reads; it is kept as it is.',
  });
}
