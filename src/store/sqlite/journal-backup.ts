import type { IssueId } from '../../domain/issue.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import { createMemoryJournal } from '../memory/memory-journal.ts';
import { openCopy } from './journal-copy.ts';
import type { OpenDatabase, SqlDatabase } from './open-database.ts';
import { type OnUnreadable, TableReader } from './read-tables.ts';
import { createTableWriter, type TableWriter } from './write-tables.ts';

export interface Tables {
  readonly reader: TableReader;
  readonly writer: TableWriter;
}

export interface BackupOptions {
  readonly open: OpenDatabase;
  readonly scope: string;
  now(): number;
  readonly onUnreadable: OnUnreadable;
}

/**
 * What a worker's life has remembered, kept in memory beside the file, so that a file that is lost, damaged or away for
 * a while can be brought up to date again.
 */
export function createJournalBackup({ open, scope, now, onUnreadable }: BackupOptions) {
  const memory = createMemoryJournal();
  const savedHere = new Set<IssueId>();
  let salvagedRuns: readonly EndedRun[] = [];

  function saveRecord(record: IssueRecord): void {
    savedHere.add(record.issueId);
    memory.saveRecord(record);
  }

  /** Learns the records it does not know yet; what this life has saved itself is newer than what a file says. */
  function learn(records: readonly IssueRecord[]): void {
    for (const record of records) {
      if (!savedHere.has(record.issueId)) memory.saveRecord(record);
    }
  }

  return {
    memory,
    saveRecord,
    forgetRecord(issueId: IssueId): void {
      savedHere.delete(issueId);
      memory.forgetRecord(issueId);
    },

    /** Makes a newly opened file and this memory agree. */
    attach(database: SqlDatabase): Tables {
      const reader = new TableReader(database, { scope, onUnreadable });
      const writer = createTableWriter(database, scope, now);
      const onDisk = reader.records();
      learn(onDisk);
      const known = new Set(onDisk.map((record) => record.issueId));
      const records = memory
        .loadRecords()
        .filter(({ issueId }) => savedHere.has(issueId) || !known.has(issueId));
      const runs = [...salvagedRuns, ...memory.recentRuns(Number.POSITIVE_INFINITY)];
      writer.writeBack({ records, runs, actions: memory.listActions(Number.POSITIVE_INFINITY) });
      salvagedRuns = [];
      return { reader, writer };
    },

    /** Reads what it can from a damaged file; says what that was. */
    salvage(path: string): string {
      try {
        const database = openCopy(path, open);
        try {
          const reader = new TableReader(database, { scope, onUnreadable: () => {}, partial: true });
          const records = reader.records();
          learn(records);
          salvagedRuns = reader.recentRuns(Number.POSITIVE_INFINITY);
          return `${records.length} issue records and ${salvagedRuns.length} runs could be read back from it`;
        } finally {
          database.close();
        }
      } catch (error) {
        return `nothing could be read back from it (${messageOf(error)})`;
      }
    },
  };
}
