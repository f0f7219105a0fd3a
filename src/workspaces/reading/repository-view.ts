import { randomBytes } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandInput } from '../../process/children/child.ts';
import { deleteTree } from '../../process/helper/helper.ts';
import { pathKind, readRegularFile } from '../files/path-safety.ts';
import { type GitConfig, renderGitConfig } from '../git/config-text.ts';
import type { Git, GitCall } from '../git/git.ts';
import { locateRepository, type RepositoryLocation } from '../git/location.ts';
import { checkRepository } from './check-repository.ts';
import { readRefs } from './refs.ts';
import { scanWorkTree } from './scan-work-tree.ts';
import { type RepositoryStatus, readStatus } from './status.ts';

/**
 * The only way in which the worker's git reads a repository that an agent has had its hands on. The view is a git
 * directory of our own that shares refs and objects with the repository but has its own config, hooks and attributes,
 * so that no filter, hook, fsmonitor or remote helper the agent configured ever runs on the host. Of the repository's
 * objects it sees those in its own folders, never what its list of alternates names. Objects written through it stay
 * in the view. What git would open is looked at first (`repository_unsafe`), and git's memory and time are limited.
 */
export interface RepositoryView {
  readonly workTree: string;
  /** The repository's own directory for HEAD and index. */
  readonly gitDirectory: string;
  /** The repository's directory for refs and objects. */
  readonly commonDirectory: string;
  /** The view's directory. */
  readonly directory: string;
  /**
   * Looks at the files that git opens while it walks the work tree. Call it before any command that does. Gives how many
   * repositories are inside.
   */
  scan(signal?: AbortSignal): Promise<number>;
  /** HEAD and everything uncommitted, in one question; null when git cannot tell. Call it after a scan. */
  status(signal?: AbortSignal): Promise<RepositoryStatus | null>;
  run(args: readonly string[], call?: ViewCall): Promise<string>;
  /** The output without its last newline, or null when git answered with a failure. */
  query(args: readonly string[], call?: ViewCall): Promise<string | null>;
  /** What every ref names; read without git where that can be done. */
  refs(signal?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** Null when HEAD is detached. */
  checkedOutBranch(): Promise<string | null>;
  /** A view of a repository inside of this one's working tree. */
  openNested(workTree: string): Promise<RepositoryView | null>;
  close(): Promise<void>;
}

export interface ViewCall {
  readonly signal?: AbortSignal;
  readonly input?: CommandInput;
  readonly env?: Readonly<Record<string, string>>;
  /** Output kept; default 64 MiB. More is an error, unless a beginning of it will do. */
  readonly maxOutputBytes?: number;
  readonly prefixWillDo?: boolean;
  /** One character per byte, for names of files. */
  readonly bytes?: boolean;
}

export interface ViewOptions {
  readonly git: Git;
  readonly workTree: string;
  /** A directory of ours to put the view in. */
  readonly scratch: string;
  /** Further object directories, such as a mirror's. */
  readonly objects?: readonly string[];
  /** Where the repository is; looked up in the working tree when it is not given. */
  readonly location?: RepositoryLocation;
  /** The workspace; repositories inside of it may keep their files anywhere in it. Default the working tree. */
  readonly boundary?: string;
  /** For every command that has none of its own. */
  readonly signal?: AbortSignal;
}

/** Null when the directory is no repository of its own. */
export async function openView(options: ViewOptions): Promise<RepositoryView | null> {
  const { git, workTree, scratch } = options;
  const location = options.location ?? (await locateRepository(workTree));
  if (location === null) return null;
  const objectFolders = await checkRepository(location, options.signal);
  const directory = join(scratch, `view-${randomBytes(6).toString('hex')}`);
  try {
    await buildView(options, location, directory, objectFolders);
  } catch (error) {
    await deleteTree(directory);
    throw error;
  }
  const { gitDirectory, commonDirectory } = location;
  const environment = {
    GIT_DIR: directory,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: join(gitDirectory, 'index'),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Nothing is ever fetched for a view, by whatever means.
    GIT_ALLOW_PROTOCOL: 'none',
  };
  const toCall = (args: readonly string[], call: ViewCall): GitCall => ({
    cwd: workTree,
    action: `git ${args[0] ?? ''} in ${workTree}`,
    limited: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...call,
    env: { ...environment, ...call.env },
  });
  const query: RepositoryView['query'] = async (args, call = {}) => {
    const result = await git.attempt(args, toCall(args, call));
    return result.code === 0 ? result.stdout.trimEnd() : null;
  };
  return {
    workTree,
    gitDirectory,
    commonDirectory,
    directory,
    scan: (signal = options.signal) =>
      scanWorkTree({ path: workTree, boundary: options.boundary ?? workTree }, signal),
    run: (args, call = {}) => git.run(args, toCall(args, call)),
    query,
    refs: (signal = options.signal) => readRefs(query, commonDirectory, signal),
    status: (signal = options.signal) => readStatus(query, signal),
    async checkedOutBranch() {
      const head = (await readRegularFile(join(directory, 'HEAD'))) ?? '';
      return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1] ?? null;
    },
    openNested: (inner) => {
      const { location: _, objects: __, ...shared } = options;
      return openView({ ...shared, workTree: inner, boundary: options.boundary ?? workTree });
    },
    close: () => deleteTree(directory),
  };
}

