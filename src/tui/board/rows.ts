import type {
  BlockedRow,
  OperatorStopRow,
  RetryRow,
  RunningRow,
  WaitingRow,
} from '../../contract/claim-rows.ts';
import type { EndedRun } from '../../contract/ended-rows.ts';
import type { StateSnapshot } from '../../contract/state.ts';

/** A row of the board, with what the worker said about it. */
export type BoardRow = RowIdentity &
  (
    | { readonly section: 'running'; readonly source: RunningRow }
    | { readonly section: 'needs'; readonly source: BlockedRow }
    | { readonly section: 'stopped'; readonly source: OperatorStopRow }
    | { readonly section: 'waiting'; readonly source: WaitingRow }
    | { readonly section: 'review'; readonly source: EndedRun }
    | { readonly section: 'retrying'; readonly source: RetryRow }
    | { readonly section: 'recent'; readonly source: EndedRun }
  );

export interface RowIdentity {
  /** Unique on the board, and the same in every snapshot that has the row. */
  readonly key: string;
  readonly issueId: string;
  readonly identifier: string;
  readonly title: string;
  /** The latest run that is known; null when there was none. */
  readonly runId: string | null;
  /** Where people look at it: the pull request, else the tracker's page. */
  readonly url: string | null;
}

export type SectionId = 'running' | 'needs' | 'waiting' | 'review' | 'retrying' | 'recent';

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  readonly rows: readonly BoardRow[];
  /** How many there are, also those that the worker did not list. */
  readonly total: number;
}

/** Everything the worker told about issues, in the order of the board. */
export function sectionsOf(state: StateSnapshot): readonly Section[] {
  const needs = [...state.blocked]
    .sort((a, b) => compare(a.blocked_at, b.blocked_at))
    .map((source): BoardRow => ({ ...identityOf('needs', source), section: 'needs', source }));
  const stopped = state.operator_terminal_stops
    .filter(({ suppressed_dispatches: suppressed }) => suppressed > 0)
    .map((source): BoardRow => ({ ...identityOfStop(source), section: 'stopped', source }));
  const running = [...state.running]
    .sort((a, b) => byIdentifier(a, b))
    .map((source): BoardRow => ({ ...identityOf('running', source), section: 'running', source }));
  const waiting = state.waiting.map(
    (source): BoardRow => ({ ...identityOf('waiting', source), section: 'waiting', source }),
  );
  const retrying = [...state.retrying]
    .sort((a, b) => compare(a.due_at, b.due_at))
    .map((source): BoardRow => ({ ...identityOf('retrying', source), section: 'retrying', source }));
  const review = inReview(state).map(
    (source): BoardRow => ({ ...identityOf('review', source), section: 'review', source }),
  );
  const recent = state.ended.map(
    (source): BoardRow => ({
      ...identityOf('recent', source),
      key: `recent:${source.run_id}`,
      section: 'recent',
      source,
    }),
  );
  const { counts } = state;
  const unlisted = Math.max(0, counts.blocked - state.blocked.length);
  return [
    { id: 'running', title: 'Running', rows: running, total: running.length },
    {
      id: 'needs',
      title: 'Needs you',
      rows: [...needs, ...stopped],
      total: needs.length + stopped.length + unlisted,
    },
    { id: 'waiting', title: 'Waiting', rows: waiting, total: Math.max(waiting.length, counts.waiting) },
    { id: 'review', title: 'In review', rows: review, total: review.length },
    { id: 'retrying', title: 'Retrying', rows: retrying, total: Math.max(retrying.length, counts.retrying) },
    { id: 'recent', title: 'Recent', rows: recent, total: recent.length },
  ];
}

/** Delivered, and a person has yet to decide. A worker that does not say is believed about its last hand-overs. */
function inReview(state: StateSnapshot): readonly EndedRun[] {
  if (state.in_review !== undefined) return state.in_review;
  const busy = new Set(
    [...state.running, ...state.blocked, ...state.retrying, ...state.waiting].map((row) => row.issue_id),
  );
  const seen = new Set<string>();
  return state.ended.filter((run) => {
    if (seen.has(run.issue_id)) return false;
    seen.add(run.issue_id);
    return run.outcome === 'delivered' && !busy.has(run.issue_id);
  });
}

/** The rows that say the words that were typed, in any order. */
export function filterSections(sections: readonly Section[], filter: string): readonly Section[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sections;
  return sections.map((section) => {
    const rows = section.rows.filter((row) => {
      const text = searchText(row);
      return words.every((word) => text.includes(word));
    });
    return { ...section, rows, total: rows.length };
  });
}

function searchText(row: BoardRow): string {
  const { section, source } = row;
  const own =
    section === 'needs'
      ? [source.method, source.error, source.question, source.state]
      : section === 'waiting'
        ? [source.reason, source.state]
        : section === 'retrying'
          ? [source.error, source.kind]
          : section === 'recent' || section === 'review'
            ? [source.outcome, source.summary, source.state, source.branch]
            : section === 'running'
              ? [source.state, source.last_message, source.agent_provider, source.branch]
              : [source.state];
  return [row.identifier, row.title, ...own].join(' ').toLowerCase();
}

type Source = RunningRow | BlockedRow | WaitingRow | RetryRow | EndedRun;

function identityOf(section: string, source: Source): RowIdentity {
  return {
    key: `${section}:${source.issue_id}`,
    issueId: source.issue_id,
    identifier: source.issue_identifier || source.issue_id,
    title: source.title,
    runId: 'run_id' in source ? source.run_id || null : null,
    url: ('pull_request_url' in source ? source.pull_request_url : null) ?? source.issue_url,
  };
}

function identityOfStop(source: OperatorStopRow): RowIdentity {
  return {
    key: `stopped:${source.issue_id}`,
    issueId: source.issue_id,
    identifier: source.issue_identifier || source.issue_id,
    title: '',
    runId: null,
    url: null,
  };
}

function byIdentifier(a: RunningRow, b: RunningRow): number {
  return (a.issue_identifier || a.issue_id).localeCompare(b.issue_identifier || b.issue_id, 'en', {
    numeric: true,
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
