import { mkdir, realpath } from 'node:fs/promises';
import { AppError } from '../../errors/app-error.ts';
import { layoutOf } from '../files/layout.ts';
import { assertOwnDirectory } from '../files/path-safety.ts';
import { createGit } from '../git/git.ts';
import { recogniseWorkspace } from '../ownership/ownership-record.ts';
import { findBase } from './evidence.ts';
import { openView, type RepositoryView } from './repository-view.ts';

const MAX_PATCH_BYTES = 8 * 1024 * 1024;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 1000;
const MAX_COMMITS = 100;
const MAX_SUBJECT = 300;
/** No file an agent wrote chooses a program that runs here. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=dirty'];

export interface FileChange {
  readonly path: string;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface DiffCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  /** In RFC 3339. */
  readonly at: string;
}

/** What a workspace holds against the base branch, committed or not. Bounded. */
export interface WorkspaceDiff {
  readonly base: string | null;
  readonly head: string | null;
  readonly files: readonly FileChange[];
  readonly untracked: readonly string[];
  /** Newest first. */
  readonly commits: readonly DiffCommit[];
  readonly patch: string;
  readonly truncated: boolean;
}

const NO_DIFF: WorkspaceDiff = {
  base: null,
  head: null,
  files: [],
  untracked: [],
  commits: [],
  patch: '',
  truncated: false,
};

export interface DiffRequest {
  /** The workspace root the path must be directly under. */
  readonly root: string;
  readonly path: string;
  /** Null: the remote's default branch. */
  readonly baseBranch: string | null;
  readonly signal: AbortSignal;
}

export type ReadDiff = (request: DiffRequest) => Promise<WorkspaceDiff>;

/** Looks, changes nothing. Throws `not_found` when the workspace is gone or not one of ours. */
export function createDiffReader(environment: Readonly<Record<string, string | undefined>>): ReadDiff {
  const git = createGit(environment);
  return async (request) => {
    const layout = layoutOf(await requireWorkspace(request));
    await mkdir(layout.staging, { recursive: true, mode: 0o700 });
    const known = await recogniseWorkspace(layout, request.path);
    if (known === null) return NO_DIFF;
    const { location, borrowed } = known;
    const { path: workTree, signal } = request;
    const scratch = layout.staging;
    const view = await openView({ git, workTree, scratch, location, objects: borrowed, signal });
    if (view === null) return NO_DIFF;
    try {
      return await readDiff(view, request);
    } finally {
      await view.close();
    }
  };
}

async function requireWorkspace({ root, path }: DiffRequest): Promise<string> {
  try {
    const realRoot = await realpath(root);
    await assertOwnDirectory(realRoot, path);
    return realRoot;
  } catch (error) {
    throw new AppError('not_found', 'the workspace of this run is no longer there', {
      hint: 'A workspace is removed when its issue is finished; what was pushed is on the remote.',
      cause: error,
    });
  }
}

async function readDiff(view: RepositoryView, { baseBranch, signal }: DiffRequest): Promise<WorkspaceDiff> {
  await view.scan();
  const head = await view.query(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal });
  const untracked = await listUntracked(view, signal);
  if (head === null) return { ...NO_DIFF, untracked: untracked.slice(0, MAX_FILES) };
  const tip = await findBase(view, baseBranch);
  const base = tip === null ? head : ((await view.query(['merge-base', tip, head], { signal })) ?? tip);
  const listing = await view.query(['diff', '--numstat', '-z', ...PLAIN, base, '--'], {
    signal,
    maxOutputBytes: MAX_LIST_BYTES,
    prefixWillDo: true,
  });
  const files = parseNumstat(listing ?? '');
  // One byte more than is shown tells whether there was more.
  const patch = await view.run(['diff', ...PLAIN, base, '--'], {
    signal,
    maxOutputBytes: MAX_PATCH_BYTES + 1,
    prefixWillDo: true,
  });
  const commits = await listCommits(view, base, signal);
  const cut = Buffer.byteLength(patch) > MAX_PATCH_BYTES;
  return {
    base,
    head,
    files: files.slice(0, MAX_FILES),
    untracked: untracked.slice(0, MAX_FILES),
    commits,
    patch: cut ? patch.slice(0, patch.lastIndexOf('\n') + 1) : patch,
    truncated: cut || files.length > MAX_FILES || untracked.length > MAX_FILES,
  };
}

async function listCommits(view: RepositoryView, base: string, signal: AbortSignal): Promise<DiffCommit[]> {
  const format = '--format=%H%x1f%an%x1f%aI%x1f%s';
  const plain = ['--no-show-signature', '--no-notes', '--no-mailmap', '--no-color', '--no-decorate'];
  const args = ['log', '-z', format, ...plain, `--max-count=${MAX_COMMITS}`, `${base}..HEAD`, '--'];
  const listed = await view.query(args, { signal, maxOutputBytes: MAX_LIST_BYTES, prefixWillDo: true });
  return (listed ?? '').split('\0').flatMap((entry) => {
    const [sha = '', author = '', at = '', subject] = entry.split('\x1f');
    if (subject === undefined || Number.isNaN(Date.parse(at))) return [];
    return [
      {
        sha: sha.trim(),
        subject: subject.slice(0, MAX_SUBJECT),
        author: author.slice(0, MAX_SUBJECT),
        at: new Date(at).toISOString(),
      },
    ];
  });
}

async function listUntracked(view: RepositoryView, signal: AbortSignal): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const names = await view.query(args, { signal, maxOutputBytes: MAX_LIST_BYTES, prefixWillDo: true });
  return (names ?? '').split('\0').filter((name) => name !== '');
}

/** `<added>\t<removed>\t<path>`, with `-` for a binary file. */
function parseNumstat(text: string): FileChange[] {
  return text.split('\0').flatMap((entry) => {
    const match = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(entry);
    const [, added = '-', removed = '-', path] = match ?? [];
    return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
  });
}

function count(text: string): number | null {
  return text === '-' ? null : Number(text);
}
