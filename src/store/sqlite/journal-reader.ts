import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { silentLogger } from '../../observability/logger.ts';
import type { Journal, JournalReader } from '../journal.ts';
import { runsFolder } from '../journal-path.ts';
import { readTranscript } from '../transcripts/read-transcript.ts';
import { createUnreadableRows, describeProblem } from './journal-problem.ts';
import { APPLICATION_ID, readPragma, SCHEMA_VERSION } from './migrations.ts';
import { loadSqlite, type OpenDatabase, type SqlDatabase } from './open-database.ts';
import { createTableReader, type TableReader } from './read-tables.ts';
import { describeSqliteError, sqliteCode } from './sqlite-error.ts';

const BUSY_TIMEOUT_MS = 2000;
const CANNOT_OPEN = 14;
const READ_ONLY = 8;

/** What may be read of a journal without being its worker. */
export type OpenedJournal = JournalReader & Pick<Journal, 'loadRecords'>;

/**
 * Opens a journal for looking only, whether or not a worker is writing to it, for one tracker scope or for all in it.
 * Rejects, and its calls throw, with `journal_unreadable` when there is none or it makes no sense. SQLite leaves its
 * lock files behind, unless `leaveNoTrace` is set and nobody has the journal open.
 */
export async function openJournalReader(
  path: string,
  scope: string | null = null,
  { leaveNoTrace = false }: { readonly leaveNoTrace?: boolean } = {},
): Promise<OpenedJournal> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new AppError('journal_unreadable', `There is no journal at ${path}.`, {
      hint: 'It appears when the worker has started once; check the workspace root the workflow names.',
      context: { path },
    });
  }
  const open = await loadSqlite();
  const database = guard(path, () =>
    leaveNoTrace && isAtRest(path) ? openAsItStands(path, open) : openForReading(path, open),
  );
  try {
    guard(path, () => checkVersion(database));
  } catch (error) {
    database.close();
    throw error;
  }
  return createReader(path, database, scope);
}

function createReader(path: string, database: SqlDatabase, scope: string | null): OpenedJournal {
  const folder = runsFolder(path);
  const unreadable = createUnreadableRows(silentLogger);
  const tables = createTableReader(database, { scope, onUnreadable: unreadable.report });
  const read = <T>(work: (tables: TableReader) => T): T => guard(path, () => work(tables));
  return {
    loadRecords: () => read((rows) => rows.records()),
    recentRuns: (limit) => read((rows) => rows.recentRuns(limit)),
    runsOfIssue: (issue, limit = 100) => read((rows) => rows.runsOfIssue(issue, limit)),
    findRun: (idOrPrefix) => read((rows) => rows.findRun(idOrPrefix)),
    recentEvents: (limit) => read((rows) => rows.recentEvents(limit)),
    listActions: (limit) => read((rows) => rows.actions(limit)),
    async runEvents(runId, page) {
      try {
        return await readTranscript(folder, runId, page);
      } catch (error) {
        throw unreadableJournal(folder, messageOf(error), error);
      }
    },
    get status() {
      const problem = describeProblem({
        path,
        folder,
        diskTrouble: null,
        losses: [],
        timelineTrouble: null,
        unreadable: unreadable.rows,
      });
      return { path, ok: true, problem };
    },
    async close() {
      database.close();
    },
  };
}

/** A folder that may not be written to has no room for SQLite's lock files; then the file is taken as it stands. */
function openForReading(path: string, open: OpenDatabase): SqlDatabase {
  try {
    return openAndLook(path, open);
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== CANNOT_OPEN && code !== READ_ONLY) throw error;
    return openAsItStands(path, open);
  }
}

/** True when nobody writes: SQLite removes its log when the last one closes the journal. */
function isAtRest(path: string): boolean {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) === undefined;
}

function openAsItStands(path: string, open: OpenDatabase): SqlDatabase {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return openAndLook(url.href, open);
}

/** SQLite opens a file in earnest only when it is first read. */
function openAndLook(location: string, open: OpenDatabase): SqlDatabase {
  const database = open(location, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    readPragma(database, 'user_version');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkVersion(database: SqlDatabase): void {
  const version = readPragma(database, 'user_version');
  if (readPragma(database, 'application_id') !== APPLICATION_ID)
    throw new Error('it is no journal of a worker');
  if (version > SCHEMA_VERSION) {
    throw new Error(`it has schema ${version}, and this version reads up to ${SCHEMA_VERSION}`);
  }
  if (version < SCHEMA_VERSION) {
    throw new Error(
      `it has the old schema ${version}; a worker of this version brings it up to date when it starts`,
    );
  }
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadableJournal(path, describeSqliteError(error), error);
  }
}

function unreadableJournal(path: string, why: string, cause: unknown): AppError {
  return new AppError('journal_unreadable', `The journal ${path} cannot be read: ${why}.`, {
    hint: 'Look at the worker log: a worker moves a damaged journal aside and begins a new one.',
    context: { path },
    cause,
  });
}
