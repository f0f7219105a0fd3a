import { setImmediate } from 'node:timers/promises';
import type { IgnoredItem } from '../../../domain/survey.ts';
import { contentKey } from '../file/read-file.ts';
import type { IssueContent } from '../schema.ts';
import { folderError } from './folder-error.ts';
import { identifyFolder } from './identify-folder.ts';
import type { FolderNames } from './name-index.ts';

export type Entry =
  | {
      readonly kind: 'issue';
      readonly id: string;
      readonly content: IssueContent;
      readonly modifiedAt: string;
    }
  /** A file that is there but is no valid issue. `contentKey` changes with its content. */
  | { readonly kind: 'broken'; readonly id: string; readonly problem: string; readonly contentKey: string };

/** The names in the folder at one moment; each file is read once, when first asked for. */
export interface Listing {
  /** Distinct, `TASK-2` before `TASK-10`; identifiers that clash by case are in it. */
  readonly ids: readonly string[];
  /** Null when there is no such file. */
  load(id: string): Entry | null;
  /** Every entry, in the order of `ids`; files that vanish meanwhile are left out. */
  loadAll(signal?: AbortSignal): Promise<readonly Entry[]>;
  /** The identifier as the folder spells it; null when there is none, or several. */
  resolve(identifier: string): string | null;
  /** Files that look as if they were meant to be issues and whose names no issue can have. */
  readonly strangers: readonly IgnoredItem[];
}

/** How long reading may keep others waiting at a stretch. */
const SLICE_MS = 5;

export function createListing(
  folder: string,
  { ids, strangers, spellings }: FolderNames,
  loadFile: (id: string) => Entry | null,
): Listing {
  const loaded = new Map<string, Entry | null>();

  function load(id: string): Entry | null {
    const known = loaded.get(id);
    if (known !== undefined) return known;
    const clashing = spellings.get(id.toLowerCase()) ?? [];
    if (!clashing.includes(id)) return null;
    const entry = clashing.length > 1 ? clashEntry(id, clashing) : guard(folder, () => loadFile(id));
    loaded.set(id, entry);
    return entry;
  }

  return {
    ids,
    strangers,
    load,
    async loadAll(signal) {
      const entries: Entry[] = [];
      let sliceStart = performance.now();
      for (const id of ids) {
        const entry = load(id);
        if (entry !== null) entries.push(entry);
        if (performance.now() - sliceStart > SLICE_MS) {
          await setImmediate();
          signal?.throwIfAborted();
          sliceStart = performance.now();
        }
      }
      // Files may vanish one by one; a folder that vanished is a failure, not an empty list.
      if (entries.length < ids.length) await identifyFolder(folder);
      return entries;
    },
    resolve(identifier) {
      const found = spellings.get(identifier.toLowerCase()) ?? [];
      if (found.includes(identifier)) return identifier;
      return found.length === 1 ? (found[0] ?? null) : null;
    },
  };
}

/** Turns a failure of the file system into the tracker's error. */
function guard<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Workspaces and case-insensitive disks would mix the two up, so neither counts until one is renamed. */
function clashEntry(id: string, clashing: readonly string[]): Entry {
  const problem = `its name differs only in case from ${clashing.filter((other) => other !== id).join(', ')}`;
  return { kind: 'broken', id, problem, contentKey: contentKey(problem, '') };
}
