import { randomUUID } from 'node:crypto';
import { backgroundClock, type Clock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Journal } from '../journal.ts';
import { runsFolder } from '../journal-path.ts';
import { createMemoryJournal } from '../memory/memory-journal.ts';
import { readTranscript } from '../transcripts/read-transcript.ts';
import { Transcripts } from '../transcripts/transcripts.ts';
import { DiskLink } from './disk-link.ts';
import { createEventBatch } from './event-batch.ts';
import { createJournalBackup, type Tables } from './journal-backup.ts';
import { createUnreadableRows, describeProblem } from './journal-problem.ts';
import { loadSqlite, type OpenDatabase } from './open-database.ts';
import type { TableReader } from './read-tables.ts';
import { DEFAULT_RETENTION, pruneDaily, type Retention } from './retention.ts';
import { createWalSync } from './wal-sync.ts';
import type { Batch, TableWriter } from './write-tables.ts';

export interface JournalOptions {
  /** Absolute; folders are created. Timelines go to `runs/` beside it. */
  readonly path: string;
  readonly logger: Logger;
  /** The tracker scope: workers of several scopes may share a file, and their issue ids may be equal. */
  readonly scope?: string;
  /** Asked for each time it is applied: when the journal is opened, then daily. */
  readonly retention?: () => Retention;
  /** For tests; real time, with timers that keep no process alive, unless given. */
  readonly clock?: Clock;
}

/** Opens the durable journal. Never rejects: what keeps it from the disk is in its `status`. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  try {
    return createSqliteJournal(options, await loadSqlite());
  } catch (error) {
    options.logger.error('SQLite cannot be loaded; the worker remembers in memory only', {
      error: messageOf(error),
    });
    return createMemoryJournal(
      `SQLite cannot be loaded (${messageOf(error)}). The worker goes on; budgets, waits and outcomes are forgotten when it stops.`,
    );
  }
}

function createSqliteJournal(options: JournalOptions, open: OpenDatabase): Journal {
  const parts = openParts(options, open);
  const { path, folder, link, transcripts } = parts;
  const stopPruning = pruneDaily(parts);
  return {
    ...reading(parts),
    ...writing(parts),
    get status() {
      const { trouble: diskTrouble, losses } = link;
      const timelineTrouble = transcripts.trouble;
      const unreadable = parts.unreadable.rows;
      return {
        path,
        ok: diskTrouble === null && timelineTrouble === null,
        problem: describeProblem({ path, folder, diskTrouble, losses, timelineTrouble, unreadable }),
      };
    },
    async close() {
      parts.closed = true;
      stopPruning();
      await transcripts.close();
      parts.batch.close();
      await parts.walSync.close();
      link.close();
    },
  };
}

type Parts = ReturnType<typeof openParts>;

function openParts(options: JournalOptions, open: OpenDatabase) {
  const { path, logger, scope = '', retention = () => DEFAULT_RETENTION, clock = backgroundClock } = options;
  const folder = runsFolder(path);
  const unreadable = createUnreadableRows(logger);
  const kept = createJournalBackup({ open, scope, now: () => clock.now(), onUnreadable: unreadable.report });
  const link = new DiskLink({ path, open, clock, logger, attach: kept.attach, salvage: kept.salvage });
  const batch = createEventBatch({ clock, write: (rows) => writeBatch(link, rows) });
  const transcripts = new Transcripts({ folder, clock, logger, onWritten: batch.addTranscript });
  const walSync = createWalSync(path, clock, logger);
  const closed = false as boolean;
  return {
    path,
    folder,
    clock,
    logger,
    retention,
    unreadable,
    kept,
    link,
    batch,
    transcripts,
    walSync,
    closed,
  };
}

/** Memory answers for the file while the disk is away. */
function reading({ folder, kept: { memory }, link, batch, transcripts }: Parts) {
  const read = <T>(fromFile: (reader: TableReader) => T): T | undefined =>
    link.attempt(({ reader }) => fromFile(reader));
  return {
    loadRecords: memory.loadRecords,
    recentRuns: (limit) => read((file) => file.recentRuns(limit)) ?? memory.recentRuns(limit),
    runsOfIssue: (issue, limit = 100) =>
      read((file) => file.runsOfIssue(issue, limit)) ?? memory.runsOfIssue(issue, limit),
    findRun(idOrPrefix) {
      batch.flush();
      return read((file) => file.findRun(idOrPrefix)) ?? memory.findRun(idOrPrefix);
    },
    async runEvents(runId, page) {
      await transcripts.flush();
      const found = await readTranscript(folder, runId, page).catch(() => null);
      return found === null || found.entries.length === 0 ? memory.runEvents(runId, page) : found;
    },
    recentEvents(limit) {
      batch.flush();
      return read((file) => file.recentEvents(limit)) ?? memory.recentEvents(limit);
    },
    listActions: (limit) => read((file) => file.actions(limit)) ?? memory.listActions(limit),
  } satisfies Partial<Journal>;
}

function writing(parts: Parts) {
  const { kept, link, batch, transcripts, walSync } = parts;
  const { memory } = kept;
  const save = (write: (writer: TableWriter) => void): void => {
    link.attempt(({ writer }) => {
      write(writer);
      walSync.soon();
    });
  };
  return {
    saveRecord(record) {
      kept.saveRecord(record);
      save((writer) => writer.saveRecord(record));
    },
    forgetRecord(issueId) {
      kept.forgetRecord(issueId);
      save((writer) => writer.forgetRecord(issueId));
    },
    recordRun(run) {
      memory.recordRun(run);
      save((writer) => writer.saveRun(run));
      transcripts.end(run.runId);
    },
    recordAction(action) {
      const identified = { ...action, id: randomUUID() };
      memory.recordAction(identified);
      save((writer) => writer.saveAction(identified));
    },
    appendEvent(event) {
      if (parts.closed) return;
      memory.appendEvent(event);
      batch.addEvent(event);
    },
    appendRunEvent(runId, at, event) {
      if (parts.closed) return;
      if (transcripts.trouble !== null) memory.appendRunEvent(runId, at, event);
      transcripts.append(runId, at, event);
    },
  } satisfies Partial<Journal>;
}

function writeBatch(link: DiskLink<Tables>, rows: Batch): 'written' | 'refused' | 'later' {
  const written = link.attempt(({ writer }) => {
    writer.writeBatch(rows);
    return true;
  });
  return written === true ? 'written' : link.trouble === null ? 'refused' : 'later';
}
