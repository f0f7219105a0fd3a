import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../process/children/child.ts';
import { gitFailure, lastGitMessage } from './errors.ts';

function result(part: Partial<CommandResult>): CommandResult {
  return {
    outcome: 'exited',
    code: 128,
    signal: null,
    stdout: '',
    stderr: '',
    truncated: false,
    stdoutTruncated: false,
    durationMs: 1,
    spawnError: null,
    ...part,
  };
}

describe('git errors', () => {
  test('hold the last line in which git complains, without credentials', () => {
    const stderr =
      "remote: hello\nerror: first\nfatal: repository 'https://me:pw@host/x.git/' not found\nhint: see docs\n";
    expect(lastGitMessage(stderr)).toBe("fatal: repository 'https://host/x.git/' not found");
    const ssh =
      'Warning: x\nme@host: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease make sure';
    expect(lastGitMessage(ssh)).toBe('me@host: Permission denied (publickey).');
    expect(lastGitMessage('just text\r50%\rlast words\n')).toBe('last words');
  });

  test.each([
    ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'git_failed', /credential/],
    ["fatal: unable to access 'https://h/': Could not resolve host: h", 'git_failed', /can be reached/],
    ["fatal: '/nowhere' does not appear to be a git repository", 'git_failed', /repo\.clone_url/],
    ['fatal: write error: No space left on device', 'disk_full', /disk space/],
    ["fatal: sha1 file 'index.lock' write error. Out of diskspace", 'disk_full', /disk space/],
    [
      'Host key verification failed.\nfatal: Could not read from remote repository.',
      'git_failed',
      /known_hosts/,
    ],
    ['fatal: something new', 'git_failed', /by hand/],
  ])('%s teaches what to do', (stderr, code, hint) => {
    const error = gitFailure('fetching host/x', result({ stderr }), 1_000);
    expect(error.code).toBe(code);
    expect(error.message).toContain('fetching host/x failed: ');
    expect(error.hint).toMatch(hint);
  });

  test('name a missing git, a timeout and a silent failure', () => {
    const missing = gitFailure('x', result({ outcome: 'spawn_failed', spawnError: 'git was not found' }), 1);
    expect(missing.code).toBe('git_missing');
    const slow = gitFailure('fetching x', result({ outcome: 'timed_out' }), 600_000);
    expect(slow.message).toBe('fetching x did not finish within 600 s');
    expect(gitFailure('x', result({ code: 1 }), 1).message).toBe('x failed: exit code 1');
    expect(gitFailure('x', result({ code: null, signal: 'SIGKILL' }), 1).message).toBe(
      'x failed: ended by SIGKILL',
    );
  });
});
