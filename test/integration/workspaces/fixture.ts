import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RepoConfig } from '../../../src/config/config.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createWorkspaces, type WorkspacesOptions } from '../../../src/workspaces/create-workspaces.ts';
import type { Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';

/** A real remote and a place for workspaces, in one temporary directory. */
export interface Fixture {
  readonly base: string;
  readonly root: string;
  readonly mirrorRoot: string;
  readonly remote: string;
  readonly repo: RepoConfig;
  readonly environment: Record<string, string>;
  workspaces(options?: Partial<WorkspacesOptions>): Workspaces;
  prepare(workspaces: Workspaces, issue: Issue, repo?: RepoConfig | null): Promise<Workspace>;
  /** Commits files on a branch of the remote from a clone of its own. */
  pushToRemote(branch: string, files: Readonly<Record<string, string>>, from?: string): string;
  git(cwd: string, ...args: string[]): string;
  dispose(): void;
}

export const never = new AbortController().signal;

export function issueOf(identifier: string, id = identifier): Issue {
  return {
    id,
    identifier,
    title: `Title of ${identifier}`,
    description: 'Do it.',
    priority: null,
    state: 'Todo',
    branchName: null,
    url: null,
    assigneeId: null,
    labels: [],
    blockedBy: [],
    dispatchable: true,
    undispatchableReason: null,
    createdAt: null,
    updatedAt: null,
    nativeRef: null,
  };
}

export function createFixture(): Fixture {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'workspaces-test-')));
  const remote = join(base, 'remote.git');
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(base, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@example.com',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@example.com',
  };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, {
      cwd,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  mkdirSync(environment.HOME);
  git(base, 'init', '--quiet', '--bare', '--initial-branch=main', remote);

  const pushToRemote = (branch: string, files: Readonly<Record<string, string>>, from?: string): string => {
    const clone = mkdtempSync(join(base, 'pusher-'));
    git(clone, 'init', '--quiet', '--initial-branch=scratch');
    if (from !== undefined) git(clone, 'pull', '--quiet', remote, from);
    writeFiles(clone, files);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', `Change ${Object.keys(files).join(', ')}`);
    git(clone, 'push', '--quiet', '--force', remote, `HEAD:refs/heads/${branch}`);
    const head = git(clone, 'rev-parse', 'HEAD');
    rmSync(clone, { recursive: true });
    return head;
  };
  pushToRemote('main', { 'README.md': 'Hello\n', 'src/a.txt': 'a\n' });

  const fixture: Fixture = {
    base,
    root: join(base, 'root'),
    mirrorRoot: join(base, 'mirrors'),
    remote,
    repo: { owner: 'acme', name: 'remote', cloneUrl: remote, defaultBranch: 'main' },
    environment,
    git,
    pushToRemote,
    workspaces: (options = {}) =>
      createWorkspaces({
        root: fixture.root,
        mirrorRoot: fixture.mirrorRoot,
        scope: { trackerKind: 'local', trackerScope: 'team-a' },
        environment,
        logger: silentLogger,
        ...options,
      }),
    prepare: (workspaces, issue, repo = fixture.repo) =>
      workspaces.prepare({ issue, repo, onProgress() {} }, never),
    dispose: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
  return fixture;
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}
