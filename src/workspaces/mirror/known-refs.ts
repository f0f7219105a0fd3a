import { join } from 'node:path';
import { readRegularFile } from '../files/path-safety.ts';
import { readRefFile } from '../git/read-ref-files.ts';
import type { Mirror, RefMap } from './mirrors.ts';
import { comparePacks } from './pack-record.ts';
import { readingPath, servedRefs } from './reading.ts';

const MAX_REFS_BYTES = 64 * 1024 * 1024;

/** Mirrors whose refs were read by git, so that what nobody changed since is not asked for again. */
export interface KnownMirrors {
  /**
   * The mirror as it is; null when nobody here has read it, or another worker changed it since, or some of it is gone: then git is
   * to be asked.
   */
  current(path: string): Promise<Mirror | null>;
  set(mirror: Mirror): void;
}

export function createKnownMirrors(): KnownMirrors {
  const known = new Map<string, Mirror>();
  return {
    async current(path) {
      const mirror = known.get(path);
      if (mirror === undefined) return null;
      // Whoever changes a mirror writes down what agents may read of it, with the mirror's lock held.
      const shown = await readRegularFile(join(readingPath(path), 'packed-refs'), MAX_REFS_BYTES);
      if (
        shown !==
        servedRefs(mirror.refs)
          .map(([name, id]) => `${id} ${name}\n`)
          .join('')
      )
        return null;
      return (await comparePacks(path, mirror.identity)).kind === 'as_recorded' ? mirror : null;
    },
    set: (mirror) => void known.set(mirror.path, mirror),
  };
}

/** What git prints of a fetch besides the refs that it changed: where from, what the remote says, and progress. */
const HARMLESS = /^(From .*|remote: .*|[A-Z][a-z]+(?: [a-z]+)*: .*|POST git-.*)?$/;
const CHANGE = /^ ([ +*t-]) (\[[a-z ]+\]|[0-9a-f]+\.{2,3}[0-9a-f]+) +\S+ +-> (\S+)(?: +\([a-z ]+\))?$/;
const TAG_CHANGES = new Set(['[new tag]', '[tag update]']);

/**
 * The refs of a mirror after a fetch that said this of what it changed; git has seen to it that the objects of those are there.
 * Null when not all of it is understood.
 */
export async function refsAfterFetch(path: string, before: RefMap, said: string): Promise<RefMap | null> {
  const refs = new Map(before);
  for (const line of said.split(/[\r\n]/)) {
    const [, , summary = '', shown = ''] = CHANGE.exec(line) ?? [];
    if (shown === '') {
      if (!HARMLESS.test(line.trimEnd())) return null;
      continue;
    }
    const isTag = TAG_CHANGES.has(summary);
    if (!isTag && !shown.startsWith('origin/')) return null;
    const name = `refs/${isTag ? 'tags' : 'remotes'}/${shown}`;
    const id = summary === '[deleted]' ? null : await readRefFile(path, name);
    if (id !== null) refs.set(name, id);
    else if (summary !== '[deleted]' || !refs.delete(name)) return null;
  }
  return new Map([...refs].sort(([a], [b]) => (a < b ? -1 : 1)));
}
