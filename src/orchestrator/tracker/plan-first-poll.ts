import type { Clock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import type { StopReason } from '../../domain/run-outcome.ts';
import type { StartRun } from '../../domain/start-run.ts';
import type { Command } from '../../scheduler/core/commands.ts';
import type { SchedulerEvent } from '../../scheduler/core/events.ts';
import { initialState } from '../../scheduler/core/initial-state.ts';
import type { IssueRecord, SchedulerState } from '../../scheduler/core/state.ts';
import { adoptRuns, type RunElsewhere } from '../../scheduler/explain/adopt.ts';
import { transition } from '../../scheduler/transition.ts';
import type { WorkflowSnapshot } from '../workflow-snapshot.ts';
import { listCandidates, refreshIssues } from './tracker-calls.ts';

export interface FirstPollInput {
  readonly clock: Clock;
  readonly workflow: WorkflowSnapshot;
  /** What earlier workers remembered. */
  readonly records: readonly IssueRecord[];
  readonly workspaces: readonly { readonly issueId: string; readonly identifier: string }[];
  /** What another worker runs at the moment; those count as this one's. */
  readonly running: readonly RunElsewhere[];
}

type IssueName = Pick<Issue, 'id' | 'identifier'>;

/** What a worker that starts now would do in its first poll. */
export interface FirstPollPlan {
  /** In the order they would start. */
  readonly starts: readonly StartRun[];
  readonly stops: readonly { readonly issue: IssueName; readonly reason: StopReason }[];
  readonly removals: readonly { readonly issueId: string; readonly identifier: string }[];
  /** As the scheduler would have it after that poll. */
  readonly state: SchedulerState;
}

/**
 * Lets the scheduler itself decide, answers its questions from the tracker, and writes down what it orders instead of
 * doing it. Only the tracker is asked; nothing is changed anywhere.
 */
export async function planFirstPoll(input: FirstPollInput): Promise<FirstPollPlan> {
  const { clock, workflow, records, workspaces, running } = input;
  const { settings } = workflow;
  const starts: StartRun[] = [];
  const stops: { issue: IssueName; reason: StopReason }[] = [];
  const removals: { issueId: string; identifier: string }[] = [];
  let state = adoptRuns(initialState('dry-run'), running, clock.now(), settings);
  const events: SchedulerEvent[] = [{ type: 'started', records, workspaces }];
  for (let event = events.shift(); event !== undefined; event = events.shift()) {
    let commands: readonly Command[];
    [state, commands] = transition(state, event, clock.now(), settings);
    for (const command of commands) {
      if (command.type === 'start_run') starts.push(command.run);
      else if (command.type === 'remove_workspace') removals.push(command);
      else if (command.type === 'stop_run') {
        const issue = state.live.get(command.runId)?.issue;
        if (issue !== undefined) stops.push({ issue, reason: command.reason });
      } else {
        const answer = await askTracker(command, input);
        if (answer !== null) events.push(answer);
      }
    }
  }
  return { starts, stops, removals, state };
}

/** The tracker's answer to a question of the scheduler; null for an order that is none. */
async function askTracker(
  command: Command,
  { clock, workflow: { tracker } }: FirstPollInput,
): Promise<SchedulerEvent | null> {
  if (command.type === 'list_candidates') {
    const answer = await listCandidates(clock, tracker, command.states);
    return answer.ok
      ? { type: 'candidates_listed', issues: answer.value }
      : { type: 'candidates_failed', failure: answer.failure };
  }
  if (command.type !== 'refresh_issues') return null;
  const { requestId } = command;
  const answer = await refreshIssues(clock, tracker, command.ids);
  return answer.ok
    ? { type: 'issues_refreshed', requestId, outcomes: answer.value }
    : { type: 'refresh_failed', requestId, failure: answer.failure };
}
