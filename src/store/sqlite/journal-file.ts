import { closeSync, lstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../errors/app-error.ts';
import { makeFolder } from '../make-folder.ts';
import { APPLICATION_ID, migrate, readPragma, SCHEMA_VERSION } from './migrations.ts';
import type { OpenDatabase, SqlDatabase } from './open-database.ts';
import { describeSqliteError, isCorruption } from './sqlite-error.ts';

/**
 * `damaged`: SQLite cannot make sense of the file. `refused`: a file this version must not touch. `unavailable`: the
 * disk does not let us, which may pass.
 */
export type FailureKind = 'damaged' | 'refused' | 'unavailable';

export class JournalFileError extends Error {
  override readonly name = 'JournalFileError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export interface JournalFile {
  readonly database: SqlDatabase;
  /** True when the path no longer leads to the file that was opened. */
  replaced(): boolean;
  /** Leaves everything in the one file, as far as the disk lets it. */
  close(): void;
  /** Lets go of a file that gave trouble. */
  abandon(): void;
}

/** Nobody else has the file while a worker runs; before that it may be a backup or a person with a SQL shell. */
const BUSY_TIMEOUT_MS = 1000;
const MIN_DATABASE_BYTES = 512;

/** Opens or creates the journal file, checks it and brings its schema up to date. Throws a JournalFileError. */
export function openJournalFile(path: string, open: OpenDatabase): JournalFile {
  try {
    prepareFile(path);
    refuseForeign(readHeader(path));
    const database = open(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      refuseForeign(lookInside(database));
      database.exec('PRAGMA journal_mode = WAL');
      // A commit does not wait for the disk: see wal-sync.ts.
      database.exec('PRAGMA synchronous = NORMAL');
      database.exec('PRAGMA journal_size_limit = 16777216');
      checkIntegrity(database);
      migrate(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return heldFile(path, database);
  } catch (error) {
    throw asFileError(error);
  }
}

export function asFileError(error: unknown): JournalFileError {
  if (error instanceof JournalFileError) return error;
  const kind = isCorruption(error) ? 'damaged' : 'unavailable';
  return new JournalFileError(kind, describeSqliteError(error), error);
}

/** Moves a damaged file and what SQLite keeps beside it out of the way; returns where to. */
export function moveAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  let target = `${path}.corrupt-${stamp}`;
  for (let copy = 2; exists(target); copy += 1) target = `${path}.corrupt-${stamp}-${copy}`;
  renameSync(path, target);
  for (const suffix of ['-wal', '-shm']) {
    if (exists(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  return target;
}

/** Agents' words end up in the journal, so only its owner may read it. */
function prepareFile(path: string): void {
  try {
    makeFolder(dirname(path));
    const found = exists(path) ? statSync(path) : null;
    if (found !== null && !found.isFile()) {
      throw new JournalFileError('unavailable', 'something that is not a file has its name');
    }
    // SQLite would take so short a file for an empty database and write over it.
    if (found !== null && found.size > 0 && found.size < MIN_DATABASE_BYTES) {
      throw new JournalFileError('damaged', `the file is damaged (only ${found.size} bytes are left)`);
    }
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    if (error instanceof JournalFileError) throw error;
    throw new JournalFileError('unavailable', messageOf(error), error);
  }
}

interface FileFacts {
  readonly version: number;
  readonly application: number;
  readonly pages: number;
}

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/** What the file itself says. To open a file for writing would already change it, so that one of somebody else is not opened. */
function readHeader(path: string): FileFacts | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  return {
    pages: header.readUInt32BE(28),
    version: header.readUInt32BE(60),
    application: header.readUInt32BE(68),
  };
}

/** The same with what is only in the log yet. */
function lookInside(database: SqlDatabase): FileFacts {
  return {
    pages: readPragma(database, 'page_count'),
    version: readPragma(database, 'user_version'),
    application: readPragma(database, 'application_id'),
  };
}

function refuseForeign(facts: FileFacts | null): void {
  if (facts === null) return;
  const { version, application, pages } = facts;
  if (application !== APPLICATION_ID && (pages > 1 || version > 0)) {
    throw new JournalFileError('refused', 'the file is a database of another program');
  }
  if (version > SCHEMA_VERSION) {
    throw new JournalFileError(
      'refused',
      `the file has schema ${version}, written by a newer version; this one knows ${SCHEMA_VERSION}`,
    );
  }
}

function checkIntegrity(database: SqlDatabase): void {
  const [row] = database.prepare('PRAGMA quick_check(1)').all();
  const verdict: unknown = typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined;
  if (verdict !== 'ok')
    throw new JournalFileError('damaged', `the file is damaged (${String(verdict).trim()})`);
}

function heldFile(path: string, database: SqlDatabase): JournalFile {
  const opened = statSync(path);
  return {
    database,
    replaced() {
      const current = statSync(path, { throwIfNoEntry: false });
      return current === undefined || current.ino !== opened.ino || current.dev !== opened.dev;
    },
    close() {
      try {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } finally {
        database.close();
      }
    },
    abandon: () => database.close(),
  };
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
