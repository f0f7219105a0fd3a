import { copyFile, lstat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind, readRegularFile } from '../files/path-safety.ts';
import type { RepositoryView } from '../reading/repository-view.ts';
import { recordWorkTree } from './record-work-tree.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'aiops rescue',
  GIT_AUTHOR_EMAIL: 'aiops@localhost',
  GIT_COMMITTER_NAME: 'aiops rescue',
  GIT_COMMITTER_EMAIL: 'aiops@localhost',
};

/** Everything a repository holds that a checkout of its remote would not, as commits in the view's object store. */
export interface Snapshot {
  /** Null on a branch without a commit. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Local branches, tags, notes and stashes, by full name. */
  readonly refs: ReadonlyMap<string, string>;
  /** A commit of the staged state; null when it equals HEAD or cannot be told (unresolved merge). */
  readonly index: string | null;
  /** A commit of every file that is not ignored; null when nothing is uncommitted. */
  readonly worktree: string | null;
  readonly worktreeTree: string | null;
  /** Directories inside that are repositories of their own: submodules and embedded clones. */
  readonly nested: readonly string[];
}

/** Records a repository's state without changing it. */
export async function takeSnapshot(view: RepositoryView, signal: AbortSignal): Promise<Snapshot> {
  const { head, headTree } = await readHead(view, signal);
  const branch = await view.checkedOutBranch();
  const index = await copyIndex(view);
  const env = { GIT_INDEX_FILE: index, ...IDENTITY };
  const stagedTree = await view.query(['write-tree'], { signal, env });
  await view.scan(signal);
  const repositories = await recordWorkTree(view, env, signal);
  const worktreeTree = (await view.run(['write-tree'], { signal, env })).trim();
  const nested = await existingRepositories(view.workTree, repositories);

  const commit = async (tree: string, parents: readonly string[], message: string): Promise<string> => {
    const flags = parents.flatMap((parent) => ['-p', parent]);
    return (await view.run(['commit-tree', tree, ...flags, '-m', message], { signal, env })).trim();
  };
  const parents = head === null ? [] : [head];
  const emptyStart = headTree === null && (await isEmptyTree(view, worktreeTree, signal));
  const clean = worktreeTree === headTree || emptyStart;
  const staged = stagedTree !== null && stagedTree !== headTree && !(headTree === null && clean);
  const indexCommit = staged ? await commit(stagedTree, parents, 'Staged changes') : null;
  const worktree =
    clean && indexCommit === null
      ? null
      : await commit(
          worktreeTree,
          indexCommit === null ? parents : [...parents, indexCommit],
          'Uncommitted changes',
        );
  const refs = await localRefs(view, signal);
  return {
    head,
    branch,
    refs,
    index: indexCommit,
    worktree,
    worktreeTree: worktree === null ? null : worktreeTree,
    nested,
  };
}

/** The commit that is checked out and its tree; nulls on a branch without a commit. */
async function readHead(
  view: RepositoryView,
  signal: AbortSignal,
): Promise<{ readonly head: string | null; readonly headTree: string | null }> {
  // Of what is no revision, such as a file of that name, nothing is printed.
  const args = ['rev-parse', '--quiet', '--revs-only', 'HEAD^{commit}', 'HEAD^{tree}'];
  const [head = '', headTree = '', ...more] = ((await view.query(args, { signal })) ?? '').split('\n');
  const found = [head, headTree].every((id) => /^[0-9a-f]{40,64}$/.test(id)) && more.length === 0;
  return found ? { head, headTree } : { head: null, headTree: null };
}

/**
 * A copy that git may write to. Its time stays a little before the original's: git compares it with the files' times
 * to know which entries it must read again, and must err towards reading.
 */
async function copyIndex(view: RepositoryView): Promise<string> {
  const source = join(view.gitDirectory, 'index');
  const target = join(view.directory, 'index');
  if ((await pathKind(source)) === 'other') {
    await copyFile(source, target);
    const { mtimeMs } = await lstat(source);
    const stamp = (mtimeMs - 10) / 1000;
    await utimes(target, stamp, stamp);
  }
  return target;
}

async function existingRepositories(workTree: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const kind = await pathKind(join(workTree, path, '.git'));
    if (kind === 'directory' || kind === 'other') found.push(path);
  }
  return found;
}

async function isEmptyTree(view: RepositoryView, tree: string, signal: AbortSignal): Promise<boolean> {
  return (await view.run(['ls-tree', tree], { signal })) === '';
}

async function localRefs(view: RepositoryView, signal: AbortSignal): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  const listing = await view.run(['for-each-ref', '--format=%(objectname) %(refname)'], { signal });
  for (const line of listing.split('\n')) {
    const [id = '', name = ''] = line.split(' ');
    if (name !== '' && !name.startsWith('refs/remotes/') && name !== 'refs/stash') refs.set(name, id);
  }
  const stashes = (await readRegularFile(join(view.commonDirectory, 'logs', 'refs', 'stash'))) ?? '';
  const ids = stashes.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  for (const [position, id] of ids.reverse().entries()) refs.set(`refs/rescue/stash-${position}`, id);
  return refs;
}
