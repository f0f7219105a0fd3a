import type { IssueId } from '../../domain/issue.ts';
import type { RunId, TurnDecision } from '../../domain/run-event.ts';
import type { Outcome, RunResult, StopReason } from '../../domain/run-outcome.ts';
import type { StartRun } from '../../domain/start-run.ts';
import type { IssueRecord, RunFacts } from './state.ts';

/** `alone`: at once, in a request of its own. `patient`: with others that come along, within a second or so. */
export type ReadUrgency = 'alone' | 'patient';

/** Every effect the scheduler can ask for. The orchestrator executes them; answers come back as events. */
export type Command =
  /** A brief listing need not find out more about issues than a list shows: none of them could start now. */
  | { readonly type: 'list_candidates'; readonly states: readonly string[]; readonly brief?: true }
  | {
      readonly type: 'refresh_issues';
      readonly requestId: string;
      readonly ids: readonly IssueId[];
      readonly urgency?: ReadUrgency;
    }
  | { readonly type: 'start_run'; readonly run: StartRun }
  | { readonly type: 'stop_run'; readonly runId: RunId; readonly reason: StopReason }
  | { readonly type: 'message_run'; readonly runId: RunId; readonly text: string }
  | { readonly type: 'answer_turn'; readonly runId: RunId; readonly decision: TurnDecision }
  /** Replaces a timer of the same key. */
  | { readonly type: 'set_timer'; readonly key: string; readonly at: number }
  | { readonly type: 'clear_timer'; readonly key: string }
  | { readonly type: 'remove_workspace'; readonly issueId: IssueId; readonly identifier: string }
  /** Null stands for the head of the work branch. */
  | {
      readonly type: 'push_branch';
      readonly issueId: IssueId;
      readonly identifier: string;
      readonly commit: string | null;
    }
  /** Looks whether somebody has pushed meanwhile. */
  | { readonly type: 'inspect_branch'; readonly issueId: IssueId; readonly identifier: string }
  | { readonly type: 'save_record'; readonly record: IssueRecord }
  /** Nothing was heard of the issue for the retention time. */
  | { readonly type: 'forget_record'; readonly issueId: IssueId }
  | { readonly type: 'record_run'; readonly run: EndedRun }
  | { readonly type: 'publish'; readonly event: RuntimeEvent };

/** One line of the worker's history, for people. */
export interface RuntimeEvent {
  readonly at: number;
  readonly kind: RuntimeEventKind;
  readonly issueId: IssueId | null;
  readonly identifier: string | null;
  readonly runId: RunId | null;
  readonly sessionId: string | null;
  readonly message: string;
}

export type RuntimeEventKind =
  | 'candidate'
  | 'running'
  /** Which agent runs, when labels ask for what cannot be. */
  | 'agent_choice'
  | 'completed'
  | 'failed'
  | 'retry_scheduled'
  | 'input_blocked'
  | 'continuation_budget_blocked'
  | 'budget_exceeded'
  | 'no_progress_blocked'
  | 'not_pushed_blocked'
  /** An operator had the branch of a hand-over pushed, which delivers it. */
  | 'pushed'
  | 'push_failed'
  | 'stalled'
  | 'stopped'
  | 'released'
  | 'operator_terminal_stop'
  | 'operator_terminal_stop_dispatch_suppressed'
  | 'operator_action'
  | 'dispatch_preflight_failed'
  | 'tracker_poll_failed'
  | 'workspace_removed'
  | 'workspace_cleanup_failed'
  | 'recovered'
  | 'clock_moved'
  | 'memory_lost'
  /** Records of long-gone issues were forgotten. */
  | 'records_folded';

/** A finished run with its one outcome and the evidence for it. */
export interface EndedRun extends Omit<RunFacts, 'pausedMs' | 'runner'> {
  readonly issueId: IssueId;
  readonly identifier: string;
  readonly endedAt: number;
  /** Absent in the record of a run from before it was kept. */
  readonly pausedMs?: number | null | undefined;
  readonly stateAfter: string;
  readonly outcome: Outcome;
  readonly result: RunResult;
  /** The agent itself moved the issue through a tool. */
  readonly handedOff: boolean;
  /** Null in the record of a run from before it was kept. */
  readonly runner: string | null;
}
