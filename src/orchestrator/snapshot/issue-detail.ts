import type { IssueDetail } from '../../contract/issue-detail.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { endedRow, eventRow } from './rows.ts';
import { buildStateSnapshot, type SnapshotInput } from './state-snapshot.ts';

/** One issue the worker has seen, by id or identifier in any case, or null. */
export function buildIssueDetail(input: SnapshotInput, idOrIdentifier: string): IssueDetail | null {
  const wanted = idOrIdentifier.toLowerCase();
  const names = (row: { issue_id: string; issue_identifier: string }): boolean =>
    row.issue_identifier.toLowerCase() === wanted || row.issue_id.toLowerCase() === wanted;
  const snapshot = buildStateSnapshot(input);
  const rows = {
    running: snapshot.running.find(names) ?? null,
    blocked: snapshot.blocked.find(names) ?? null,
    retry: snapshot.retrying.find(names) ?? null,
    waiting: snapshot.waiting.find(names) ?? null,
    operator_terminal_stop: snapshot.operator_terminal_stops.find(names) ?? null,
  };
  const runs = input.story.runs.filter(
    (run) => run.identifier.toLowerCase() === wanted || run.issueId.toLowerCase() === wanted,
  );
  const [last] = runs;
  const live = rows.running ?? rows.blocked ?? rows.retry ?? rows.waiting;
  const stop = rows.operator_terminal_stop;
  const issueId = live?.issue_id ?? last?.issueId ?? stop?.issue_id;
  if (issueId === undefined) return null;
  const record = input.state.records.get(issueId);
  return {
    issue_id: issueId,
    issue_identifier: live?.issue_identifier ?? last?.identifier ?? stop?.issue_identifier ?? issueId,
    issue_url: live?.issue_url ?? last?.url ?? null,
    title: live?.title ?? last?.title ?? '',
    state: live?.state ?? last?.stateAfter ?? stop?.state ?? '',
    status: statusOf(rows),
    workspace: { path: rows.running?.workspace_path ?? last?.workspacePath ?? null },
    attempts: {
      restart_count: Math.max(0, (record?.lifetime.runs ?? 0) - 1),
      current_retry_attempt: rows.running?.retry_attempt ?? rows.retry?.attempt ?? null,
    },
    ...rows,
    ended: runs.slice(0, 20).map(endedRow),
    logs: { codex_session_logs: [] },
    recent_events: eventsOf(input, issueId),
    last_error: rows.blocked?.error ?? rows.retry?.error ?? failureOf(last),
    tracked: {},
  };
}

type Rows = Pick<IssueDetail, 'running' | 'blocked' | 'retry' | 'waiting' | 'operator_terminal_stop'>;

function statusOf(rows: Rows): IssueDetail['status'] {
  if (rows.running !== null) return 'running';
  if (rows.blocked !== null) return 'blocked';
  if (rows.retry !== null) return 'retrying';
  if (rows.operator_terminal_stop !== null) return 'operator_terminal_stop';
  return rows.waiting !== null ? 'waiting' : 'finished';
}

function eventsOf(input: SnapshotInput, issueId: string): IssueDetail['recent_events'] {
  return input.story.events
    .filter((event) => event.issueId === issueId)
    .slice(0, 50)
    .map(eventRow)
    .map(({ at, kind, message }) => ({ at, kind, event: kind, message }));
}

function failureOf(run: SnapshotInput['story']['runs'][number] | undefined): string | null {
  const failed: readonly StateSnapshot['ended'][number]['outcome'][] = ['failed', 'timed_out', 'stalled'];
  return run !== undefined && failed.includes(run.outcome.kind) ? run.outcome.summary : null;
}
