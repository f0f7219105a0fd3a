import type { WaitingRow } from '../../contract/claim-rows.ts';
import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { OutcomeKind } from '../../domain/run-outcome.ts';
import { redactTexts } from '../../observability/redact-texts.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import type { IssueRecord } from '../../scheduler/core/state.ts';
import { explainWaiting } from '../../scheduler/explain/explain.ts';
import type { Journal } from '../../store/journal.ts';
import type { RecentHistory } from '../history/recent-history.ts';
import { asItIs, type Redact } from './clean-rows.ts';
import { findIssue } from './find-issue.ts';
import { endedRow, eventRow, waitingRow } from './rows.ts';
import { SnapshotBuilder, type SnapshotInput } from './state-snapshot.ts';

const MAX_RUNS = 20;
const MAX_EVENTS = 50;

/** One issue the worker has ever seen, by id or identifier in any case, or null. */
export function buildIssueDetail(
  input: SnapshotInput,
  idOrIdentifier: string,
  builder: SnapshotBuilder = new SnapshotBuilder(input.history),
  journal: Pick<Journal, 'runsOfIssue'> | null = null,
  redact: Redact = asItIs,
): IssueDetail | null {
  const { history } = input;
  const issueId = findIssue(input.state, history, idOrIdentifier)?.id ?? null;
  const runs = runsOf(history, journal, issueId, idOrIdentifier);
  const [last] = runs;
  const id = issueId ?? last?.issueId;
  if (id === undefined) return null;
  const snapshot = builder.build(input);
  const claims = builder.claims(input);
  const is = (row: { issue_id: string }): boolean => row.issue_id === id;
  const rows = {
    running: claims.running.find(is) ?? null,
    blocked: claims.blocked.find(is) ?? null,
    retry: claims.retrying.find(is) ?? null,
    waiting: snapshot.waiting.find(is) ?? waitingBeyondBound(input, id),
    operator_terminal_stop: claims.operator_terminal_stops.find(is) ?? null,
  };
  const live = rows.running ?? rows.blocked ?? rows.retry ?? rows.waiting;
  const candidate = input.state.candidates.get(id);
  const record = input.state.records.get(id);
  const detail: IssueDetail = {
    issue_id: id,
    issue_identifier:
      live?.issue_identifier ?? candidate?.identifier ?? last?.identifier ?? record?.identifier ?? id,
    issue_url: live?.issue_url ?? candidate?.url ?? last?.url ?? null,
    title: live?.title ?? candidate?.title ?? last?.title ?? '',
    state: live?.state ?? candidate?.state ?? last?.stateAfter ?? rows.operator_terminal_stop?.state ?? '',
    status: statusOf(rows, last),
    workspace: { path: rows.running?.workspace_path ?? last?.workspacePath ?? null },
    attempts: {
      restart_count: Math.max(0, (record?.lifetime.runs ?? runs.length) - 1),
      current_retry_attempt: rows.running?.retry_attempt ?? rows.retry?.attempt ?? null,
    },
    ...rows,
    ...outcomeOf(record),
    ended: runs.slice(0, MAX_RUNS).map(endedRow),
    logs: { codex_session_logs: logsOf(rows.running?.run_id, runs) },
    recent_events: eventsOf(history, id),
    last_error: rows.blocked?.error ?? rows.retry?.error ?? failureOf(last),
    tracked: {},
  };
  return redactTexts(detail, redact);
}

/** The list in a snapshot is cut; an issue far down in it waits all the same. */
function waitingBeyondBound({ state, workflow, now }: SnapshotInput, id: string): WaitingRow | null {
  if (!state.candidates.has(id) || state.claims.has(id)) return null;
  const waiting = explainWaiting(state, workflow.settings, now).find(({ issue }) => issue.id === id);
  return waiting === undefined ? null : waitingRow(waiting, workflow.settings);
}

/** From memory while it reaches back far enough, else from the journal. Newest first. */
function runsOf(
  history: RecentHistory,
  journal: Pick<Journal, 'runsOfIssue'> | null,
  issueId: string | null,
  name: string,
): readonly EndedRun[] {
  const known = issueId === null ? [] : history.runs.filter((run) => run.issueId === issueId);
  return known.length > 0 || journal === null ? known : journal.runsOfIssue(issueId ?? name, MAX_RUNS);
}

type Rows = Pick<IssueDetail, 'running' | 'blocked' | 'retry' | 'waiting' | 'operator_terminal_stop'>;

function statusOf(rows: Rows, last: EndedRun | undefined): IssueDetail['status'] {
  if (rows.running !== null) return 'running';
  if (rows.blocked !== null) return 'blocked';
  if (rows.retry !== null) return 'retrying';
  if (rows.operator_terminal_stop !== null) return 'operator_terminal_stop';
  if (rows.waiting !== null) return 'waiting';
  return last === undefined ? 'released' : 'finished';
}

/** The SPEC's place for logs: here, the timeline of each run. */
function logsOf(
  liveRun: string | undefined,
  runs: readonly EndedRun[],
): IssueDetail['logs']['codex_session_logs'] {
  const ids = [
    ...(liveRun === undefined ? [] : [liveRun]),
    ...runs.slice(0, MAX_RUNS).map((run) => run.runId),
  ];
  return ids.map((id) => ({ label: id, path: null, url: `/api/v1/runs/${encodeURIComponent(id)}/events` }));
}

function eventsOf(history: RecentHistory, issueId: string): IssueDetail['recent_events'] {
  return history.events
    .filter((event) => event.issueId === issueId)
    .slice(0, MAX_EVENTS)
    .map(eventRow)
    .map(({ at, kind, message }) => ({ at, kind, event: kind, message }));
}

function outcomeOf(record: IssueRecord | undefined): Pick<IssueDetail, 'last_outcome'> {
  if (record === undefined || record.lastOutcome === null) return {};
  const { kind, summary } = record.lastOutcome;
  return { last_outcome: { outcome: kind, summary } };
}

function failureOf(run: EndedRun | undefined): string | null {
  const failed: readonly OutcomeKind[] = ['failed', 'timed_out', 'stalled'];
  return run !== undefined && failed.includes(run.outcome.kind) ? run.outcome.summary : null;
}
