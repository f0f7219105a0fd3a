import type { OperatorAction } from '../../contract/actions.ts';
import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import type { PushResult } from '../../domain/push.ts';
import type { RunEvent, RunId } from '../../domain/run-event.ts';
import type { BranchStanding, RunEvidence, RunResult } from '../../domain/run-outcome.ts';
import type { FollowUps, ToolEffect } from '../../domain/tool.ts';
import type { IssueRecord } from './state.ts';

export interface ClockMove {
  /** The wall clock was set: it shows so much more (or less) than has passed. */
  readonly jumpMs: number;
  /** So much passed while the worker could not work: stopped, starved, asleep. */
  readonly pausedMs: number;
}

/** A failed tracker call: what to show, and how long the tracker asked to be left alone. */
export interface TrackerFailure {
  readonly message: string;
  readonly retryAfterMs: number | null;
}

/** Every fact that can change a decision. */
export type SchedulerEvent =
  /** Once, first: what the last life left behind. */
  | {
      readonly type: 'started';
      readonly records: readonly IssueRecord[];
      readonly workspaces: readonly { readonly issueId: IssueId; readonly identifier: string }[];
      /** `one_poll`: nothing is taken on after the first poll. */
      readonly intake?: 'one_poll';
    }
  /** The wall clock and the time that really passed have parted, or the worker could not work for a while. */
  | ({ readonly type: 'clock_moved' } & ClockMove)
  | { readonly type: 'timer_fired'; readonly key: string }
  /** Somebody wants a poll now: an operator, a saved file, a webhook. */
  | { readonly type: 'poll_requested' }
  | { readonly type: 'candidates_listed'; readonly issues: readonly Issue[] }
  | { readonly type: 'candidates_failed'; readonly failure: TrackerFailure }
  | {
      readonly type: 'issues_refreshed';
      readonly requestId: string;
      readonly outcomes: ReadonlyMap<IssueId, RefreshOutcome>;
    }
  | { readonly type: 'refresh_failed'; readonly requestId: string; readonly failure: TrackerFailure }
  | { readonly type: 'run_fact'; readonly runId: RunId; readonly fact: RunFact }
  /** When each of these agents last reported something that is no fact for the scheduler. Comes before it looks for silent ones. */
  | { readonly type: 'agents_heard'; readonly at: ReadonlyMap<RunId, number> }
  /** The agent's tool call begins; until it has finished, what the tracker says may be the call's own doing. */
  | { readonly type: 'tool_started'; readonly runId: RunId }
  | { readonly type: 'tool_finished'; readonly runId: RunId; readonly effect: ToolEffect | null }
  /** The agent is about to file new issues for its own, or has: they are counted over all runs. */
  | { readonly type: 'follow_ups_filed'; readonly runId: RunId; readonly filed: FollowUps }
  /** `evidence` answers `inspect`; null when the turn has just ended. */
  | {
      readonly type: 'turn_ended';
      readonly runId: RunId;
      readonly turn: number;
      readonly evidence: RunEvidence | null;
    }
  | { readonly type: 'run_ended'; readonly runId: RunId; readonly result: RunResult }
  | { readonly type: 'workspace_removed'; readonly issueId: IssueId; readonly error: string | null }
  | { readonly type: 'push_ended'; readonly issueId: IssueId; readonly result: PushResult }
  /** Null: it could not be found out. */
  | { readonly type: 'branch_inspected'; readonly issueId: IssueId; readonly branch: BranchStanding }
  | { readonly type: 'config_changed' }
  | { readonly type: 'operator'; readonly action: OperatorAction }
  | { readonly type: 'shutdown' };

/** What an agent reports that a decision depends on. */
export type AgentFact = Extract<
  AgentEvent,
  { readonly type: 'session_started' | 'turn_started' | 'usage' | 'model_changed' }
>;

/** What a run reports that a decision depends on; everything else it reports is for display. */
export type RunFact =
  | Extract<RunEvent, { readonly type: 'phase' | 'workspace' }>
  | { readonly type: 'agent'; readonly event: AgentFact };

const AGENT_FACTS: ReadonlySet<AgentEvent['type']> = new Set<AgentFact['type']>([
  'session_started',
  'turn_started',
  'usage',
  'model_changed',
]);

export function isRunFact(event: RunEvent): event is RunFact {
  if (event.type === 'agent') return AGENT_FACTS.has(event.event.type);
  return event.type === 'phase' || event.type === 'workspace';
}
