import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../domain/clock.ts';
import type { IgnoredItem } from '../../../domain/survey.ts';
import { AppError, hasErrno, messageOf } from '../../../errors/app-error.ts';
import { parseIssueText } from '../file/document.ts';
import { contentKey, readIssueFile, versionOf } from '../file/read-file.ts';
import { asidePath } from '../file/write-file.ts';
import { type IssueContent, isIdentifier } from '../schema.ts';
import { whyNoIssueName } from './not-an-issue.ts';

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
  /** Distinct, in no particular order; identifiers that clash by case are in it. */
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

export interface IssueReader {
  list(): Promise<Listing>;
}

/** How long reading may keep others waiting at a stretch. */
const SLICE_MS = 5;
/** A file changed this recently may change again without its metadata telling (coarse file times): read it anew. */
const UNSETTLED_MS = 2_000;

const FILE_NAME = /^(?<id>[^.].*)\.md$/;
const ASIDE_NAME = /^\.(?<id>.+)\.md\.aside$/;

interface Cached {
  readonly version: string;
  readonly entry: Entry;
  readonly settled: boolean;
}

/** Reads a folder of issue files; parsed files are kept for as long as their metadata stays the same. */
export function createIssueReader(folder: string, clock: Clock = systemClock): IssueReader {
  const cache = new Map<string, Cached>();

  function loadFile(id: string): Entry | null {
    const path = join(folder, `${id}.md`);
    // While it is replaced it is aside; when it is not there either, it is back.
    return loadPath(id, path) ?? loadPath(id, asidePath(path)) ?? loadPath(id, path);
  }

  function loadPath(id: string, path: string): Entry | null {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return null;
    const version = versionOf(stats);
    const known = cache.get(id);
    if (known?.version === version && known.settled) return known.entry;
    const settled = clock.now() - Number(stats.mtimeMs) > UNSETTLED_MS;
    const entry = readEntry(id, path);
    if (entry !== null) cache.set(id, { version, entry, settled });
    return entry;
  }

  return {
    async list() {
      const { ids, strangers } = await readNames(folder);
      const present = new Set(ids);
      for (const id of cache.keys()) if (!present.has(id)) cache.delete(id);
      return createListing(folder, { ids, strangers }, loadFile);
    },
  };
}

function createListing(
  folder: string,
  { ids, strangers }: Names,
  loadFile: (id: string) => Entry | null,
): Listing {
  const spellings = groupByCase(ids);
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
      if (entries.length < ids.length) await readNames(folder);
      return entries;
    },
    resolve(identifier) {
      const found = spellings.get(identifier.toLowerCase()) ?? [];
      if (found.includes(identifier)) return identifier;
      return found.length === 1 ? (found[0] ?? null) : null;
    },
  };
}

function readEntry(id: string, path: string): Entry | null {
  const file = readIssueFile(path);
  if (file.kind === 'gone') return null;
  if (file.kind === 'unusable') {
    return { kind: 'broken', id, problem: file.problem, contentKey: file.contentKey };
  }
  const parsed = parseIssueText(file.text);
  if (!parsed.ok) {
    return { kind: 'broken', id, problem: parsed.problem, contentKey: contentKey(parsed.problem, file.text) };
  }
  return { kind: 'issue', id, content: parsed.value, modifiedAt: new Date(file.modifiedMs).toISOString() };
}

type Names = Pick<Listing, 'ids' | 'strangers'>;

/** Stems of the issue files. Sub-folders, dot files and names that are no identifiers are not issues. */
async function readNames(folder: string): Promise<Names> {
  const items = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw folderError(folder, error);
  });
  const ids = new Set<string>();
  const strangers: IgnoredItem[] = [];
  for (const item of items) {
    const id = FILE_NAME.exec(item.name)?.groups?.['id'] ?? ASIDE_NAME.exec(item.name)?.groups?.['id'];
    if (id !== undefined && isIdentifier(id) && !item.isDirectory()) ids.add(id);
    else {
      const why = whyNoIssueName(item.name, item.isDirectory());
      if (why !== null) strangers.push({ name: item.name, why });
    }
  }
  return { ids: [...ids], strangers };
}

/** Turns a failure of the file system into the tracker's error. */
function guard<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw folderError(folder, error);
  }
}

function folderError(folder: string, error: unknown): AppError {
  if (hasErrno(error, 'ENOENT')) {
    return new AppError('tracker_request', `The issue folder ${folder} does not exist.`, {
      hint: `Create it with "mkdir -p ${folder}", or correct tracker.path in the workflow file.`,
      cause: error,
    });
  }
  if (hasErrno(error, 'ENOTDIR')) {
    return new AppError('tracker_request', `The issue folder ${folder} is not a folder.`, {
      hint: 'Point tracker.path at a folder that holds one Markdown file per issue.',
      cause: error,
    });
  }
  return new AppError('tracker_request', `The issue folder ${folder} cannot be read: ${messageOf(error)}`, {
    hint: 'Check the permissions of the folder and the disk it is on.',
    cause: error,
  });
}

function groupByCase(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const group = groups.get(id.toLowerCase());
    if (group === undefined) groups.set(id.toLowerCase(), [id]);
    else group.push(id);
  }
  return groups;
}

/** Workspaces and case-insensitive disks would mix the two up, so neither counts until one is renamed. */
function clashEntry(id: string, clashing: readonly string[]): Entry {
  const problem = `its name differs only in case from ${clashing.filter((other) => other !== id).join(', ')}`;
  return { kind: 'broken', id, problem, contentKey: contentKey(problem, '') };
}
