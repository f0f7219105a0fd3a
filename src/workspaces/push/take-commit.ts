import type { CommandResult } from '../../process/children/child.ts';
import type { WorkspacesContext } from '../context.ts';
import { lastGitMessage } from '../git/errors.ts';
import type { Mirror } from '../mirror/mirrors.ts';
import { sizeText } from './limits.ts';
import { makePushRepositories } from './push-repositories.ts';
import { type Refusal, refusal } from './refusal.ts';

/** An id; and one with a type and a size. */
const ID_LINE_BYTES = 41;
const OBJECT_LINE_BYTES = ID_LINE_BYTES + 8 + 16;

interface TakeRequest {
  /** Empty, of the worker's own. */
  readonly folder: string;
  readonly workTree: string;
  readonly mirror: Mirror;
  readonly branch: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** A commit out of an agent's hands: everything it needs is there, was checked, and lies in a repository of ours. */
export interface CheckedCommit {
  readonly repository: string;
  readonly commit: string;
  readonly mirror: Mirror;
  readonly workTree: string;
  /** Objects that the mirror does not have. */
  readonly objects: readonly TakenObject[];
}

export interface TakenObject {
  readonly id: string;
  readonly type: string;
  /** Bytes, not compressed. */
  readonly size: number;
}

export async function takeCommit(
  { git, filter, pushLimits: limits }: WorkspacesContext,
  request: TakeRequest,
): Promise<CheckedCommit | Refusal> {
  const { folder, workTree, mirror, branch, commit, signal } = request;
  const repositories = await makePushRepositories(folder, workTree, mirror, filter, limits);
  if (repositories === null) return tooMuch(`more than ${limits.files} files of objects`);
  const { source, checked } = repositories;
  const ask = (args: readonly string[], input?: string): Promise<CommandResult> =>
    git.attempt(args, {
      cwd: source,
      action: 'reading what is to be pushed',
      signal,
      env: { GIT_DIR: source, GIT_NO_LAZY_FETCH: '1' },
      maxOutputBytes: limits.objects * (args[0] === 'rev-list' ? ID_LINE_BYTES : OBJECT_LINE_BYTES),
      prefixWillDo: true,
      limited: true,
      ...(input === undefined ? {} : { input }),
    });
  const isCommit = async (): Promise<boolean> =>
    (await ask(['cat-file', '-t', commit])).stdout.trim() === 'commit';
  const noCommit = refusal('no_commit', `The workspace has no commit ${commit}.`);
  const known = [...new Set(mirror.refs.values())].map((id) => `^${id}\n`).join('');
  const listing = await ask(['rev-list', '--objects', '--no-object-names', '--stdin'], `${commit}\n${known}`);
  if (listing.stdoutTruncated) return tooMuch(`more than ${limits.objects} new objects`);
  if (listing.code !== 0) return (await isCommit()) ? damaged(listing) : noCommit;
  const sizes = await ask(
    ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'],
    listing.stdout,
  );
  const objects = sizes.stdout.split('\n').map(toObject);
  // Objects that the mirror has are not among them.
  const type = objects.find(({ id }) => id === commit)?.type;
  if (type === undefined ? !(await isCommit()) : type !== 'commit') return noCommit;
  const bytes = objects.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.contentBytes) return tooMuch(`${sizeText(bytes)} of new content`);
  const moved = await git.attempt(
    ['push', '--quiet', '--no-verify', '--no-follow-tags', checked, `${commit}:refs/heads/${branch}`],
    {
      cwd: source,
      action: 'checking what is to be pushed',
      signal,
      env: { GIT_DIR: source, GIT_NO_LAZY_FETCH: '1' },
      limited: true,
    },
  );
  if (/maximum allowed size/.test(moved.stderr))
    return tooMuch(`more than ${sizeText(limits.packBytes)}, compressed`);
  if (moved.code !== 0) return damaged(moved);
  return { repository: checked, commit, mirror, workTree, objects };
}

function toObject(line: string): TakenObject {
  const [id = '', type = '', size = ''] = line.split(' ');
  return { id, type, size: Number(size) || 0 };
}

function tooMuch(what: string): Refusal {
  return refusal('too_large', `The push brings ${what}, more than the worker carries. Push less at once.`);
}

/** git's own words, which say which object is wrong and how. */
function damaged({ stderr }: CommandResult): Refusal {
  const words = stderr
    .split('\n')
    .map((line) => line.replace(/^remote: /, '').trim())
    .find((line) => /^(error|fatal): /.test(line) && !/failed to push|index-pack|unpack/.test(line));
  const reason = words ?? lastGitMessage(stderr);
  return refusal('objects_refused', `The commits cannot be pushed as they are: ${reason}`);
}