async function buildView(
  { git, scratch, objects = [] }: ViewOptions,
  { gitDirectory, commonDirectory }: RepositoryLocation,
  directory: string,
  objectFolders: readonly string[],
): Promise<void> {
  await mkdir(join(directory, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'info'));
  const borrowed = join(directory, BORROWED);
  await mkdir(borrowed);
  await Promise.all(
    objectFolders.map((name) => symlink(join(commonDirectory, 'objects', name), join(borrowed, name))),
  );
  const files = {
    'objects/info/alternates': [borrowed, ...objects].map((path) => `${path}\n`).join(''),
    HEAD: (await readRegularFile(join(gitDirectory, 'HEAD'))) ?? '',
    'info/exclude': (await readRegularFile(join(commonDirectory, 'info', 'exclude'))) ?? '',
    config: renderGitConfig(await viewConfig(git, commonDirectory, scratch)),
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), content, { mode: 0o600, flag: 'wx' });
  for (const name of ['refs', 'packed-refs', 'reftable', 'shallow']) {
    if ((await pathKind(join(commonDirectory, name))) !== 'missing') {
      await symlink(join(commonDirectory, name), join(directory, name));
    }
  }
  for (const name of await readdir(gitDirectory)) {
    if (name.startsWith('sharedindex.')) await symlink(join(gitDirectory, name), join(directory, name));
  }
}

/** Links to the repository's folders of objects, so that git never reads which others the repository names. */
const BORROWED = 'borrowed-objects';

/** The few settings that say how files are stored, taken from the repository; all others are ours. */
const STORAGE_SETTINGS =
  '^(core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)|extensions\\.(objectformat|refstorage))$';

async function viewConfig(git: Git, commonDirectory: string, scratch: string): Promise<GitConfig> {
  const text = (await readRegularFile(join(commonDirectory, 'config'))) ?? '';
  const settings = await git.settingsIn(text, STORAGE_SETTINGS, {
    cwd: scratch,
    action: 'reading how the repository stores files',
  });
  const core: Record<string, string> = {};
  const extensions: Record<string, string> = {};
  for (const entry of settings.split('\0')) {
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
      untrackedCache: 'false',
      hooksPath: '/dev/null',
      attributesFile: '/dev/null',
      packedGitWindowSize: '32m',
      packedGitLimit: '512m',
      logAllRefUpdates: 'false',
    },
    pack: { windowMemory: '256m', threads: '2' },
    gc: { auto: '0' },
    maintenance: { auto: 'false' },
    submodule: { recurse: 'false' },
    ...(extended ? { extensions } : {}),
  };
}
