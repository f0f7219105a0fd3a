import type { EndedRun } from '../scheduler/commands.ts';
import type { IssueRecord } from '../scheduler/state.ts';
import type { Journal, JournalStatus } from './journal.ts';

const KEPT_RUNS = 1000;

/** A journal that forgets everything with the process: for tests, and for a worker whose disk failed. */
export function createMemoryJournal(problem: string | null = null): Journal {
  const records = new Map<string, IssueRecord>();
  const runs: EndedRun[] = [];
  const status: JournalStatus = { path: null, ok: problem === null, problem };
  return {
    loadRecords: () => [...records.values()],
    saveRecord: (record) => void records.set(record.issueId, record),
    recordRun(run) {
      runs.unshift(run);
      runs.length = Math.min(runs.length, KEPT_RUNS);
    },
    appendEvent() {},
    appendRunEvent() {},
    recentRuns: (limit) => runs.slice(0, limit),
    status,
    async close() {},
  };
}
