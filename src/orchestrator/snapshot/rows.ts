import type {
  BlockedRow,
  OperatorStopRow,
  RetryRow,
  RunningRow,
  WaitingRow,
} from '../../contract/claim-rows.ts';
import type { EndedRun as EndedRow, RecentEvent } from '../../contract/ended-rows.ts';
import type { Issue } from '../../domain/issue.ts';
import type { EndedRun, RuntimeEvent } from '../../scheduler/core/commands.ts';
import { describeReason } from '../../scheduler/core/profile.ts';
import { agentFor, type SchedulerSettings } from '../../scheduler/core/settings.ts';
import type { BlockedClaim, IssueRecord, LiveRun, RetryingClaim } from '../../scheduler/core/state.ts';
import type { WaitingIssue } from '../../scheduler/explain/explain.ts';
import { runtimeOf, runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { RunActivity } from '../runs/live-activity.ts';
import { seconds, tokens, utc } from '../wire-values.ts';

function issueRef(issue: Pick<Issue, 'id' | 'identifier' | 'url'>): {
  issue_id: string;
  issue_identifier: string;
  issue_url: string | null;
} {
  return { issue_id: issue.id, issue_identifier: issue.identifier, issue_url: issue.url };
}

const MAX_MESSAGE_LENGTH = 256;

function clip(text: string): string {
  const points = [...text];
  return points.length <= MAX_MESSAGE_LENGTH ? text : `${points.slice(0, MAX_MESSAGE_LENGTH).join('')}…`;
}

type AgentFields = Pick<WaitingRow, 'agent_provider' | 'agent_profile' | 'agent_reason'>;

function agentFields(
  { runner, profile }: { readonly runner: string; readonly profile: string | null },
  reason: string | null,
): AgentFields {
  return {
    agent_provider: runner,
    ...(profile === null ? {} : { agent_profile: profile }),
    ...(reason === null ? {} : { agent_reason: clip(reason) }),
  };
}

/** Who would run the issue now. */
function nextAgent(issue: Issue, settings: SchedulerSettings): AgentFields {
  const choice = agentFor(issue, settings);
  return agentFields(choice.agent, describeReason(choice));
}

export function runningRow(
  run: LiveRun,
  activity: RunActivity,
  now: number,
  workflowPath: string,
): RunningRow {
  const lastEventAt = activity.lastEventAt ?? run.lastAgentEventAt;
  return {
    ...issueRef(run.issue),
    run_id: run.runId,
    title: run.issue.title,
    state: run.issue.state,
    phase: run.phase,
    session_id: sessionName(run, activity),
    turn_count: run.turnsStarted,
    max_turns: run.maxTurns,
    last_event: activity.lastEvent ?? '',
    last_message: clip(activity.lastMessage ?? activity.phaseDetail ?? ''),
    started_at: utc(run.startedAt),
    runtime_seconds: seconds(runtimeOf(run, now)),
    last_event_at: lastEventAt === null ? null : utc(lastEventAt),
    tokens: tokens(run.usage),
    ...(run.costUsd === null ? {} : { cost_usd: run.costUsd }),
    ...(run.stopping === null ? {} : { stopping: run.stopping.kind }),
    branch: run.branch,
    ...(run.attempt === null ? {} : { retry_attempt: run.attempt }),
    ...(run.workspacePath === null ? {} : { workspace_path: run.workspacePath }),
    ...(activity.pid === null ? {} : { codex_app_server_pid: activity.pid }),
    ...agentFields(run.agent, run.agentReason),
    ...(run.model === null ? {} : { agent_model: run.model }),
    workflow_source: 'file',
    workflow_path: workflowPath,
  };
}

/** `<thread>-<turn>` where the agent names its turns. */
function sessionName({ sessionId }: LiveRun, { turnId }: RunActivity): string {
  if (sessionId === null) return '';
  return turnId === null ? sessionId : `${sessionId}-${turnId}`;
}

export function blockedRow(
  claim: BlockedClaim,
  record: IssueRecord | undefined,
  last: EndedRun | undefined,
  settings: SchedulerSettings,
): BlockedRow {
  return {
    ...issueRef(claim.issue),
    title: claim.issue.title,
    state: claim.issue.state,
    blocked_at: utc(claim.blockedAt),
    method: claim.method,
    error: claim.error,
    ...(claim.question === null ? {} : { question: claim.question }),
    branch: last?.result.evidence.branch ?? null,
    ...(last?.workspacePath === undefined || last.workspacePath === null
      ? {}
      : { workspace_path: last.workspacePath }),
    ...(record?.session === undefined || record.session === null
      ? {}
      : { session_id: record.session.sessionId }),
    ...(last === undefined ? {} : { last_event_at: utc(last.endedAt) }),
    runtime_seconds: seconds(record?.runtimeMs ?? 0),
    tokens: tokens(record?.usage ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 }),
    ...nextAgent(claim.issue, settings),
  };
}

