import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../../errors/app-error.ts';
import { readRefFile } from '../git/read-ref-files.ts';
import type { Mirror, RefMap } from './mirrors.ts';
import { comparePacks } from './pack-record.ts';

/** Mirrors whose refs were read by git, so that what nobody changed since is not asked for again. */
export interface KnownMirrors {
  /** The mirror as it is; null when git is to be asked: nobody here has read it, its refs changed since, or some of it is gone. */
  current(path: string): Promise<Mirror | null>;
  /** Call it with the mirror's lock held. */
  set(mirror: Mirror): Promise<void>;
}

export function createKnownMirrors(): KnownMirrors {
  const known = new Map<string, { readonly mirror: Mirror; readonly stamp: string }>();
  return {
    async current(path) {
      const last = known.get(path);
      if (last === undefined || (await stampOf(path)) !== last.stamp) return null;
      return (await comparePacks(path, last.mirror.identity)).kind === 'as_recorded' ? last.mirror : null;
    },
    async set(mirror) {
      const stamp = await stampOf(mirror.path);
      if (stamp !== null) known.set(mirror.path, { mirror, stamp });
    },
  };
}

/** Changes with every ref: git writes each anew into its folder. Null when something is in the way. */
async function stampOf(path: string): Promise<string | null> {
  try {
    const parts = [await timeOf(join(path, 'packed-refs')).catch(ifMissing(''))];
    const waiting = [join(path, 'refs', 'remotes'), join(path, 'refs', 'tags')];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const time = await timeOf(folder).catch(ifMissing(null));
      if (time === null) continue;
      parts.push(`${folder} ${time}`);
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (entry.isDirectory()) waiting.push(join(folder, entry.name));
    }
    return parts.join('\n');
  } catch {
    return null;
  }
}

async function timeOf(path: string): Promise<string> {
  const { ino, mtimeNs, size } = await lstat(path, { bigint: true });
  return `${ino} ${mtimeNs} ${size}`;
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
