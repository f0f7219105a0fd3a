import { randomUUID } from 'node:crypto';
import type { RunId } from '../../domain/run-event.ts';
import type { EndedRun, RuntimeEvent } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import type { Journal, JournalStatus, OperatorAction, RunLookup, TimelineEntry } from '../journal.ts';

const MAX_RUNS = 1000;
const MAX_EVENTS = 1000;
const MAX_ACTIONS = 1000;
const MAX_TIMELINES = 50;
const MAX_TIMELINE_ENTRIES = 200;
const MAX_LISTED_MATCHES = 10;

interface Timeline {
  count: number;
  readonly entries: TimelineEntry[];
}

/** A journal that forgets everything with the process: for tests, and for a worker whose disk failed. */
export function createMemoryJournal(problem: string | null = null): Journal {
  const records = new Map<string, IssueRecord>();
  const runs: EndedRun[] = [];
  const events: RuntimeEvent[] = [];
  const actions: OperatorAction[] = [];
  const timelines = new Map<RunId, Timeline>();
  const status: JournalStatus = { path: null, ok: problem === null, problem };

  function timelineOf(runId: RunId): Timeline {
    const known = timelines.get(runId);
    if (known !== undefined) return known;
    const [oldest] = timelines.keys();
    if (timelines.size >= MAX_TIMELINES && oldest !== undefined) timelines.delete(oldest);
    const created: Timeline = { count: 0, entries: [] };
    timelines.set(runId, created);
    return created;
  }

  function findRun(prefix: string): RunLookup {
    const matches = matchingIds([...runs.map((run) => run.runId), ...timelines.keys()], prefix);
    const [runId] = matches;
    if (runId === undefined) return { kind: 'none' };
    if (matches.length > 1) return { kind: 'ambiguous', runIds: matches.slice(0, MAX_LISTED_MATCHES) };
    const ended = runs.find((run) => run.runId === runId) ?? null;
    const event = events.find((candidate) => candidate.runId === runId);
    const identifier = ended?.identifier ?? event?.identifier ?? null;
    return { kind: 'found', run: { runId, identifier, ended, transcript: describe(timelines.get(runId)) } };
  }

  return {
    loadRecords: () => [...records.values()],
    saveRecord: (record) => void records.set(record.issueId, record),
    forgetRecord: (issueId) => void records.delete(issueId),
    recordRun: (run) => prepend(runs, run, MAX_RUNS),
    recordAction: (action) => prepend(actions, { id: randomUUID(), ...action }, MAX_ACTIONS),
    appendEvent: (event) => prepend(events, event, MAX_EVENTS),
    appendRunEvent(runId, at, event) {
      const timeline = timelineOf(runId);
      timeline.count += 1;
      timeline.entries.push({ seq: timeline.count, at, event });
      if (timeline.entries.length > MAX_TIMELINE_ENTRIES) timeline.entries.shift();
    },
    recentRuns: (limit) => runs.slice(0, limit),
    findRun,
    runsOfIssue: (issue, limit) => runs.filter((run) => isOfIssue(run, issue)).slice(0, limit),
    async runEvents(runId, { after = 0, limit = 1000 } = {}) {
      const later = (timelines.get(runId)?.entries ?? []).filter((entry) => entry.seq > after);
      const entries = later.slice(0, limit);
      const next = later.length > entries.length ? (entries.at(-1)?.seq ?? after) : null;
      return { entries, next, unreadable: 0 };
    },
    recentEvents: (limit) => events.slice(0, limit),
    listActions: (limit) => actions.slice(0, limit),
    status,
    async close() {},
  };
}

function prepend<T>(list: T[], item: T, kept: number): void {
  list.unshift(item);
  if (list.length > kept) list.length = kept;
}

/** A complete id wins over longer ones that begin with it. */
function matchingIds(ids: readonly RunId[], prefix: string): readonly RunId[] {
  if (prefix === '') return [];
  if (ids.includes(prefix)) return [prefix];
  return [...new Set(ids.filter((id) => id.startsWith(prefix)))];
}

function isOfIssue(run: EndedRun, issue: string): boolean {
  return run.issueId === issue || run.identifier.toLowerCase() === issue.toLowerCase();
}

function describe(timeline: Timeline | undefined) {
  const first = timeline?.entries.at(0);
  const last = timeline?.entries.at(-1);
  if (timeline === undefined || first === undefined || last === undefined) return null;
  const { count, entries } = timeline;
  return { firstAt: first.at, lastAt: last.at, events: count, dropped: count - entries.length, bytes: 0 };
}
