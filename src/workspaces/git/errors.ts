import { AppError } from '../../errors/app-error.ts';
import type { CommandResult } from '../../process/children/child.ts';
import { DISK_HINT, isDiskFull } from '../files/disk-space.ts';
import { stripUrlCredentials } from './repository-url.ts';

const MAX_LINE = 300;

/** The line that says why git gave up: the last `fatal:` or `error:` one, else the last line it printed. */
export function lastGitMessage(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = lines.findLastIndex((line) => /^(fatal|error):/.test(line));
  // The reason is what ssh, or the remote, said before that.
  const before = /could not read from remote repository/i.test(lines[last] ?? '')
    ? lines[last - 1]
    : undefined;
  const message = before ?? lines[last] ?? lines.at(-1);
  return stripUrlCredentials(message ?? '').slice(0, MAX_LINE);
}

interface Advice {
  readonly pattern: RegExp;
  readonly hint: string;
}

const ADVICE: readonly Advice[] = [
  {
    pattern:
      /authentication failed|could not read (username|password)|terminal prompts disabled|permission denied \(|invalid credentials|http basic: access denied|403/i,
    hint: 'Give git a credential for this repository: repo.token, an ssh key, or a credential helper.',
  },
  {
    pattern: /host key verification failed/i,
    hint: 'Add the host to known_hosts of the user the worker runs as (ssh-keyscan, after checking the fingerprint).',
  },
  {
    pattern:
      /could not resolve host|connection (refused|timed out|reset)|failed to connect|network is unreachable|unable to access|couldn't connect/i,
    hint: 'Check that the host of repo.clone_url can be reached from this machine; the run is retried.',
  },
  {
    pattern:
      /does not appear to be a git repository|repository .*not (found|exist)|does not exist|not found/i,
    hint: 'Check repo.clone_url, and that the credential in use may read that repository.',
  },
  {
    pattern: /dubious ownership/i,
    hint: 'The directory belongs to another user; run the worker as its owner or point it at a directory of its own.',
  },
  {
    pattern: /transport '.*' not allowed/i,
    hint: "git's protocol.*.allow settings forbid this kind of URL; use https or ssh in repo.clone_url.",
  },
  {
    pattern: /unable to create '.*\.lock'|cannot lock ref/i,
    hint: 'Another git process holds the repository; if none is running, delete the named .lock file.',
  },
];

const DEFAULT_HINT = 'Run the same git command by hand to see more; the run is retried.';

/** Why a git command did not do its work, as an error whose message holds git's own words. */
export function gitFailure(action: string, result: CommandResult, timeoutMs: number): AppError {
  const message = lastGitMessage(result.stderr);
  const { outcome, signal, durationMs } = result;
  const context = { outcome, exitCode: result.code, signal, durationMs };
  if (result.outcome === 'spawn_failed') return startFailure(result.spawnError ?? 'unknown reason');
  if (result.outcome === 'timed_out') {
    const seconds = Math.round(timeoutMs / 1000);
    return new AppError('git_failed', `${action} did not finish within ${seconds} s${suffix(message)}`, {
      hint: 'Check the connection to the remote; a first clone of a large repository can use workspace.partial_clone.',
      context,
    });
  }
  if (result.outcome === 'aborted') return new AppError('git_failed', `${action} was stopped`, { context });
  if (isDiskFull(result.stderr)) {
    return new AppError('disk_full', `${action} failed${suffix(message)}`, { hint: DISK_HINT, context });
  }
  const how = result.signal === null ? `exit code ${result.code}` : `ended by ${result.signal}`;
  return new AppError('git_failed', `${action} failed${suffix(message === '' ? how : message)}`, {
    hint: ADVICE.find(({ pattern }) => pattern.test(result.stderr))?.hint ?? DEFAULT_HINT,
    context,
  });
}

function startFailure(reason: string): AppError {
  if (!/not found|ENOENT/.test(reason)) {
    return new AppError('git_failed', `git could not be started: ${reason}`, { hint: DEFAULT_HINT });
  }
  return new AppError('git_missing', 'git is not installed, or not on the PATH of the worker', {
    hint: 'Install git 2.32 or newer and make sure the PATH of the worker has it.',
  });
}

function suffix(message: string): string {
  return message === '' ? '' : `: ${message}`;
}
