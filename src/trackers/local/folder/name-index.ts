import { compareNaturally } from '../../../domain/natural-order.ts';
import type { IgnoredItem } from '../../../domain/survey.ts';
import { isIdentifier } from '../schema.ts';
import { whyNoIssueName } from './not-an-issue.ts';

/** The names in a folder of issues. */
export interface FolderNames {
  /** Distinct, `TASK-2` before `TASK-10`; identifiers that clash by case are in it. */
  readonly ids: readonly string[];
  /** Files that look as if they were meant to be issues and whose names no issue can have. */
  readonly strangers: readonly IgnoredItem[];
  /** The identifiers by their lower-case spelling. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
}

interface Item {
  isDirectory(): boolean;
}

const FILE_NAME = /^(?<id>[^.].*)\.md$/;
const ASIDE_NAME = /^\.(?<id>.+)\.md\.aside$/;

/** Which names there are, kept up to date by single changes. */
export class NameIndex {
  /** How many files an issue has: its own, and the one aside while it is replaced. */
  readonly #files = new Map<string, Set<string>>();
  readonly #strangers = new Map<string, IgnoredItem>();
  #current: FolderNames | null = null;

  replace(items: readonly (Item & { readonly name: string })[]): void {
    this.#files.clear();
    this.#strangers.clear();
    this.#current = null;
    for (const item of items) this.set(item.name, item);
  }

  /** Notes what a name stands for now, null for nothing; gives the issue it may belong to. */
  set(name: string, item: Item | null): string | null {
    const id = issueOf(name);
    if (id !== null) this.#setFile(id, name, item !== null && !item.isDirectory());
    const why =
      item === null || (id !== null && !item.isDirectory()) ? null : whyNoIssueName(name, item.isDirectory());
    if (why !== null) this.#strangers.set(name, { name, why });
    if (why !== null || this.#strangers.delete(name)) this.#current = null;
    return id;
  }

  has(id: string): boolean {
    return this.#files.has(id);
  }

  current(): FolderNames {
    this.#current ??= this.#make();
    return this.#current;
  }

  #setFile(id: string, name: string, isThere: boolean): void {
    const files = this.#files.get(id) ?? new Set<string>();
    if (isThere) files.add(name);
    else files.delete(name);
    if (this.#files.has(id) === files.size > 0) return;
    if (files.size > 0) this.#files.set(id, files);
    else this.#files.delete(id);
    this.#current = null;
  }

  #make(): FolderNames {
    const ids = [...this.#files.keys()].sort(compareNaturally);
    return { ids, strangers: [...this.#strangers.values()], spellings: groupByCase(ids) };
  }
}

/** Sub-folders, dot files and names that are no identifiers are not issues. */
function issueOf(name: string): string | null {
  const id = FILE_NAME.exec(name)?.groups?.['id'] ?? ASIDE_NAME.exec(name)?.groups?.['id'];
  return id !== undefined && isIdentifier(id) ? id : null;
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
