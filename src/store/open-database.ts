/** The part of `node:sqlite`'s DatabaseSync the journal uses. */
export interface SqlDatabase {
  exec(sql: string): void;
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
  readonly readOnly?: boolean;
  /** How long a statement waits, blocking, for another process's write. */
  readonly timeout?: number;
}

export type OpenDatabase = (location: string, options?: OpenOptions) => SqlDatabase;

type DatabaseConstructor = new (location: string, options: OpenOptions) => SqlDatabase;

/**
 * SQLite as Node has it built in (22.13 and later), else from the package with the same interface. Loaded only when a
 * journal is opened. Rejects on a platform that has neither.
 */
export async function loadSqlite(): Promise<OpenDatabase> {
  const Database = builtInDatabase() ?? (await packagedDatabase());
  return (location, options = {}) => new Database(location, options);
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
  if (major < 22 || (major === 22 && minor < 13)) return null;
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
