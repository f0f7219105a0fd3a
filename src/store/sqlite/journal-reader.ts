import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { silentLogger } from '../../observability/logger.ts';
import type { Journal, JournalReader } from '../journal.ts';
import { journalPathOf, listJournals, runsFolder, scopeJournalPathOf } from '../journal-path.ts';
import { readTranscript } from '../transcripts/read-transcript.ts';
import { openCopy } from './journal-copy.ts';
import { createUnreadableRows, describeProblem } from './journal-problem.ts';
import { APPLICATION_ID, readPragma, SCHEMA_VERSION } from './migrations.ts';
import { loadSqlite, type SqlDatabase } from './open-database.ts';
import { TableReader } from './read-tables.ts';
import { describeSqliteError } from './sqlite-error.ts';

/** What may be read of a journal without being its worker. */
export type OpenedJournal = JournalReader & Pick<Journal, 'loadRecords'>;

/**
 * Opens a journal for looking only, whether or not a worker is writing to it, for one tracker scope or for all in it: what is
 * read is a copy of this moment. Rejects, and its calls throw, with `journal_unreadable` when there is none or it makes no sense.
 */
export async function openJournalReader(path: string, scope: string | null = null): Promise<OpenedJournal> {
  return openReader([path], scope);
}

/** The same for what a workspace root holds: the journal of a scope, or all that there are. */
export async function openRootReader(root: string, scope: string | null = null): Promise<OpenedJournal> {
  const found = existsSync(dirname(journalPathOf(root))) ? listJournals(root) : [];
  if (scope === null) return openReader(found.length === 0 ? [journalPathOf(root)] : found, scope);
  const own = scopeJournalPathOf(root, scope);
  return openReader([found.includes(own) ? own : journalPathOf(root)], scope);
}

async function openReader(
  [path = '', ...further]: readonly string[],
  scope: string | null,
): Promise<OpenedJournal> {
  if (!existsSync(path)) {
    throw new AppError('journal_unreadable', `There is no journal at ${path}.`, {
      hint: 'It appears when the worker has started once; check the workspace root the workflow names.',
      context: { path },
    });
  }
  const open = await loadSqlite();
  const database = guard(path, () => openCopy(path, open, further));
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
  const tables = new TableReader(database, { scope, onUnreadable: unreadable.report });
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
      return { path, ok: true, problem: describeProblem({ path, folder, unreadable: unreadable.rows }) };
    },
    async close() {
      database.close();
    },
  };
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
