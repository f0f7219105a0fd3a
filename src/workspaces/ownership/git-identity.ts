import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { readRegularFile } from '../files/path-safety.ts';
import { unsafeRepository } from '../files/unsafe.ts';
import { locateRepository, type RepositoryLocation } from '../git/location.ts';

/**
 * A folder on disk. A file system gives the inode of a removed folder to the next one, so the time of its birth counts too; `0`
 * where the file system keeps none.
 */
const placeSchema = z.object({
  device: z.string(),
  inode: z.string(),
  bornNs: z.string().default('0'),
});

/**
 * Which repository the worker, or a hook before any agent came, made in a workspace. Kept in the ownership record, where
 * no agent writes. Moving the whole workspace root to another disk changes device and inode; that shows in `root`.
 */
export const gitIdentitySchema = z.object({
  directory: placeSchema,
  root: placeSchema,
  /** Where a `.git` file that a hook made leads to; null for a folder `.git` in the workspace. */
  pointer: z.object({ gitDirectory: z.string(), commonDirectory: z.string() }).nullable(),
  /** Folders of objects outside of the workspace that the repository borrows. */
  borrowed: z.array(z.string()),
});

export type GitIdentity = z.infer<typeof gitIdentitySchema>;
type Place = z.infer<typeof placeSchema>;

export interface KnownRepository {
  readonly location: RepositoryLocation;
  readonly borrowed: readonly string[];
}

/** Takes down what is there now. Only for a workspace no agent has been in, or whose repository has just been found safe. */
export async function identify(workspace: string, root: string): Promise<GitIdentity | null> {
  const location = await locateRepository(workspace);
  if (location === null) return null;
  const { gitDirectory, commonDirectory } = location;
  const isFolder = gitDirectory === join(workspace, '.git');
  return {
    directory: await placeOf(gitDirectory),
    root: await placeOf(root),
    pointer: isFolder ? null : { gitDirectory, commonDirectory },
    borrowed: await readAlternates(commonDirectory),
  };
}

/**
 * The repository of a workspace, if it still is the one that was taken down; null when there is none at all. Without a
 * record (an older workspace, or an agent that made a repository in a plain folder) a real folder `.git` will do. Throws
 * `repository_unsafe` for any other: a file or a link can name every repository of this machine.
 */
export async function recognise(
  workspace: string,
  identity: GitIdentity | null,
): Promise<KnownRepository | null> {
  const dotGit = join(workspace, '.git');
  const stats = await lstat(dotGit).catch(() => null);
  if (stats === null) return null;
  const own: RepositoryLocation = { gitDirectory: dotGit, commonDirectory: dotGit };
  const borrowed = identity?.borrowed ?? [];
  if (identity === null || (await hasMoved(workspace, identity))) {
    if (stats.isDirectory()) return { location: own, borrowed };
    throw unsafeRepository(dotGit, 'is not a folder that the worker made');
  }
  const location = identity.pointer ?? own;
  const isThatKind = identity.pointer === null ? stats.isDirectory() : stats.isFile();
  const named = isThatKind ? await locateRepository(workspace) : null;
  const isThere =
    named?.gitDirectory === location.gitDirectory &&
    named.commonDirectory === location.commonDirectory &&
    samePlace(await placeOf(location.gitDirectory), identity.directory);
  if (!isThere) throw unsafeRepository(dotGit, 'is not the repository that the worker made');
  return { location, borrowed };
}

async function hasMoved(workspace: string, { root }: GitIdentity): Promise<boolean> {
  return !samePlace(await placeOf(dirname(workspace)), root);
}

async function placeOf(path: string): Promise<Place> {
  const { dev, ino, birthtimeNs } = await lstat(path, { bigint: true });
  return { device: String(dev), inode: String(ino), bornNs: String(birthtimeNs) };
}

function samePlace(a: Place, b: Place): boolean {
  const sameBirth = a.bornNs === b.bornNs || a.bornNs === '0' || b.bornNs === '0';
  return a.device === b.device && a.inode === b.inode && sameBirth;
}

async function readAlternates(commonDirectory: string): Promise<string[]> {
  const text = await readRegularFile(join(commonDirectory, 'objects', 'info', 'alternates'));
  return (text ?? '').split('\n').filter((line) => isAbsolute(line));
}
