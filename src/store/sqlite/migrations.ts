import { inTransaction, type SqlDatabase } from './open-database.ts';

/** Marks a SQLite file as a journal ("aiop" in ASCII). */
export const APPLICATION_ID = 0x61696f70;

/**
 * One entry per schema version, applied in order and each in a transaction of its own. An entry that was released is
 * never edited: a change is a new entry. Added fields of a payload need none: payloads are JSON, read leniently.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE records (
     issue_id TEXT PRIMARY KEY,
     identifier TEXT NOT NULL,
     saved_at INTEGER NOT NULL,
     payload TEXT NOT NULL
   ) STRICT;
   CREATE TABLE runs (
     run_id TEXT PRIMARY KEY,
     issue_id TEXT NOT NULL,
     identifier TEXT NOT NULL,
     ended_at INTEGER NOT NULL,
     payload TEXT NOT NULL
   ) STRICT;
   CREATE INDEX runs_by_end ON runs (ended_at);
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     payload TEXT NOT NULL
   ) STRICT;
   CREATE INDEX events_by_time ON events (at);`,

  // Workers of several tracker scopes may share a root, and their issue ids may be equal.
  `CREATE TABLE scoped_records (
     scope TEXT NOT NULL,
     issue_id TEXT NOT NULL,
     identifier TEXT NOT NULL,
     saved_at INTEGER NOT NULL,
     payload TEXT NOT NULL,
     PRIMARY KEY (scope, issue_id)
   ) STRICT;
   INSERT INTO scoped_records SELECT '', issue_id, identifier, saved_at, payload FROM records;
   DROP TABLE records;
   ALTER TABLE scoped_records RENAME TO records;
   ALTER TABLE runs ADD COLUMN scope TEXT NOT NULL DEFAULT '';
   CREATE INDEX runs_by_issue ON runs (issue_id, ended_at);
   CREATE INDEX runs_by_identifier ON runs (identifier COLLATE NOCASE, ended_at);
   ALTER TABLE events ADD COLUMN scope TEXT NOT NULL DEFAULT '';
   ALTER TABLE events ADD COLUMN run_id TEXT;
   CREATE INDEX events_by_run ON events (run_id) WHERE run_id IS NOT NULL;
   CREATE TABLE actions (
     id TEXT PRIMARY KEY,
     scope TEXT NOT NULL,
     at INTEGER NOT NULL,
     payload TEXT NOT NULL
   ) STRICT;
   CREATE INDEX actions_by_time ON actions (at);
   CREATE TABLE transcripts (
     run_id TEXT PRIMARY KEY,
     first_at INTEGER NOT NULL,
     last_at INTEGER NOT NULL,
     events INTEGER NOT NULL,
     dropped INTEGER NOT NULL,
     bytes INTEGER NOT NULL
   ) STRICT;`,
];

export const SCHEMA_VERSION = STEPS.length;

/** Brings the schema to `SCHEMA_VERSION`; returns the version it found, 0 for a new file. */
export function migrate(database: SqlDatabase): number {
  const found = readPragma(database, 'user_version');
  while (readPragma(database, 'user_version') < SCHEMA_VERSION) {
    inTransaction(database, () => {
      // Another process may have done this step while this one waited for the lock.
      const version = readPragma(database, 'user_version');
      database.exec(STEPS[version] ?? '');
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.exec(`PRAGMA user_version = ${Math.min(version + 1, SCHEMA_VERSION)}`);
    });
  }
  return found;
}

type NumberPragma = 'user_version' | 'application_id' | 'page_count';

export function readPragma(database: SqlDatabase, name: NumberPragma): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, name) : null;
  return typeof value === 'number' ? value : 0;
}
