import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Free of whatever the user or the machine configured. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.invalid',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.invalid',
};

export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: directory,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

export function gitLines(directory: string, ...args: readonly string[]): readonly string[] {
  return git(directory, ...args)
    .split('\n')
    .filter((line) => line !== '');
}

/** Branch names of a repository. */
export function branches(repository: string): readonly string[] {
  return gitLines(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');
}

/** Commits on the branch that changed the notes: what the agent did, whatever the subject says. */
export function workCommits(repository: string, branch: string, id: string): readonly string[] {
  return gitLines(repository, 'log', '--format=%H', branch, '--', `notes/${id}.md`);
}

export function notes(repository: string, branch: string, id: string): readonly string[] {
  return gitLines(repository, 'show', `${branch}:notes/${id}.md`);
}

/** Every commit that a branch or the checked-out head reaches; nothing where there is no repository. */
export function reachableCommits(repository: string): readonly string[] {
  const bare = existsSync(join(repository, 'HEAD'));
  if (!bare && !existsSync(join(repository, '.git', 'HEAD'))) return [];
  return gitLines(repository, 'rev-list', '--branches', ...(bare ? [] : ['HEAD']));
}
