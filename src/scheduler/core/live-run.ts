import type { Issue } from '../../domain/issue.ts';
import { ZERO_USAGE } from '../../domain/usage.ts';
import type { Draft } from './draft.ts';
import { describeReason } from './profile.ts';
import { agentFor } from './settings.ts';
import type { IssueRecord, LiveRun, RetryingClaim } from './state.ts';

/** Null only for the first run of an episode: an issue found again after a restart is continued, not begun. */
export function attemptOf(
  record: IssueRecord,
  retry: RetryingClaim | null,
): Pick<LiveRun, 'attempt' | 'retryKind'> {
  if (retry !== null) return { attempt: retry.attempt, retryKind: retry.kind };
  return record.runs === 0 ? { attempt: null, retryKind: null } : { attempt: 1, retryKind: 'continuation' };
}

export function newLiveRun(
  draft: Draft,
  issue: Issue,
  attempt: Pick<LiveRun, 'attempt' | 'retryKind'>,
  maxTurns: number,
): LiveRun {
  const choice = agentFor(issue, draft.settings);
  return {
    runId: draft.nextId(),
    issue,
    agent: choice.agent,
    agentReason: describeReason(choice),
    stateAtStart: issue.state,
    ...attempt,
    maxTurns,
    startedAt: draft.now,
    pausedMs: 0,
    phase: 'PreparingWorkspace',
    workspacePath: null,
    branch: null,
    sessionId: null,
    model: null,
    turnsStarted: 0,
    turnsCompleted: 0,
    lastAgentEventAt: null,
    usage: ZERO_USAGE,
    costUsd: null,
    settled: { usage: ZERO_USAGE, costUsd: 0, at: draft.now },
    toolCalls: { open: 0, since: draft.now },
    effects: [],
    handOver: null,
    pushAsked: false,
    stopping: null,
    decision: null,
  };
}
