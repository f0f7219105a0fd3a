import { pathToFileURL } from 'node:url';

/** The part of `node:sqlite`'s DatabaseSync the journal uses. */
export interface SqlDatabase {
  exec(sql: string): void;
  /** The same text gives the same statement: it must not be iterated twice at a time. */
  prepare(sql: string): SqlStatement;
  close(): void;
}

export type SqlValue = string | number | null;

export interface SqlStatement {
  run(...parameters: SqlValue[]): unknown;
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
  iterate(...parameters: SqlValue[]): IterableIterator<unknown>;
}

export interface OpenOptions {
  /** How long the first statement waits, blocking, for another process that has the file open. */
  readonly timeout?: number;
}

export type OpenDatabase = (path: string, options?: OpenOptions) => SqlDatabase;

type DatabaseConstructor = new (location: string, options: OpenOptions) => SqlDatabase;

/**
 * SQLite as Node has it built in (22.15 and 23.10 and later), else from the package with the same interface. Loaded only when a
 * journal is opened. Rejects on a platform that has neither.
 */
export async function loadSqlite(): Promise<OpenDatabase> {
  const Database = builtInDatabase() ?? (await packagedDatabase());
  return (path, options = {}) => keepStatements(new Database(locationOf(path), options));
}

/**
 * The file is this process's alone for as long as it is open. SQLite then keeps in its own memory what it would share with
 * others through a mapped file beside it (`-shm`): the system ends a process that reads a mapped file where somebody cut it off.
 */
function locationOf(path: string): string {
  const url = pathToFileURL(path);
  url.searchParams.set('vfs', 'unix-excl');
  return url.href;
}

/**
 * Statements are made once and used again. It also bounds how many there are: the package lets go of a closed file
 * only when the garbage collector has taken the last of its statements.
 */
function keepStatements(database: SqlDatabase): SqlDatabase {
  const statements = new Map<string, SqlStatement>();
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close() {
      statements.clear();
      database.close();
    },
  };
}

/** Runs `work` in one write transaction; nothing of it is kept when it throws. */
export function inTransaction<T>(database: SqlDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself, as it does on a full disk.
    }
    throw error;
  }
}

async function packagedDatabase(): Promise<DatabaseConstructor> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  return DatabaseSync;
}

function builtInDatabase(): DatabaseConstructor | null {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // Earlier ones take no file URL.
  if (major < 22 || (major === 22 && minor < 15) || (major === 23 && minor < 10)) return null;
  const sqlite = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite'));
  const database: unknown = sqlite === undefined ? null : Reflect.get(sqlite, 'DatabaseSync');
  return isConstructor(database) ? database : null;
}

function isConstructor(value: unknown): value is DatabaseConstructor {
  return typeof value === 'function';
}

/** Node 22 prints one on first use; the interface used here is the same in every later release. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
