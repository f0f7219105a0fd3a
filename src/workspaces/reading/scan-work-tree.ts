import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isBelow } from '../../process/inside-folder.ts';
import { unsafeRepository } from '../files/unsafe.ts';
import { locateRepository } from '../git/location.ts';
import { checkFile, checkRepository, describeKind } from './check-repository.ts';

const MAX_ENTRIES = 5_000_000;
const MAX_RULES_BYTES = 16 * 1024 * 1024;
const MAX_NESTED = 200;
/** What the system takes as a path; an agent can make deeper folders, step by step. */
const MAX_PATH_BYTES = 4_000;
/** Folders listed at the same time. */
const READERS = 16;

/** Files in which git looks for rules while it walks a work tree. It follows no link to the first two. */
const RULES = new Set(['.gitignore', '.gitattributes', '.gitmodules']);

export interface WorkTree {
  readonly path: string;
  /** Nothing in the tree may lead git out of this folder; the workspace. */
  readonly boundary: string;
}

/**
 * Walks a work tree before git does and looks at what git would open on its way: rules, and the repositories inside.
 * Names are bytes. Gives how many repositories are inside. Throws `repository_unsafe`; obeys the signal between two
 * folders.
 */
export async function scanWorkTree({ path, boundary }: WorkTree, signal?: AbortSignal): Promise<number> {
  const root = Buffer.from(path).toString('latin1');
  const waiting = [root];
  const found = { entries: 0, nested: 0 };

  async function visit(folder: string): Promise<void> {
    signal?.throwIfAborted();
    const entries = await list(folder);
    found.entries += entries.length;
    if (found.entries > MAX_ENTRIES) throw unsafeRepository(path, 'holds too many files to look at');
    for (const entry of entries) if (RULES.has(entry.name)) await checkRules(folder, entry);
    if (folder !== root && entries.some(({ name }) => name === '.git')) {
      found.nested += 1;
      if (found.nested > MAX_NESTED) throw unsafeRepository(path, 'holds too many repositories');
      await checkNested(folder, boundary, signal);
    }
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(`${folder}/${entry.name}`);
    }
  }

  const read = async (): Promise<void> => {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) await visit(folder);
  };
  // Few folders wait at first: readers that found none are started again.
  while (waiting.length > 0) await Promise.all(Array.from({ length: READERS }, read));
  return found.nested;
}

async function list(folder: string): Promise<Dirent[]> {
  if (folder.length > MAX_PATH_BYTES)
    throw unsafeRepository(`${folder.slice(0, 200)}…`, 'is nested too deep');
  try {
    return await readdir(Buffer.from(folder, 'latin1'), { withFileTypes: true, encoding: 'latin1' });
  } catch (error) {
    throw unsafeRepository(`${folder.slice(0, 200)}`, `cannot be listed (${String(error).slice(0, 100)})`);
  }
}

async function checkRules(folder: string, entry: Dirent): Promise<void> {
  if (entry.isDirectory()) return;
  const path = `${folder}/${entry.name}`;
  if (entry.isSymbolicLink() && entry.name !== '.gitmodules') return;
  if (!entry.isFile()) throw unsafeRepository(path, `is ${describeKind(entry)}`);
  await checkFile(Buffer.from(path, 'latin1'), MAX_RULES_BYTES);
}

/** One whose name is no text is not read, since not every tool of git could name it again. */
async function checkNested(folder: string, boundary: string, signal?: AbortSignal): Promise<void> {
  const name = Buffer.from(folder, 'latin1').toString('utf8');
  if (Buffer.from(name).toString('latin1') !== folder)
    throw unsafeRepository(name, 'is a repository whose name is not UTF-8');
  const location = await locateRepository(name);
  if (location === null) {
    // Neither a folder nor a file that names one.
    await checkFile(`${name}/.git`, MAX_RULES_BYTES);
    return;
  }
  for (const place of [location.gitDirectory, location.commonDirectory]) {
    if (!isBelow(place, boundary)) throw unsafeRepository(name, `has its repository elsewhere: ${place}`);
  }
  await checkRepository(location, signal);
}
