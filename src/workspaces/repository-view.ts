import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Git, GitCall } from './git.ts';
import { type GitConfig, renderGitConfig } from './git-config-text.ts';
import { pathKind, readRegularFile, replaceFile } from './path-safety.ts';

/**
 * A way to look at a repository an agent has had its hands on without obeying its configuration. The view is a git
 * directory of our own that shares refs and objects with the repository but has its own config, hooks and attributes,
 * so that no filter, hook, fsmonitor or remote helper the agent configured ever runs on the host. Objects written
 * through it stay in the view.
 */
export interface RepositoryView {
  readonly workTree: string;
  /** The repository's own directory for HEAD and index. */
  readonly gitDirectory: string;
  /** The repository's directory for refs and objects. */
  readonly commonDirectory: string;
  /** The view's directory. */
  readonly directory: string;
  run(args: readonly string[], call?: ViewCall): Promise<string>;
  /** The output without its last newline, or null when git answered with a failure. */
  query(args: readonly string[], call?: ViewCall): Promise<string | null>;
  /** Null when HEAD is detached. */
  checkedOutBranch(): Promise<string | null>;
  close(): Promise<void>;
}

export interface ViewCall {
  readonly signal?: AbortSignal;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Output kept; default 64 MiB. */
  readonly maxOutputBytes?: number;
}

export interface ViewOptions {
  readonly git: Git;
  readonly workTree: string;
  /** A directory of ours to put the view in. */
  readonly scratch: string;
  /** Further object directories, such as a mirror's. */
  readonly objects?: readonly string[];
  /** Where the repository is, when it is not in the working tree itself. */
  readonly location?: RepositoryLocation;
}

/** Null when the directory is no repository of its own. */
export async function openView(options: ViewOptions): Promise<RepositoryView | null> {
  const { git, workTree, scratch } = options;
  const location = options.location ?? (await locateRepository(workTree));
  if (location === null) return null;
  const { gitDirectory, commonDirectory } = location;
  const directory = join(scratch, `view-${randomBytes(6).toString('hex')}`);
  await mkdir(join(directory, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'info'));
  const borrowed = [join(commonDirectory, 'objects'), ...(options.objects ?? [])];
  await replaceFile(
    join(directory, 'objects', 'info', 'alternates'),
    borrowed.map((path) => `${path}\n`).join(''),
  );
  await replaceFile(join(directory, 'HEAD'), (await readRegularFile(join(gitDirectory, 'HEAD'))) ?? '');
  await replaceFile(
    join(directory, 'info', 'exclude'),
    (await readRegularFile(join(commonDirectory, 'info', 'exclude'))) ?? '',
  );
  for (const name of ['refs', 'packed-refs', 'reftable', 'shallow']) {
    if ((await pathKind(join(commonDirectory, name))) !== 'missing') {
      await symlink(join(commonDirectory, name), join(directory, name));
    }
  }
  for (const name of await readdir(gitDirectory)) {
    if (name.startsWith('sharedindex.')) await symlink(join(gitDirectory, name), join(directory, name));
  }
  await replaceFile(
    join(directory, 'config'),
    renderGitConfig(await viewConfig(git, commonDirectory, scratch)),
  );

  const environment = {
    GIT_DIR: directory,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: join(gitDirectory, 'index'),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  const toCall = (args: readonly string[], call: ViewCall): GitCall => ({
    cwd: workTree,
    action: `git ${args[0] ?? ''} in ${workTree}`,
    ...call,
    env: { ...environment, ...call.env },
  });
  return {
    workTree,
    gitDirectory,
    commonDirectory,
    directory,
    run: (args, call = {}) => git.run(args, toCall(args, call)),
    async query(args, call = {}) {
      const result = await git.attempt(args, toCall(args, call));
      return result.code === 0 ? result.stdout.trimEnd() : null;
    },
    async checkedOutBranch() {
      const head = (await readRegularFile(join(directory, 'HEAD'))) ?? '';
      return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1] ?? null;
    },
    close: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface RepositoryLocation {
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

/** A `.git` directory, or a `.git` file as submodules and worktrees have; a link is not followed. */
export async function locateRepository(workTree: string): Promise<RepositoryLocation | null> {
  const dotGit = join(workTree, '.git');
  const kind = await pathKind(dotGit);
  if (kind === 'directory') return { gitDirectory: dotGit, commonDirectory: dotGit };
  if (kind !== 'other') return null;
  const pointer = /^gitdir: (.+?)\s*$/.exec((await readRegularFile(dotGit, 4096)) ?? '')?.[1];
  if (pointer === undefined) return null;
  const gitDirectory = await realpath(resolve(workTree, pointer)).catch(() => null);
  if (gitDirectory === null || !(await lstat(gitDirectory)).isDirectory()) return null;
  const common = (await readRegularFile(join(gitDirectory, 'commondir'), 4096))?.trim();
  if (common === undefined || common === '') return { gitDirectory, commonDirectory: gitDirectory };
  const commonDirectory = isAbsolute(common) ? common : resolve(gitDirectory, common);
  return { gitDirectory, commonDirectory };
}

/** The few settings that say how files are stored, taken from the repository; all others are ours. */
const STORAGE_SETTINGS =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)|extensions\\.(objectformat|refstorage))$';

async function viewConfig(git: Git, commonDirectory: string, scratch: string): Promise<GitConfig> {
  const result = await git.attempt(
    [
      'config',
      '--file',
      join(commonDirectory, 'config'),
      '--no-includes',
      '-z',
      '--get-regexp',
      STORAGE_SETTINGS,
    ],
    { cwd: scratch, action: 'reading how the repository stores files' },
  );
  const core: Record<string, string> = {};
  const extensions: Record<string, string> = {};
  for (const entry of result.code === 0 ? result.stdout.split('\0') : []) {
    const [name = '', value = 'true'] = entry.split('\n');
    const [section, key = ''] = name.split('.');
    if (section === 'core') core[key] = value;
    if (section === 'extensions') extensions[key] = value;
  }
  const extended = Object.keys(extensions).length > 0;
  return {
    core: {
      ...core,
      repositoryformatversion: extended ? '1' : '0',
      bare: 'false',
      fsmonitor: 'false',
      hooksPath: '/dev/null',
      logAllRefUpdates: 'false',
    },
    gc: { auto: '0' },
    maintenance: { auto: 'false' },
    submodule: { recurse: 'false' },
    ...(extended ? { extensions } : {}),
  };
}
