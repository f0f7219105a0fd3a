import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../domain/clock.ts';
import { ifMissing } from '../../../errors/app-error.ts';
import { fileName } from '../file/write-file.ts';
import { isIdentifier } from '../schema.ts';
import { FolderChanges } from './folder-changes.ts';
import { folderError } from './folder-error.ts';
import { identifyFolder } from './identify-folder.ts';
import { createListing, type Listing } from './listing.ts';
import { NameIndex } from './name-index.ts';
import { ParsedFiles } from './parsed-files.ts';

export interface IssueReader {
  /** `recheck` are issues whose files are looked at in any case. */
  list(recheck?: readonly string[]): Promise<Listing>;
}

/** Events of a file system can be lost; after this long everything is looked at again. */
const MAX_TRUST_MS = 5 * 60_000;

/** Reads a folder of issue files; while it is watched, only what changed. */
export function createIssueReader(
  folder: string,
  clock: Clock = systemClock,
  changes: FolderChanges = new FolderChanges(),
): IssueReader {
  const names = new NameIndex();
  const files = new ParsedFiles(folder, clock);
  let readAllAt = Number.NEGATIVE_INFINITY;
  let known: string | null = null;
  let lastUpdate: Promise<void> = Promise.resolve();

  async function readAll(): Promise<void> {
    readAllAt = clock.elapsed();
    names.replace(await readdir(folder, { withFileTypes: true }));
    files.doubtAll(names.current().ids);
  }

  async function readChanged(changed: ReadonlySet<string>): Promise<void> {
    for (const name of changed) {
      const item = await lstat(join(folder, name)).catch(ifMissing(null));
      const id = names.set(name, item);
      if (id === null) continue;
      if (names.has(id)) files.doubt(id);
      else files.forget(id);
    }
  }

  async function update(recheck: readonly string[]): Promise<void> {
    // What happened before this call is told before it goes on.
    await setImmediate();
    const found = await identifyFolder(folder);
    const changed = changes.take();
    const isTrusted = found === known && clock.elapsed() - readAllAt <= MAX_TRUST_MS;
    try {
      if (changed === null || !isTrusted) await readAll();
      else await readChanged(new Set([...changed, ...recheck.filter(isIdentifier).map(fileName)]));
      known = found;
    } catch (error) {
      changes.doubtAll();
      throw folderError(folder, error);
    }
  }

  return {
    async list(recheck = []) {
      const updated = lastUpdate.then(() => update(recheck));
      lastUpdate = updated.catch(() => {});
      await updated;
      return createListing(folder, names.current(), (id) => files.load(id));
    },
  };
}
