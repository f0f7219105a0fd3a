import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readPragma } from './migrations.ts';
import type { OpenDatabase, SqlDatabase } from './open-database.ts';

const WAL_HEADER_BYTES = 32;
const MAX_TRIES = 20;

/**
 * Opens a copy of a journal as it is at this moment, its log included, whether or not a worker has the journal open: no lock is
 * needed and the folder of the journal is not written to. The rows of further journals are added to it. The copy's files are
 * removed at once and go with the connection.
 */
export function openCopy(path: string, open: OpenDatabase, further: readonly string[] = []): SqlDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-journal-'));
  try {
    const copy = join(folder, 'journal.sqlite');
    copyJournal(path, copy);
    const database = open(copy);
    try {
      // SQLite opens its files in earnest only when it first reads.
      readPragma(database, 'user_version');
      for (const other of further) {
        copyJournal(other, join(folder, basename(other)));
        addRows(database, join(folder, basename(other)));
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addRows(database: SqlDatabase, path: string): void {
  database.prepare('ATTACH ? AS other').run(path);
  for (const table of ['records', 'runs', 'actions', 'transcripts'])
    database.exec(`INSERT OR IGNORE INTO main.${table} SELECT * FROM other.${table}`);
  const columns = 'at, payload, scope, run_id';
  database.exec(`INSERT INTO main.events (${columns})
    SELECT ${columns} FROM other.events EXCEPT SELECT ${columns} FROM main.events`);
  database.exec('DETACH other');
}

/**
 * Copies a journal and its log so that they belong together. SQLite writes to the journal only what is also in the log, until
 * it begins the log anew with another header; so the two fit whenever the header was the same before and after.
 */
export function copyJournal(path: string, target: string): void {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const before = generationOf(path);
    copyFileSync(path, target, constants.COPYFILE_FICLONE);
    rmSync(`${target}-wal`, { force: true });
    if (before.hasLog && existsSync(`${path}-wal`))
      copyFileSync(`${path}-wal`, `${target}-wal`, constants.COPYFILE_FICLONE);
    if (before.name === generationOf(path).name) return;
  }
  throw new Error('it changes faster than it can be copied');
}

/** Which file it is, and which log goes with it; without a log, when it was last written to. */
function generationOf(path: string): { readonly name: string; readonly hasLog: boolean } {
  const { ino, mtimeNs } = statSync(path, { bigint: true });
  const log = readLogHeader(`${path}-wal`);
  return { name: `${ino} ${log ?? mtimeNs}`, hasLog: log !== null };
}

function readLogHeader(path: string): string | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < WAL_HEADER_BYTES) return null;
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, WAL_HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('hex');
}
