import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, realpath, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { removeFile } from '../../process/files/remove-file.ts';
import { isBelow } from '../../process/inside-folder.ts';

/** Creates the root if need be and returns its real path. Throws `workspace_root_unwritable`. */
export async function openRoot(root: string): Promise<string> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const real = await realpath(root);
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw new AppError(
      'workspace_root_unwritable',
      `the workspace root ${root} cannot be used: ${messageOf(error)}`,
      {
        hint: `Make ${root} a directory this user can write, or set workspace.root (or AIOPS_WORKSPACE_ROOT) to another one.`,
        cause: error,
        context: { root },
      },
    );
  }
}

export type PathKind = 'missing' | 'directory' | 'symlink' | 'other';

/** What is at a path itself, links not followed. */
export async function pathKind(path: string): Promise<PathKind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return 'symlink';
    return stats.isDirectory() ? 'directory' : 'other';
  } catch (error) {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')) return 'missing';
    throw error;
  }
}

/** The path of a key directly under a real root. Throws `invalid_workspace_cwd` when it would be anywhere else. */
export function childPath(realRoot: string, key: string): string {
  const path = join(realRoot, key);
  if (dirname(path) !== realRoot || path === realRoot || key.includes('\0'))
    throw outsideRoot(path, realRoot);
  return path;
}

/** Throws unless an existing path really is that directory under the root: no link on the way, nothing else. */
export async function assertOwnDirectory(realRoot: string, path: string): Promise<void> {
  const kind = await pathKind(path);
  if (kind !== 'directory') {
    const isLink = kind === 'symlink';
    const what = isLink ? 'is a symbolic link, not a workspace' : 'is not a directory';
    const fix = isLink ? `Remove the link ${path}` : `Move ${path} away`;
    const hint = `${fix}; the worker then creates a workspace there.`;
    throw new AppError('invalid_workspace_cwd', `${path} ${what}`, { hint, context: { path } });
  }
  const real = await realpath(path);
  if (real !== path || !isBelow(real, realRoot)) throw outsideRoot(path, realRoot);
}

function outsideRoot(path: string, root: string): AppError {
  return new AppError('invalid_workspace_cwd', `${path} is outside the workspace root ${root}`, {
    hint: 'This identifier cannot have a workspace; rename the issue or check workspace.root.',
    context: { path, root },
  });
}

/**
 * Writes a file below `base` without following a link anywhere: directories on the way must be real directories
 * (missing ones are made), and whatever had the name before is replaced, not written through, so that a symbolic or
 * hard link planted there keeps its target unchanged.
 */
export async function writeFileInside(base: string, way: readonly string[], content: string): Promise<void> {
  let directory = base;
  for (const part of way.slice(0, -1)) {
    directory = join(directory, part);
    await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
      if (!hasErrno(error, 'EEXIST')) throw error;
    });
    const kind = await pathKind(directory);
    if (kind !== 'directory') {
      throw new AppError(
        'workspace_unusable',
        `${directory} is not a directory (it is ${describeKind(kind)})`,
        {
          hint: `Remove ${directory}; the worker keeps its own files there.`,
        },
      );
    }
  }
  const path = join(directory, way[way.length - 1] ?? '');
  // No file can take the place of a folder; whatever is in it is kept beside.
  if ((await pathKind(path)) === 'directory')
    await rename(path, `${path}.${randomBytes(6).toString('hex')}.aside`);
  await replaceFile(path, content);
}

/** Puts a private file in place in one step; a reader sees the old content or the new, never half. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (error) {
    await handle.close().catch(() => {});
    await removeFile(temporary);
    throw error;
  }
}

/** The text of a regular file, links not followed and at most `maxBytes` of it; null when there is none. */
export async function readRegularFile(path: string, maxBytes = 1024 * 1024): Promise<string | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return null;
      const length = Math.min(stats.size, maxBytes);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ELOOP') || hasErrno(error, 'ENOTDIR')) return null;
    throw error;
  }
}

function describeKind(kind: PathKind): string {
  return kind === 'symlink' ? 'a symbolic link' : kind === 'missing' ? 'missing' : 'a file';
}
