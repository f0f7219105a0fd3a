import { z } from 'zod';
import { parseForeignJson } from '../../domain/nesting.ts';
import type { RunId } from '../../domain/run-event.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import type { FoundRun, OperatorAction, RunLookup, StoredEvent, TranscriptInfo } from '../journal.ts';
import { endedRunSchema, operatorActionSchema, storedEventSchema } from '../schemas/ended-run.ts';
import { issueRecordSchema } from '../schemas/issue-record.ts';
import type { SqlDatabase, SqlValue } from './open-database.ts';

export type TableName = 'records' | 'runs' | 'events' | 'actions';

/** Told of every row whose content could not be understood; such rows are left out. */
export type OnUnreadable = (table: TableName, key: string, why: string) => void;

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

const IN_SCOPE = `(?1 IS NULL OR scope IN (?1, ''))`;

/** What the tables of a journal hold, as far as it can be understood. */
export class TableReader {
  readonly #database: SqlDatabase;
  readonly #options: TableReaderOptions;

  constructor(database: SqlDatabase, options: TableReaderOptions) {
    this.#database = database;
    this.#options = options;
  }

  records(): IssueRecord[] {
    // The scope's own rows come last, so that they win over those from before there were scopes.
    const sql = `SELECT issue_id AS key, payload FROM records WHERE ${IN_SCOPE} ORDER BY scope, issue_id`;
    return this.#read('records', issueRecordSchema, sql);
  }

  recentRuns(limit: number): EndedRun[] {
    return this.#runs('TRUE', limit);
  }

  runsOfIssue(identifierOrId: string, limit: number): EndedRun[] {
    return this.#runs('(identifier = ?3 COLLATE NOCASE OR issue_id = ?3)', limit, identifierOrId);
  }

  findRun(idOrPrefix: string): RunLookup {
    const runIds = idOrPrefix === '' ? [] : this.#matchingRunIds(idOrPrefix);
    const [runId] = runIds;
    if (runId === undefined) return { kind: 'none' };
    return runIds.length > 1 ? { kind: 'ambiguous', runIds } : { kind: 'found', run: this.#loadRun(runId) };
  }

  recentEvents(limit: number): StoredEvent[] {
    return this.#events('TRUE ORDER BY seq DESC LIMIT ?2', clampLimit(limit));
  }

  actions(limit: number): OperatorAction[] {
    const sql = `SELECT id AS key, payload FROM actions WHERE ${IN_SCOPE} ORDER BY at DESC, rowid DESC LIMIT ?2`;
    return this.#read('actions', operatorActionSchema, sql, clampLimit(limit));
  }

  #read<T>(table: TableName, schema: z.ZodType<T>, sql: string, ...values: SqlValue[]): T[] {
    const { scope, onUnreadable, partial = false } = this.#options;
    const found: T[] = [];
    try {
      for (const row of this.#database.prepare(sql).iterate(scope, ...values)) {
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

  #runs(where: string, limit: number, ...values: SqlValue[]): EndedRun[] {
    const sql = `SELECT run_id AS key, payload FROM runs WHERE ${IN_SCOPE} AND ${where}
                 ORDER BY ended_at DESC, rowid DESC LIMIT ?2`;
    return this.#read('runs', endedRunSchema, sql, clampLimit(limit), ...values);
  }

  #events(which: string, value: SqlValue): StoredEvent[] {
    const sql = `SELECT CAST(seq AS TEXT) AS key, payload FROM events WHERE ${IN_SCOPE} AND ${which}`;
    return this.#read('events', storedEventSchema, sql, value);
  }

  #matchingRunIds(idOrPrefix: string): RunId[] {
    const rows = this.#database
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

  #loadRun(runId: RunId): FoundRun {
    const [ended = null] = this.#runs('run_id = ?3', 1, runId);
    const [event] = this.#events('run_id = ?2 LIMIT 1', runId);
    const identifier = ended?.identifier ?? event?.identifier ?? null;
    return { runId, identifier, ended, transcript: this.#transcriptOf(runId) };
  }

  #transcriptOf(runId: RunId): TranscriptInfo | null {
    const row = this.#database.prepare('SELECT * FROM transcripts WHERE run_id = ?').get(runId);
    if (row === undefined) return null;
    const { first_at, last_at, events, dropped, bytes } = transcriptRow.parse(row);
    return { firstAt: first_at, lastAt: last_at, events, dropped, bytes };
  }
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
