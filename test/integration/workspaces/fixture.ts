import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  /** As after a successful `after_create`. */
  prepareConfirmed(workspaces: Workspaces, issue: Issue, repo?: RepoConfig | null): Promise<Workspace>;
  /** Writes files in a checkout and commits them. */
  commit(directory: string, files: Readonly<Record<string, string>>): void;
  /** Commits files on a branch of the remote, on top of `from`, else as a new history. Returns the commit. */
  pushToRemote(branch: string, files: Readonly<Record<string, string>>, from?: string): string;
  /** Puts this many packs, of one commit each, into a repository; no ref reaches them. Returns the last commit. */
  writePacks(repository: string, count: number): string;
  git(cwd: string, ...args: string[]): string;
  /** Pushes from a checkout to the remote itself, as somebody with a credential would, past the worker's relay. */
  push(cwd: string, refspec: string): void;
  /** A PATH with these programs of this machine and no others. */
  pathOf(...programs: string[]): string;
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
    author: null,
    labels: [],
    blockedBy: [],
    dispatchable: true,
    undispatchableReason: null,
    createdAt: null,
    updatedAt: null,
    nativeRef: null,
  };
}

export function createFixture(folder = tmpdir()): Fixture {
  const base = realpathSync(mkdtempSync(join(folder, 'workspaces-test-')));
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
  let clock = 1_700_000_000;
  git(base, 'init', '--quiet', '--bare', '--initial-branch=main', remote);

  const pushToRemote = (branch: string, files: Readonly<Record<string, string>>, from?: string): string => {
    const parent = from === undefined ? '' : `from ${git(remote, 'rev-parse', `refs/heads/${from}`)}\n`;
    const message = `Change ${Object.keys(files).join(', ')}`;
    const changes = Object.entries(files).map(
      ([name, content]) => `M 100644 inline ${name}\n${data(content)}`,
    );
    clock += 1;
    const commit = `commit refs/heads/${branch}\ncommitter Tester <tester@example.com> ${clock} +0000\n`;
    const input = `${commit}${data(message)}${parent}${changes.join('')}`;
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: remote, env: environment, input });
    return git(remote, 'rev-parse', `refs/heads/${branch}`);
  };
  pushToRemote('main', { 'README.md': 'Hello\n', 'src/a.txt': 'a\n' });

  const fixture: Fixture = {
    base,
    root: join(base, 'root'),
    mirrorRoot: join(base, 'mirrors'),
    remote,
    repo: {
      owner: 'acme',
      name: 'remote',
      cloneUrl: remote,
      defaultBranch: 'main',
      token: null,
      credential: null,
      push: 'worker',
    },
    environment,
    git,
    pushToRemote,
    push: (cwd, refspec) => {
      // Spelt as no workflow spells it, so that no setting of the workspace leads the push elsewhere.
      const address = `remote.origin.pushurl=${base}/./remote.git`;
      git(cwd, '-c', address, 'push', '--quiet', 'origin', refspec);
    },
    workspaces: (options = {}) =>
      createWorkspaces({
        root: fixture.root,
        mirrorRoot: fixture.mirrorRoot,
        scope: { trackerKind: 'local', trackerScope: 'team-a' },
        reusesIds: true,
        repo: fixture.repo,
        environment,
        logger: silentLogger,
        ...options,
      }),
    prepare: (workspaces, issue, repo = fixture.repo) =>
      workspaces.prepare({ issue, repo, onProgress() {} }, never),
    async prepareConfirmed(workspaces, issue, repo = fixture.repo) {
      const workspace = await fixture.prepare(workspaces, issue, repo);
      await workspaces.confirmCreated(workspace);
      return workspace;
    },
    commit(directory, files) {
      writeFiles(directory, files);
      git(directory, 'add', '--', ...Object.keys(files));
      git(directory, 'commit', '--quiet', '--message', `Change ${Object.keys(files).join(', ')}`);
    },
    writePacks(repository, count) {
      const committer = 'committer Tester <tester@example.com> 1700000000 +0000';
      const commits = Array.from(
        { length: count },
        (_, index) => `commit refs/heads/lost\n${committer}\n${data(`Lost ${index}`)}checkpoint\n`,
      );
      const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'];
      execFileSync('git', args, { cwd: repository, env: environment, input: commits.join('') });
      const last = git(repository, 'rev-parse', 'refs/heads/lost');
      git(repository, 'update-ref', '-d', 'refs/heads/lost');
      return last;
    },
    pathOf(...programs) {
      const folder = mkdtempSync(join(base, 'path-'));
      for (const name of programs) {
        const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
        symlinkSync(found, join(folder, name));
      }
      return folder;
    },
    dispose: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
  return fixture;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** How many fetches git recorded in a GIT_TRACE2_EVENT directory. */
export function traceFetches(directory: string): number {
  return readdirSync(directory)
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"event":"cmd_name"') && line.includes('"name":"fetch"')).length;
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}
