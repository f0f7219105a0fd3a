import type { IssueId } from '../domain/issue.ts';
import type { RunEvent, RunId } from '../domain/run-event.ts';
import type { EndedRun, RuntimeEvent } from '../scheduler/core/commands.ts';
import type { IssueRecord } from '../scheduler/core/state.ts';

/** What was remembered, for people and programs. Rows that cannot be read are left out, and counted in `status`. */
export interface JournalReader {
  /** Newest first. */
  recentRuns(limit: number): readonly EndedRun[];
  /** By run id or the beginning of one. */
  findRun(idOrPrefix: string): RunLookup;
  /** By issue identifier (in any case) or id; newest first. */
  runsOfIssue(identifierOrId: string, limit?: number): readonly EndedRun[];
  /** One page of a run's timeline, oldest first. */
  runEvents(runId: RunId, page?: TimelinePageRequest): Promise<TimelinePage>;
  /** Newest first. */
  recentEvents(limit: number): readonly StoredEvent[];
  /** Newest first. */
  listActions(limit: number): readonly OperatorAction[];
  readonly status: JournalStatus;
  close(): Promise<void>;
}

/**
 * The worker's memory. Losing it changes no dispatch decision except remembered budgets and waits, so no call
 * throws: a failing journal keeps going without the disk and says so in `status`.
 */
export interface Journal extends JournalReader {
  /** What earlier lives remembered of each issue. */
  loadRecords(): readonly IssueRecord[];
  /** Survives this process when it returns, and a power cut about half a second later; so do the next two. */
  saveRecord(record: IssueRecord): void;
  /** Of an issue that is long gone. */
  forgetRecord(issueId: IssueId): void;
  recordRun(run: EndedRun): void;
  recordAction(action: NewOperatorAction): void;
  /** Batched: a crash loses at most the last second. */
  appendEvent(event: RuntimeEvent): void;
  /** Batched: a crash loses at most the last second. */
  appendRunEvent(runId: RunId, at: number, event: RunEvent): void;
}

export interface JournalStatus {
  /** Null for a journal in memory only. */
  readonly path: string | null;
  /** True while what is saved reaches the disk. */
  readonly ok: boolean;
  /**
   * What is wrong and what it means, for people. Set while `ok` is false, and also after the disk is fine again when
   * something was lost in this life: a damaged file moved aside, a deleted one made anew, rows that cannot be read.
   */
  readonly problem: string | null;
}

/** An event of any version of the worker: the kind may be one this version does not know. */
export type StoredEvent = Omit<RuntimeEvent, 'kind'> & { readonly kind: string };

export interface NewOperatorAction {
  readonly at: number;
  /** Who asked: a user name, `api`, `cli`, … */
  readonly by: string;
  readonly action: string;
  readonly issueId: IssueId | null;
  readonly detail: string | null;
}

export interface OperatorAction extends NewOperatorAction {
  readonly id: string;
}

export type RunLookup =
  | { readonly kind: 'found'; readonly run: FoundRun }
  /** The first few run ids that begin so. */
  | { readonly kind: 'ambiguous'; readonly runIds: readonly RunId[] }
  | { readonly kind: 'none' };

export interface FoundRun {
  readonly runId: RunId;
  readonly identifier: string | null;
  /** Null for a run that is still live, or that ended with its worker. */
  readonly ended: EndedRun | null;
  readonly transcript: TranscriptInfo | null;
}

/** What is kept of a run's timeline. */
export interface TranscriptInfo {
  readonly firstAt: number;
  readonly lastAt: number;
  /** Events reported, kept or not. */
  readonly events: number;
  /** Events not kept: the middle of a very long run, or what came while the disk failed. */
  readonly dropped: number;
  readonly bytes: number;
}

export interface TimelinePageRequest {
  /** The `seq` after which to begin; 0, the default, begins at the start. */
  readonly after?: number;
  /** Default 1000. */
  readonly limit?: number;
}

export interface TimelineEntry {
  /** Counts the run's events from 1; a gap means events that were not kept. */
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}

export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  /** The `after` of the next page; null at the end. */
  readonly next: number | null;
  /** Lines in this page's range that could not be understood. */
  readonly unreadable: number;
}
