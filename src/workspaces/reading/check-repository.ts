import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from '../../errors/app-error.ts';
import { unsafeRepository } from '../files/unsafe.ts';
import type { RepositoryLocation } from '../git/location.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** What git opens by name, and how much of it may be there. */
const OWN_FILES: Readonly<Record<string, number>> = { HEAD: 4 * KIB, index: 512 * MIB, commondir: 4 * KIB };
const SHARED_FILES: Readonly<Record<string, number>> = {
  config: MIB,
  'packed-refs': 256 * MIB,
  shallow: 64 * MIB,
  'info/exclude': MIB,
};
const MAX_REFERENCE_BYTES = 4 * KIB;
const MAX_LOOSE_REFERENCES = 20_000;
const MAX_REFERENCE_DEPTH = 100;

/**
 * Looks at every place of a repository that git opens, before git does: plain files of a sensible size in real
 * folders. A pipe would hold git for ever, a link would lead it to another repository of this machine, an endless file
 * would fill the memory. Returns the names of the folders that hold objects. Throws `repository_unsafe`; obeys the signal
 * between two files.
 */
export async function checkRepository(
  { gitDirectory, commonDirectory }: RepositoryLocation,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  for (const [name, limit] of Object.entries(OWN_FILES)) await checkFile(join(gitDirectory, name), limit);
  for (const [name, limit] of Object.entries(SHARED_FILES))
    await checkFile(join(commonDirectory, name), limit);
  for (const entry of await list(gitDirectory)) {
    const name = entry.name.toString();
    if (name.startsWith('sharedindex.')) await checkFile(join(gitDirectory, name), OWN_FILES['index'] ?? 0);
  }
  await checkFolder(join(commonDirectory, 'info'));
  await checkFolder(join(commonDirectory, 'refs'));
  await checkFolder(join(commonDirectory, 'reftable'));
  await checkFlat(join(commonDirectory, 'reftable'));
  await checkReferences(join(commonDirectory, 'refs'), signal);
  await checkFile(join(commonDirectory, 'logs', 'refs', 'stash'), 64 * MIB);
  return checkObjects(join(commonDirectory, 'objects'), signal);
}

async function checkObjects(objects: string, signal?: AbortSignal): Promise<string[]> {
  await checkFolder(objects);
  const names: string[] = [];
  for (const entry of await list(objects)) {
    signal?.throwIfAborted();
    const name = entry.name.toString();
    if (name !== 'pack' && !/^[0-9a-f]{2}$/.test(name)) continue;
    if (!entry.isDirectory()) throw unsafeRepository(join(objects, name), 'is not a folder');
    await checkFlat(join(objects, name));
    names.push(name);
  }
  return names;
}

/**
 * Loose references may be many levels deep; they are counted, so that their number never decides how long this takes.
 * Their names are bytes: git opens one whose name is no text like any other.
 */
async function checkReferences(refs: string, signal?: AbortSignal): Promise<void> {
  let seen = 0;
  const waiting = [{ folder: Buffer.from(refs), depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, depth } = next;
    if (depth > MAX_REFERENCE_DEPTH) throw unsafeRepository(folder.toString(), 'is nested too deep');
    for (const entry of await list(folder)) {
      signal?.throwIfAborted();
      seen += 1;
      if (seen > MAX_LOOSE_REFERENCES) throw unsafeRepository(refs, 'holds too many references');
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) waiting.push({ folder: path, depth: depth + 1 });
      else await checkFile(path, MAX_REFERENCE_BYTES);
    }
  }
}

/** A folder that holds plain files only. */
async function checkFlat(folder: string): Promise<void> {
  for (const entry of await list(folder)) {
    if (!entry.isFile())
      throw unsafeRepository(join(folder, entry.name.toString()), `is ${describeKind(entry)}`);
  }
}

async function checkFolder(path: string): Promise<void> {
  const stats = await look(path);
  if (stats !== null && !stats.isDirectory()) throw unsafeRepository(path, `is ${describeKind(stats)}`);
}

/** A missing file is fine; anything but a plain one of at most `limit` bytes is not. */
export async function checkFile(path: string | Buffer, limit: number): Promise<void> {
  const stats = await look(path);
  if (stats === null) return;
  const name = path.toString();
  if (!stats.isFile()) throw unsafeRepository(name, `is ${describeKind(stats)}`);
  if (stats.size > limit) throw unsafeRepository(name, `is larger than ${limit} bytes`);
}

async function look(path: string | Buffer): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')) return null;
    throw unsafeRepository(path.toString(), 'cannot be looked at');
  }
}

async function list(folder: string | Buffer): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')) return [];
    throw unsafeRepository(folder.toString(), 'cannot be listed');
  }
}

type Kind = Pick<Stats, 'isFIFO' | 'isSocket' | 'isSymbolicLink' | 'isDirectory' | 'isFile'>;

export function describeKind(kind: Kind): string {
  if (kind.isFIFO()) return 'a pipe';
  if (kind.isSocket()) return 'a socket';
  if (kind.isSymbolicLink()) return 'a symbolic link';
  if (kind.isDirectory()) return 'a folder';
  return kind.isFile() ? 'a file' : 'a device';
}
