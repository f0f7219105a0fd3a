import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { hasErrno } from '../../errors/app-error.ts';
import { unsafeRepository } from '../files/unsafe.ts';

const LINK = '120000';
const PROGRAM = '100755';
const FILE = '100644';
const CHUNK_BYTES = 1024 * 1024;

/** A path of a work tree, one character per byte, and what is there. */
export interface FoundFile {
  readonly path: string;
  /** Git's mode of it; null when nothing is there that git could store. */
  readonly mode: typeof LINK | typeof PROGRAM | typeof FILE | null;
  readonly size: number;
}

/** Looks without following a link, not even one that a folder on the way has become. Obeys the signal between two files. */
export async function lookAtFiles(
  workTree: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<FoundFile[]> {
  const folders: Folders = new Map();
  const found: FoundFile[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    found.push(await lookAtFile(workTree, path, folders));
  }
  return found;
}

/** Which paths were found to be real folders. */
type Folders = Map<string, boolean>;

async function lookAtFile(workTree: string, path: string, folders: Folders): Promise<FoundFile> {
  const none: FoundFile = { path, mode: null, size: 0 };
  if (!(await isReachedByFolders(workTree, path, folders))) return none;
  const stats = await lstat(bytesOf(workTree, path)).catch(missingIsNull);
  if (stats === null) return none;
  if (stats.isSymbolicLink()) return { path, mode: LINK, size: stats.size };
  if (!stats.isFile()) return none;
  return { path, mode: (stats.mode & 0o100) === 0 ? FILE : PROGRAM, size: stats.size };
}

async function isReachedByFolders(workTree: string, path: string, folders: Folders): Promise<boolean> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    const known =
      folders.get(folder) ??
      (await lstat(bytesOf(workTree, folder)).catch(missingIsNull))?.isDirectory() === true;
    folders.set(folder, known);
    if (!known) return false;
  }
  return true;
}

/** The contents as commands of `git fast-import`, each with a mark: the position in the list, from 1. */
export async function* blobStream(workTree: string, files: readonly FoundFile[]): AsyncGenerator<Buffer> {
  for (const [index, file] of files.entries()) {
    yield Buffer.from(`blob\nmark :${index + 1}\n`);
    yield* file.mode === LINK ? linkContent(workTree, file) : fileContent(workTree, file);
    yield Buffer.from('\n');
  }
  yield Buffer.from('done\n');
}

async function* linkContent(workTree: string, { path }: FoundFile): AsyncGenerator<Buffer> {
  const target = await readlink(bytesOf(workTree, path), { encoding: 'buffer' });
  yield Buffer.from(`data ${target.length}\n`);
  yield target;
}

async function* fileContent(workTree: string, { path }: FoundFile): AsyncGenerator<Buffer> {
  const name = bytesOf(workTree, path);
  const handle = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || !(await isThisFile(handle, name)))
      throw unsafeRepository(name.toString(), 'changed while it was read');
    yield Buffer.from(`data ${stats.size}\n`);
    for (let left = stats.size; left > 0; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length);
      if (bytesRead === 0) throw unsafeRepository(name.toString(), 'changed while it was read');
      left -= bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The system's own word for what was opened: a folder on the way may have become a link since it was looked at. */
async function isThisFile(handle: FileHandle, name: Buffer): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const opened = await readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' }).catch(() => null);
  return opened === null || opened.equals(name);
}

function bytesOf(workTree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(workTree), Buffer.from('/'), Buffer.from(path, 'latin1')]);
}

function missingIsNull(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].some((code) => hasErrno(error, code))) return null;
  throw error;
}
