import type { Issue } from '../../../src/domain/issue.ts';
import type { RunEvent } from '../../../src/domain/run-event.ts';
import { NO_EVIDENCE } from '../../../src/domain/run-outcome.ts';
import { ZERO_USAGE } from '../../../src/domain/usage.ts';
import type { EndedRun, RuntimeEvent } from '../../../src/scheduler/core/commands.ts';
import type { IssueRecord } from '../../../src/scheduler/core/state.ts';

export const T0 = Date.UTC(2026, 10, 14, 9, 0, 0);

export function sampleIssue(fields: Partial<Issue> = {}): Issue {
  return {
    id: 'id-1',
    identifier: 'ENG-1',
    title: 'Make it work',
    description: 'Please.',
    priority: 2,
    state: 'In Progress',
    branchName: null,
    url: 'https://tracker.test/ENG-1',
    assigneeId: null,
    author: null,
    labels: ['ready'],
    blockedBy: [{ id: 'id-9', identifier: 'ENG-9', state: 'Done' }],
    dispatchable: true,
    undispatchableReason: null,
    createdAt: '2026-11-01T00:00:00Z',
    updatedAt: null,
    nativeRef: { node: 7 },
    ...fields,
  };
}

export function sampleRecord(fields: Partial<IssueRecord> = {}): IssueRecord {
  return {
    issueId: 'id-1',
    identifier: 'ENG-1',
    runs: 2,
    turns: 5,
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
    runtimeMs: 61_000,
    costUsd: 0.25,
    noProgressRuns: 1,
    quotaWaits: 0,
    lifetime: { runs: 3, usage: { inputTokens: 200, outputTokens: 40, totalTokens: 240 }, runtimeMs: 99_000 },
    today: { day: 20_000, spend: { turns: 5, tokens: 120, usd: 0.25, runtimeMs: 61_000 } },
    lastOutcome: { kind: 'blocked', summary: 'waits for an answer' },
    session: { runner: 'mock', profile: null, sessionId: 's-1' },
    followUps: { count: 2, names: ['id-7', 'eng-7'] },
    operatorStop: {
      state: 'Canceled',
      stoppedAt: T0,
      latched: false,
      suppressed: 1,
      firstSuppressed: { at: T0, state: 'Todo', reason: 'r' },
    },
    leftActive: false,
    claim: {
      phase: 'blocked',
      issue: sampleIssue(),
      method: 'operator',
      error: 'stopped by an operator',
      question: null,
      blockedAt: T0,
      runId: 'r1-1',
      commit: null,
    },
    ...fields,
  };
}

export function sampleRun(fields: Partial<EndedRun> = {}): EndedRun {
  return {
    runId: 'r1-1',
    issueId: 'id-1',
    identifier: 'ENG-1',
    title: 'Make it work',
    url: 'https://tracker.test/ENG-1',
    attempt: null,
    startedAt: T0,
    endedAt: T0 + 90_000,
    stateBefore: 'Todo',
    stateAfter: 'Done',
    outcome: { kind: 'delivered', summary: 'moved to Done with 2 new commits' },
    result: {
      end: { kind: 'completed' },
      turns: 3,
      evidence: { ...NO_EVIDENCE, branch: 'aiops/eng-1', newCommits: 2, commitsAhead: 2, filesChanged: 4 },
    },
    handedOff: true,
    usage: { inputTokens: 1000, outputTokens: 200, totalTokens: 1200 },
    costUsd: 0.12,
    sessionId: 's-1',
    model: 'mock-1',
    runner: 'mock',
    profile: null,
    workspacePath: '/workspaces/ENG-1',
    ...fields,
  };
}

export function sampleEvent(fields: Partial<RuntimeEvent> = {}): RuntimeEvent {
  return {
    at: T0,
    kind: 'running',
    issueId: 'id-1',
    identifier: 'ENG-1',
    runId: 'r1-1',
    sessionId: null,
    message: 'run started',
    ...fields,
  };
}

/** One of every kind of event a run can report. */
export const EVERY_RUN_EVENT: readonly RunEvent[] = [
  { type: 'phase', phase: 'PreparingWorkspace', detail: null },
  { type: 'workspace', path: '/workspaces/ENG-1', branch: 'aiops/eng-1', createdNow: true },
  { type: 'phase', phase: 'StreamingTurn', detail: 'turn 1' },
  {
    type: 'agent',
    event: { type: 'session_started', sessionId: 's-1', pid: 42, model: 'm', resumed: false },
  },
  { type: 'agent', event: { type: 'startup_failed', stage: 'initialize', message: 'no' } },
  { type: 'agent', event: { type: 'turn_started', turn: 1, turnId: null } },
  { type: 'agent', event: { type: 'activity', kind: 'command', text: 'npm test' } },
  {
    type: 'agent',
    event: { type: 'tool_call', tool: 'issue_move', success: true, message: 'moved to Done' },
  },
  { type: 'agent', event: { type: 'usage', usage: ZERO_USAGE, costUsd: 0.5 } },
  { type: 'agent', event: { type: 'rate_limits', rateLimits: { primary: { used: 3 } } } },
  { type: 'agent', event: { type: 'model_changed', model: 'm2' } },
  { type: 'agent', event: { type: 'approval_auto_approved', method: 'exec' } },
  { type: 'agent', event: { type: 'unsupported_tool_call', tool: 'launch' } },
  { type: 'agent', event: { type: 'notification', name: 'ping' } },
  { type: 'agent', event: { type: 'malformed', bytes: 12 } },
  { type: 'agent', event: { type: 'turn_input_required', turn: 1, method: 'ask', question: 'Which?' } },
  { type: 'agent', event: { type: 'turn_cancelled', turn: 1 } },
  { type: 'agent', event: { type: 'turn_failed', turn: 1, message: 'broke' } },
  { type: 'agent', event: { type: 'turn_completed', turn: 1 } },
  {
    type: 'agent',
    event: {
      type: 'turn_completed',
      turn: 2,
      usage: { inputTokens: 1_000, outputTokens: 50, totalTokens: 1_050 },
    },
  },
];
