const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** Too big, constraint, mismatch, misuse, range: the statement's fault, whatever the disk. */
const STATEMENT_FAULTS = new Set([1, 18, 19, 20, 21, 25]);

/** What SQLite's result codes mean for somebody who has to act on them. */
const MEANINGS: Readonly<Record<number, string>> = {
  5: 'another process holds it locked',
  6: 'another process holds it locked',
  8: 'the file or its disk is read-only',
  10: 'the disk reports an error',
  11: 'the file is damaged',
  13: 'the disk is full',
  14: 'the file cannot be opened',
  26: 'the file is not a SQLite database',
};

/** The primary result code of an error SQLite raised; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** True when the file or disk is at fault; false when what was to be written, or the code, is. */
export function isDiskTrouble(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== null) return !STATEMENT_FAULTS.has(code);
  return error instanceof Error && 'syscall' in error;
}

/** One clause: what is wrong with the file. */
export function describeSqliteError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const meaning = MEANINGS[sqliteCode(error) ?? -1];
  return meaning === undefined ? text : `${meaning} (${text})`;
}