/** `waiting` says what a retry that is due waits for. */
export function retryRow(
  claim: RetryingClaim,
  waiting: Pick<WaitingIssue, 'kind' | 'reason'> | null,
  last: EndedRun | undefined,
  settings: SchedulerSettings,
): RetryRow {
  return {
    ...issueRef(claim.issue),
    title: claim.issue.title,
    state: claim.issue.state,
    kind: claim.kind,
    attempt: claim.attempt,
    due_at: utc(claim.dueAt),
    error: waiting?.kind === 'slot' ? 'no available orchestrator slots' : claim.error,
    ...(waiting === null ? {} : { reason: waiting.reason }),
    ...(last?.workspacePath === undefined || last.workspacePath === null
      ? {}
      : { workspace_path: last.workspacePath }),
    ...startupFailure(last),
    ...nextAgent(claim.issue, settings),
  };
}

/** A run that ended before its agent had a session failed to start. */
function startupFailure(last: EndedRun | undefined): Pick<RetryRow, 'startup_failure'> {
  if (last === undefined || last.sessionId !== null || last.result.end.kind !== 'failed') return {};
  const { code, message } = last.result.end;
  const phase = /^(?:workspace|git|hook|disk|invalid_workspace)/.test(code) ? 'workspace' : 'agent';
  return { startup_failure: { phase, error: message } };
}

export function waitingRow({ issue, reason }: WaitingIssue, settings: SchedulerSettings): WaitingRow {
  return {
    ...issueRef(issue),
    title: issue.title,
    state: issue.state,
    reason,
    ...nextAgent(issue, settings),
  };
}

export function operatorStopRow(record: IssueRecord): OperatorStopRow | null {
  const stop = record.operatorStop;
  if (stop === null) return null;
  const first = stop.firstSuppressed;
  return {
    issue_id: record.issueId,
    issue_identifier: record.identifier,
    state: stop.state,
    stopped_at: utc(stop.stoppedAt),
    suppressed_dispatches: stop.suppressed,
    ...(first === null
      ? {}
      : {
          first_suppressed_at: utc(first.at),
          first_suppressed_state: first.state,
          first_suppressed_reason: first.reason,
        }),
  };
}

export function endedRow(run: EndedRun): EndedRow {
  const { evidence } = run.result;
  return {
    ...issueRef({ id: run.issueId, identifier: run.identifier, url: run.url }),
    run_id: run.runId,
    title: run.title,
    state: run.stateAfter,
    outcome: run.outcome.kind,
    summary: run.outcome.summary,
    branch: evidence.branch,
    commits: evidence.commitsAhead,
    new_commits: evidence.newCommits,
    pushed: evidence.pushed,
    pull_request_url: evidence.pullRequestUrl,
    turns: run.result.turns,
    tokens: tokens(run.usage),
    ...(run.costUsd === null ? {} : { cost_usd: run.costUsd }),
    ...(run.runner === null ? {} : agentFields({ runner: run.runner, profile: run.profile }, null)),
    runtime_seconds: seconds(runtimeOfEnded(run)),
    started_at: utc(run.startedAt),
    reason: reasonOf(run.result.end),
    ended_at: utc(run.endedAt),
  };
}

function reasonOf(end: EndedRun['result']['end']): string {
  if (end.kind === 'failed') return end.code;
  return end.kind === 'stopped' ? end.reason.kind : end.kind;
}

export function eventRow(event: RuntimeEvent): RecentEvent {
  return {
    at: utc(event.at),
    kind: event.kind,
    ...(event.issueId === null ? {} : { issue_id: event.issueId }),
    ...(event.identifier === null ? {} : { issue_identifier: event.identifier }),
    ...(event.runId === null ? {} : { run_id: event.runId }),
    message: event.message,
  };
}
