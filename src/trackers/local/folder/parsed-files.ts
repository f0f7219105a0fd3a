import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../domain/clock.ts';
import { parseIssueText } from '../file/document.ts';
import { contentKey, readIssueFile, versionOf } from '../file/read-file.ts';
import { asidePath, fileName } from '../file/write-file.ts';
import type { Entry } from './listing.ts';

/** A file changed this recently may change again without its metadata telling (coarse file times): read it anew. */
const UNSETTLED_MS = 2_000;

interface Parsed {
  readonly version: string;
  readonly entry: Entry;
  readonly settled: boolean;
}

/** Issue files as they were last read; each is kept until it is doubted and its metadata differ. */
export class ParsedFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #parsed = new Map<string, Parsed>();
  readonly #doubtful = new Set<string>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Keeps these and looks at each of them again. */
  doubtAll(ids: readonly string[]): void {
    this.#doubtful.clear();
    for (const id of ids) this.#doubtful.add(id);
    for (const id of this.#parsed.keys()) if (!this.#doubtful.has(id)) this.#parsed.delete(id);
  }

  doubt(id: string): void {
    this.#doubtful.add(id);
  }

  forget(id: string): void {
    this.#parsed.delete(id);
    this.#doubtful.delete(id);
  }

  /** Null when there is no such file. */
  load(id: string): Entry | null {
    const known = this.#parsed.get(id);
    if (known !== undefined && !this.#doubtful.has(id)) return known.entry;
    const path = join(this.#folder, fileName(id));
    // While it is replaced it is aside; when it is not there either, it is back.
    return this.#read(id, path) ?? this.#read(id, asidePath(path)) ?? this.#read(id, path);
  }

  #read(id: string, path: string): Entry | null {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return null;
    const version = versionOf(stats);
    const known = this.#parsed.get(id);
    const isSame = known?.version === version && known.settled;
    const settled = isSame || this.#clock.now() - Number(stats.mtimeMs) > UNSETTLED_MS;
    const entry = isSame ? known.entry : readEntry(id, path);
    if (entry === null) return null;
    this.#parsed.set(id, { version, entry, settled });
    if (settled) this.#doubtful.delete(id);
    return entry;
  }
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
