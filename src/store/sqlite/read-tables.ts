import { z } from 'zod';
import { parseForeignJson } from '../../domain/nesting.ts';
import type { RunId } from '../../domain/run-event.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import type { FoundRun, OperatorAction, RunLookup, StoredEvent, TranscriptInfo } from '../journal.ts';
import type { SqlDatabase, SqlValue } from './open-database.ts';
import { endedRunSchema, operatorActionSchema, storedEventSchema } from './schemas/ended-run.ts';
import { issueRecordSchema } from './schemas/issue-record.ts';

export type TableName = 'records' | 'runs' | 'events' | 'actions';

/** Told of every row whose content could not be understood; such rows are left out. */
export type OnUnreadable = (table: TableName, key: string, why: string) => void;

export interface TableReader {
  records(): IssueRecord[];
  recentRuns(limit: number): EndedRun[];
  runsOfIssue(identifierOrId: string, limit: number): EndedRun[];
  findRun(idOrPrefix: string): RunLookup;
  recentEvents(limit: number): StoredEvent[];
  actions(limit: number): OperatorAction[];
}

const MAX_LISTED_MATCHES = 10;
const payloadRow = z.object({ key: z.string(), payload: z.string() });
const runIdRow = z.object({ run_id: z.string() });
const transcriptRow = z.object({
  first_at: z.number(),
  last_at: z.number(),
  events: z.number(),
  dropped: z.number(),
  bytes: z.number(),
});

export interface TableReaderOptions {
  /** Whose rows; null means everybody's. Rows from before there were scopes belong to each. */
  readonly scope: string | null;
  readonly onUnreadable: OnUnreadable;
  /** For a damaged file: a listing that breaks off gives what it gave so far. */
  readonly partial?: boolean;
}

export function createTableReader(database: SqlDatabase, options: TableReaderOptions): TableReader {
  const { scope, onUnreadable, partial = false } = options;
  const inScope = `(?1 IS NULL OR scope IN (?1, ''))`;

  function read<T>(table: TableName, schema: z.ZodType<T>, sql: string, ...values: SqlValue[]): T[] {
    const found: T[] = [];
    try {
      for (const row of database.prepare(sql).iterate(scope, ...values)) {
        const { key, payload } = payloadRow.parse(row);
        const parsed = schema.safeParse(parseJson(payload));
        if (parsed.success) found.push(parsed.data);
        else onUnreadable(table, key, describeIssue(parsed.error));
      }
    } catch (error) {
      if (!partial) throw error;
    }
    return found;
  }

  function runs(where: string, limit: number, ...values: SqlValue[]): EndedRun[] {
    const sql = `SELECT run_id AS key, payload FROM runs WHERE ${inScope} AND ${where}
                 ORDER BY ended_at DESC, rowid DESC LIMIT ?2`;
    return read('runs', endedRunSchema, sql, clampLimit(limit), ...values);
  }

  function matchingRunIds(idOrPrefix: string): RunId[] {
    const rows = database
      .prepare(
        `SELECT run_id FROM (SELECT run_id FROM runs UNION SELECT run_id FROM transcripts
           UNION SELECT run_id FROM events WHERE run_id IS NOT NULL)
         WHERE substr(run_id, 1, length(?1)) = ?1
         ORDER BY run_id = ?1 DESC, run_id LIMIT ?2`,
      )
      .all(idOrPrefix, MAX_LISTED_MATCHES)
      .map((row) => runIdRow.parse(row).run_id);
    return rows[0] === idOrPrefix ? rows.slice(0, 1) : rows;
  }

  function transcriptOf(runId: RunId): TranscriptInfo | null {
    const row = database.prepare('SELECT * FROM transcripts WHERE run_id = ?').get(runId);
    if (row === undefined) return null;
    const { first_at, last_at, events, dropped, bytes } = transcriptRow.parse(row);
    return { firstAt: first_at, lastAt: last_at, events, dropped, bytes };
  }

  function loadRun(runId: RunId): FoundRun {
    const [ended = null] = runs('run_id = ?3', 1, runId);
    const [event] = read(
      'events',
      storedEventSchema,
      `SELECT CAST(seq AS TEXT) AS key, payload FROM events WHERE ${inScope} AND run_id = ?2 LIMIT 1`,
      runId,
    );
    const identifier = ended?.identifier ?? event?.identifier ?? null;
    return { runId, identifier, ended, transcript: transcriptOf(runId) };
  }

  return {
    records: () =>
      read(
        'records',
        issueRecordSchema,
        // The scope's own rows come last, so that they win over those from before there were scopes.
        `SELECT issue_id AS key, payload FROM records WHERE ${inScope} ORDER BY scope, issue_id`,
      ),
    recentRuns: (limit) => runs('TRUE', limit),
    runsOfIssue: (issue, limit) => runs('(identifier = ?3 COLLATE NOCASE OR issue_id = ?3)', limit, issue),
    findRun(idOrPrefix) {
      const runIds = idOrPrefix === '' ? [] : matchingRunIds(idOrPrefix);
      const [runId] = runIds;
      if (runId === undefined) return { kind: 'none' };
      return runIds.length > 1 ? { kind: 'ambiguous', runIds } : { kind: 'found', run: loadRun(runId) };
    },
    recentEvents: (limit) =>
      read(
        'events',
        storedEventSchema,
        `SELECT CAST(seq AS TEXT) AS key, payload FROM events WHERE ${inScope} ORDER BY seq DESC LIMIT ?2`,
        clampLimit(limit),
      ),
    actions: (limit) =>
      read(
        'actions',
        operatorActionSchema,
        `SELECT id AS key, payload FROM actions WHERE ${inScope} ORDER BY at DESC, rowid DESC LIMIT ?2`,
        clampLimit(limit),
      ),
  };
}

function clampLimit(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : Number.MAX_SAFE_INTEGER;
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'payload'}: ${issue.message}`;
}
