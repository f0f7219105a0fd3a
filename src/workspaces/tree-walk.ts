import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathKind } from './path-safety.ts';

/** The first symbolic link at or below some places in a directory; null when there is none. */
export async function findLinkBelow(directory: string, places: readonly string[]): Promise<string | null> {
  for (const place of places) {
    const path = join(directory, place);
    const kind = await pathKind(path);
    if (kind === 'symlink') return path;
    if (kind !== 'directory') continue;
    const link = await findLinkBelow(path, await readdir(path));
    if (link !== null) return link;
  }
  return null;
}
