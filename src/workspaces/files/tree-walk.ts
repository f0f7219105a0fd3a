import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind } from './path-safety.ts';
import { unsafeRepository } from './unsafe.ts';

/** More than a git directory has in such places; an agent can make as many as it likes. */
const MAX_ENTRIES = 100_000;
/** What the system takes as a path; an agent can make deeper folders, step by step. */
const MAX_PATH_LENGTH = 3_000;

/**
 * The first symbolic link at or below some places in a directory; null when there is none. Throws `repository_unsafe` when
 * there is more than can be looked at; obeys the signal between two entries.
 */
export async function findLinkBelow(
  directory: string,
  places: readonly string[],
  signal?: AbortSignal,
): Promise<string | null> {
  const waiting = places.map((place) => join(directory, place));
  let seen = 0;
  for (let path = waiting.shift(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted();
    seen += 1;
    if (seen > MAX_ENTRIES) throw unsafeRepository(directory, 'holds too many files to look at');
    if (path.length > MAX_PATH_LENGTH) throw unsafeRepository(`${path.slice(0, 200)}…`, 'is nested too deep');
    const kind = await pathKind(path);
    if (kind === 'symlink') return path;
    if (kind !== 'directory') continue;
    for (const name of await readdir(path)) waiting.push(join(path, name));
  }
  return null;
}
