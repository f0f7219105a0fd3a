import { randomUUID } from 'node:crypto';
import { backgroundClock, type Clock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Journal } from '../journal.ts';
import { runsFolder } from '../journal-path.ts';
import { createJournalBackup } from '../memory/journal-backup.ts';
import { createMemoryJournal } from '../memory/memory-journal.ts';
import { readTranscript } from '../transcripts/read-transcript.ts';
import { createTranscripts } from '../transcripts/transcripts.ts';
import { createDiskLink } from './disk-link.ts';
import { createEventBatch } from './event-batch.ts';
import { createUnreadableRows, describeProblem } from './journal-problem.ts';
import { loadSqlite, type OpenDatabase } from './open-database.ts';
import { DEFAULT_RETENTION, pruneLimits, pruneTranscripts, type Retention } from './retention.ts';
import { createWalSync } from './wal-sync.ts';
import type { TableWriter } from './write-tables.ts';

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

const DAY_MS = 86_400_000;

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
  const { path, logger, scope = '', retention = () => DEFAULT_RETENTION, clock = backgroundClock } = options;
  const folder = runsFolder(path);
  const unreadable = createUnreadableRows(logger);
  const kept = createJournalBackup({ open, scope, now: () => clock.now(), onUnreadable: unreadable.report });
  const { memory } = kept;
  const link = createDiskLink({ path, open, clock, logger, attach: kept.attach, salvage: kept.salvage });
  const batch = createEventBatch({
    clock,
    write(rows) {
      const written = link.attempt(({ writer }) => {
        writer.writeBatch(rows);
        return true;
      });
      return written === true ? 'written' : link.trouble === null ? 'refused' : 'later';
    },
  });
  const transcripts = createTranscripts({ folder, clock, logger, onWritten: batch.addTranscript });
  const walSync = createWalSync(path, clock, logger);
  let cancelPruning = (): void => {};
  let closed = false;

  function save(write: (writer: TableWriter) => void): void {
    link.attempt(({ writer }) => {
      write(writer);
      walSync.soon();
    });
  }

  function pruneDaily(): void {
    cancelPruning = clock.setTimer(DAY_MS, pruneDaily);
    const now = clock.now();
    const limits = pruneLimits(retention(), now);
    const runs = link.attempt(({ writer }) => ({ gone: writer.prune(limits), kept: writer.endedRunIds() }));
    if (runs === undefined) return;
    pruneTranscripts({ folder, ...runs, before: limits.before, now }).then(
      (files) => {
        if (runs.gone.length + files > 0) logger.info('old runs removed', { runs: runs.gone.length, files });
      },
      (error: unknown) => logger.warn('old run timelines could not be removed', { error: messageOf(error) }),
    );
  }

  pruneDaily();
  return {
    loadRecords: memory.loadRecords,
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
      if (closed) return;
      memory.appendEvent(event);
      batch.addEvent(event);
    },
    appendRunEvent(runId, at, event) {
      if (closed) return;
      if (transcripts.trouble !== null) memory.appendRunEvent(runId, at, event);
      transcripts.append(runId, at, event);
    },
    recentRuns: (limit) => link.attempt(({ reader }) => reader.recentRuns(limit)) ?? memory.recentRuns(limit),
    runsOfIssue: (issue, limit = 100) =>
      link.attempt(({ reader }) => reader.runsOfIssue(issue, limit)) ?? memory.runsOfIssue(issue, limit),
    findRun(idOrPrefix) {
      batch.flush();
      return link.attempt(({ reader }) => reader.findRun(idOrPrefix)) ?? memory.findRun(idOrPrefix);
    },
    async runEvents(runId, page) {
      await transcripts.flush();
      const found = await readTranscript(folder, runId, page).catch(() => null);
      return found === null || found.entries.length === 0 ? memory.runEvents(runId, page) : found;
    },
    recentEvents(limit) {
      batch.flush();
      return link.attempt(({ reader }) => reader.recentEvents(limit)) ?? memory.recentEvents(limit);
    },
    listActions: (limit) => link.attempt(({ reader }) => reader.actions(limit)) ?? memory.listActions(limit),
    get status() {
      const { trouble: diskTrouble, losses } = link;
      const timelineTrouble = transcripts.trouble;
      return {
        path,
        ok: diskTrouble === null && timelineTrouble === null,
        problem: describeProblem({
          path,
          folder,
          diskTrouble,
          losses,
          timelineTrouble,
          unreadable: unreadable.rows,
        }),
      };
    },
    async close() {
      closed = true;
      cancelPruning();
      await transcripts.close();
      batch.close();
      await walSync.close();
      link.close();
    },
  };
}
