import { z } from 'zod';
import type { IssueId } from '../../domain/issue.ts';
import type { RunId } from '../../domain/run-event.ts';
import type { EndedRun, RuntimeEvent } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import type { OperatorAction, TranscriptInfo } from '../journal.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { inTransaction, type SqlDatabase, type SqlStatement } from './open-database.ts';

const runIdRow = z.object({ run_id: z.string() });

export interface Batch {
  readonly events: readonly RuntimeEvent[];
  readonly transcripts: ReadonlyMap<RunId, TranscriptInfo>;
}

export interface Memory {
  readonly records: readonly IssueRecord[];
  readonly runs: readonly EndedRun[];
  readonly actions: readonly OperatorAction[];
}

/** Every call has committed when it returns, or throws: what it wrote survives the death of this process. */
export interface TableWriter {
  saveRecord(record: IssueRecord): void;
  forgetRecord(issueId: IssueId): void;
  saveRun(run: EndedRun): void;
  saveAction(action: OperatorAction): void;
  writeBatch(batch: Batch): void;
  /** All of it or nothing, and proof that the file can be written even when there is nothing to write. */
  writeBack(memory: Memory): void;
  /** Removes what is older or more than the limits allow; returns the runs that went. */
  prune(limits: PruneLimits): RunId[];
  /** Every run whose end is recorded, whoever recorded it. */
  endedRunIds(): RunId[];
}

export interface PruneLimits {
  /** What ended before this instant goes. */
  readonly before: number;
  readonly maxRuns: number;
  readonly maxEvents: number;
}

export function createTableWriter(database: SqlDatabase, scope: string, now: () => number): TableWriter {
  const record = database.prepare(
    `INSERT INTO records (scope, issue_id, identifier, saved_at, payload) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (scope, issue_id) DO UPDATE
     SET identifier = excluded.identifier, saved_at = excluded.saved_at, payload = excluded.payload`,
  );
  const run = database.prepare(
    `INSERT INTO runs (scope, run_id, issue_id, identifier, ended_at, payload) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET ended_at = excluded.ended_at, payload = excluded.payload`,
  );
  const event = database.prepare('INSERT INTO events (scope, at, run_id, payload) VALUES (?, ?, ?, ?)');
  const action = database.prepare(
    'INSERT INTO actions (id, scope, at, payload) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const transcript = prepareTranscript(database);

  function saveRecord(value: IssueRecord): void {
    record.run(scope, value.issueId, value.identifier, instant(now()), JSON.stringify(value));
  }
  function saveRun(value: EndedRun): void {
    run.run(
      scope,
      value.runId,
      value.issueId,
      value.identifier,
      instant(value.endedAt),
      JSON.stringify(value),
    );
  }
  function saveAction(value: OperatorAction): void {
    action.run(value.id, scope, instant(value.at), JSON.stringify(value));
  }

  return {
    saveRecord,
    forgetRecord: (issueId) =>
      void database
        .prepare(`DELETE FROM records WHERE scope IN (?, '') AND issue_id = ?`)
        .run(scope, issueId),
    saveRun,
    saveAction,
    writeBatch({ events, transcripts }) {
      inTransaction(database, () => {
        for (const value of events) event.run(scope, instant(value.at), value.runId, JSON.stringify(value));
        for (const [runId, { firstAt, lastAt, ...info }] of transcripts) {
          transcript.run(runId, instant(firstAt), instant(lastAt), info.events, info.dropped, info.bytes);
        }
      });
    },
    writeBack({ records, runs, actions }) {
      inTransaction(database, () => {
        database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
        for (const value of records) saveRecord(value);
        for (const value of runs) saveRun(value);
        for (const value of actions) saveAction(value);
      });
    },
    prune: (limits) => inTransaction(database, () => prune(database, limits)),
    endedRunIds: () => runIds(database.prepare('SELECT run_id FROM runs').all()),
  };
}

function prepareTranscript(database: SqlDatabase): SqlStatement {
  return database.prepare(
    `INSERT INTO transcripts (run_id, first_at, last_at, events, dropped, bytes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET last_at = excluded.last_at, events = excluded.events,
       dropped = excluded.dropped, bytes = excluded.bytes`,
  );
}

function prune(database: SqlDatabase, { before, maxRuns, maxEvents }: PruneLimits): RunId[] {
  const cutoff = instant(before);
  const gone = database
    .prepare(
      `DELETE FROM runs WHERE ended_at < ?1
         OR run_id IN (SELECT run_id FROM runs ORDER BY ended_at DESC LIMIT -1 OFFSET ?2)
       RETURNING run_id`,
    )
    .all(cutoff, maxRuns);
  database.exec(
    `DELETE FROM transcripts WHERE last_at < ${cutoff} AND run_id NOT IN (SELECT run_id FROM runs)`,
  );
  const forget = database.prepare('DELETE FROM transcripts WHERE run_id = ?');
  for (const runId of runIds(gone)) forget.run(runId);
  database
    .prepare('DELETE FROM events WHERE at < ?1 OR seq <= (SELECT max(seq) FROM events) - ?2')
    .run(cutoff, maxEvents);
  database.prepare('DELETE FROM actions WHERE at < ?').run(cutoff);
  return runIds(gone);
}

function runIds(rows: readonly unknown[]): RunId[] {
  return rows.map((row) => runIdRow.parse(row).run_id);
}

/** The columns are strict: a fraction or NaN would be refused. */
function instant(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
