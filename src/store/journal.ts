import type { RunEvent, RunId } from '../domain/run-event.ts';
import type { EndedRun, RuntimeEvent } from '../scheduler/commands.ts';
import type { IssueRecord } from '../scheduler/state.ts';

/**
 * The worker's memory. Losing it changes no dispatch decision except remembered budgets and waits, so no call
 * throws: a failing journal keeps going without the disk and says so in `status`.
 */
export interface Journal {
  /** What earlier lives remembered of each issue. */
  loadRecords(): readonly IssueRecord[];
  /** On disk when it returns. */
  saveRecord(record: IssueRecord): void;
  /** On disk when it returns. */
  recordRun(run: EndedRun): void;
  /** Batched: a crash loses at most the last second. */
  appendEvent(event: RuntimeEvent): void;
  /** Batched: a crash loses at most the last second. */
  appendRunEvent(runId: RunId, at: number, event: RunEvent): void;
  /** Newest first. */
  recentRuns(limit: number): readonly EndedRun[];
  readonly status: JournalStatus;
  close(): Promise<void>;
}

export interface JournalStatus {
  /** Null for a journal in memory only. */
  readonly path: string | null;
  readonly ok: boolean;
  /** What is wrong and what it means, for people. */
  readonly problem: string | null;
}
