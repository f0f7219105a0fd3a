import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspacesContext } from '../context.ts';
import { openDirectoryHandle } from '../files/directory-handle.ts';
import type { GitCredential } from '../git/credential.ts';
import { lastGitMessage } from '../git/errors.ts';
import { cleanLine } from '../git/remote-answer.ts';
import { type Refusal, refusal } from './refusal.ts';
import type { CheckedCommit } from './take-commit.ts';

/** A pointer is a small text; what is larger is a file of its own. */
const POINTER_BYTES = { least: 100, most: 1024 };
const SHOWN = 5;

interface Pointer {
  readonly blob: string;
  readonly oid: string;
  readonly size: number;
}

interface LargeFilesRequest {
  readonly taken: CheckedCommit;
  readonly credential: GitCredential | null;
  readonly signal: AbortSignal;
}

/**
 * Sends the Git LFS files that new commits point to, before the commits themselves. They are taken from the workspace by
 * their names and contents alone; the agent's settings of LFS are not read. Null when all is well.
 */
export async function sendLargeFiles(
  context: WorkspacesContext,
  request: LargeFilesRequest,
): Promise<Refusal | null> {
  const { taken, credential, signal } = request;
  const pointers = await findPointers(context, taken, signal);
  const found: Pointer[] = [];
  let left = context.pushLimits.largeFileBytes;
  for (const pointer of pointers) {
    left -= pointer.size;
    if (left < 0)
      return refusal('too_large', 'The Git LFS files of this push are more than the worker carries.');
    if (await takeFile(taken, pointer)) found.push(pointer);
  }
  if (found.length === 0) return null;
  const call = { cwd: taken.repository, signal, action: 'pushing Git LFS files' };
  const installed = await context.git.attempt(['lfs', 'version'], call);
  if (installed.code !== 0) {
    const names = await namesOf(context, taken, found, signal);
    return refusal(
      'lfs_missing',
      `These files are kept in Git LFS, and git-lfs is not installed on the worker's machine: ${names}. Install it, or commit them without LFS.`,
    );
  }
  const oids = found.map(({ oid }) => oid);
  const sent = await context.git.attempt(['lfs', 'push', '--object-id', 'origin', ...oids], {
    ...call,
    network: true,
  });
  if (sent.code === 0) return null;
  const names = await namesOf(context, taken, found, signal);
  const reason = cleanLine(lastGitMessage(sent.stderr), credential);
  return refusal('lfs_failed', `The Git LFS files ${names} could not be pushed: ${reason}`);
}

async function findPointers(
  { git }: WorkspacesContext,
  { repository, objects }: CheckedCommit,
  signal: AbortSignal,
): Promise<readonly Pointer[]> {
  const call = { cwd: repository, signal, action: 'looking for Git LFS files' };
  const small = objects.flatMap(({ id, type, size }) =>
    type === 'blob' && size >= POINTER_BYTES.least && size <= POINTER_BYTES.most ? [id] : [],
  );
  if (small.length === 0) return [];
  const texts = await git.run(['cat-file', '--batch'], {
    ...call,
    input: small.map((id) => `${id}\n`).join(''),
  });
  const pattern =
    /^([0-9a-f]{40}) blob \d+\nversion https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/gm;
  return [...texts.matchAll(pattern)].map(([, blob = '', oid = '', size = '']) => ({
    blob,
    oid,
    size: Number(size),
  }));
}

/** False when the workspace does not hold the file: then it came from the remote as a pointer, and goes back as one. */
async function takeFile({ repository, workTree }: CheckedCommit, { oid, size }: Pointer): Promise<boolean> {
  const way = ['lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4)];
  const folder = await openDirectoryHandle(workTree, ['.git', ...way]);
  if (folder === null) return false;
  const target = join(repository, ...way);
  const own = join(target, oid);
  try {
    await mkdir(target, { recursive: true });
    await link(folder.at(oid), own);
  } catch {
    return false;
  } finally {
    await folder.close();
  }
  const stats = await lstat(own);
  if (stats.isFile() && stats.size === size && (await hashOf(own)) === oid) return true;
  await rm(own);
  return false;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function namesOf(
  { git }: WorkspacesContext,
  { repository, commit }: CheckedCommit,
  pointers: readonly Pointer[],
  signal: AbortSignal,
): Promise<string> {
  const call = { cwd: repository, signal, action: 'naming Git LFS files' };
  const tree = await git.run(['ls-tree', '-r', '-z', commit], call);
  const paths = new Map(
    tree.split('\0').map((line): [string, string] => {
      const [facts = '', path = ''] = line.split('\t');
      return [facts.split(' ')[2] ?? '', path];
    }),
  );
  const names = pointers.map(({ blob, oid }) => paths.get(blob) ?? oid);
  const rest = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
