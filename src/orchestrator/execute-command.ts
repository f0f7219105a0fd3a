import type { Clock } from '../domain/clock.ts';
import { UNKNOWN_STANDING } from '../domain/run-outcome.ts';
import type { StartRun } from '../domain/start-run.ts';
import { messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { RunSpec } from '../run/protocol.ts';
import type { Command, EndedRun, ReadUrgency, RuntimeEvent } from '../scheduler/core/commands.ts';
import type { SchedulerEvent } from '../scheduler/core/events.ts';
import type { Journal } from '../store/journal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { withDeadline } from './clock/deadline.ts';
import type { Timers } from './clock/timers.ts';
import { logEvent } from './history/log-event.ts';
import type { RecentHistory } from './history/recent-history.ts';
import type { BranchPushes } from './operator/branch-pushes.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import { runSettings } from './runs/run-settings.ts';
import { IssueReads } from './tracker/issue-reads.ts';
import { listCandidates } from './tracker/tracker-calls.ts';
import type { WorkflowSnapshot } from './workflow-snapshot.ts';

/** A removal that hangs is reported as failed after this long; saving and deleting many files on a slow disk takes minutes. */
const REMOVAL_TIMEOUT_MS = 10 * 60_000;

/** A look at a branch that takes longer says nothing. */
const INSPECTION_TIMEOUT_MS = 60_000;

export interface ExecutorDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Journal;
  readonly timers: Timers;
  readonly runs: LiveRuns;
  readonly pushes: BranchPushes;
  readonly history: RecentHistory;
  workspaces(snapshot: WorkflowSnapshot): Pick<Workspaces, 'list' | 'remove' | 'push' | 'branchStanding'>;
  workflow(): WorkflowSnapshot;
  post(event: SchedulerEvent): void;
}

/** Carries out commands. Slow ones run beside the mailbox and answer with an event. */
export class CommandExecutor {
  readonly #deps: ExecutorDeps;
  readonly #reads: IssueReads;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#reads = new IssueReads(deps.clock);
  }

  execute(command: Command): void {
    const execute = this.#executors[command.type] as (command: Command) => void;
    execute(command);
  }

  readonly #executors: {
    readonly [Type in Command['type']]: (command: Extract<Command, { readonly type: Type }>) => void;
  } = {
    list_candidates: ({ states, brief }) => void this.#listCandidates(states, brief === true),
    refresh_issues: ({ requestId, ids, urgency }) => void this.#refresh(requestId, ids, urgency),
    start_run: ({ run }) => this.#startRun(run),
    stop_run: ({ runId, reason }) => this.#deps.runs.stop(runId, reason),
    message_run: ({ runId, text }) => this.#deps.runs.message(runId, text),
    answer_turn: ({ runId, decision }) => this.#deps.runs.answer(runId, decision),
    set_timer: ({ key, at }) => this.#deps.timers.set(key, at),
    clear_timer: ({ key }) => this.#deps.timers.clear(key),
    remove_workspace: ({ issueId, identifier }) => void this.#removeWorkspace(issueId, identifier),
    push_branch: (command) => this.#deps.pushes.start(command),
    inspect_branch: ({ issueId, identifier }) => void this.#inspectBranch(issueId, identifier),
    save_record: ({ record }) => this.#deps.journal.saveRecord(record),
    forget_record: ({ issueId }) => this.#deps.journal.forgetRecord(issueId),
    record_run: ({ run }) => this.#recordRun(run),
    publish: ({ event }) => this.#publish(event),
  };

  async #listCandidates(states: readonly string[], brief: boolean): Promise<void> {
    const answer = await listCandidates(this.#deps.clock, this.#deps.workflow().tracker, states, brief);
    this.#deps.post(
      answer.ok
        ? { type: 'candidates_listed', issues: answer.value }
        : { type: 'candidates_failed', failure: answer.failure },
    );
  }

  async #refresh(requestId: string, ids: readonly string[], urgency?: ReadUrgency): Promise<void> {
    const answer = await this.#reads.read(this.#deps.workflow().tracker, ids, urgency);
    if (!answer.ok) this.#deps.logger.warn('issue refresh failed', { error: answer.failure.message });
    this.#deps.post(
      answer.ok
        ? { type: 'issues_refreshed', requestId, outcomes: answer.value }
        : { type: 'refresh_failed', requestId, failure: answer.failure },
    );
  }

  #startRun(run: StartRun): void {
    const snapshot = this.#deps.workflow();
    const { config, tools } = snapshot;
    if (tools === null) throw new Error('a run cannot start without a tracker');
    const spec: RunSpec = {
      ...run,
      tools: tools.specs,
      secretEnvironmentNames: tools.secretEnvironmentNames,
      settings: runSettings(config, run.profile),
    };
    const { push } = this.#deps.workspaces(snapshot);
    this.#deps.runs.start(spec, tools, push);
  }

  async #removeWorkspace(issueId: string, identifier: string): Promise<void> {
    const { logger, post } = this.#deps;
    try {
      const workspaces = this.#deps.workspaces(this.#deps.workflow());
      const report = await withDeadline(this.#deps.clock, REMOVAL_TIMEOUT_MS, (signal) =>
        workspaces.remove(identifier, signal, { issueId }),
      );
      if (report.rescuedTo !== null) {
        logger.warn('unpushed work was saved before removal', {
          issue_id: issueId,
          issue_identifier: identifier,
          rescued_to: report.rescuedTo,
        });
      }
      post({ type: 'workspace_removed', issueId, error: null });
    } catch (error) {
      post({ type: 'workspace_removed', issueId, error: messageOf(error) });
    }
  }

  async #inspectBranch(issueId: string, identifier: string): Promise<void> {
    const branch = await withDeadline(this.#deps.clock, INSPECTION_TIMEOUT_MS, async (signal) =>
      this.#deps.workspaces(this.#deps.workflow()).branchStanding(identifier, signal),
    ).catch(() => UNKNOWN_STANDING);
    this.#deps.post({ type: 'branch_inspected', issueId, branch });
  }

  #recordRun(run: EndedRun): void {
    this.#deps.journal.recordRun(run);
    this.#deps.history.addRun(run);
  }

  #publish(event: RuntimeEvent): void {
    this.#deps.journal.appendEvent(event);
    this.#deps.history.addEvent(event);
    logEvent(this.#deps.logger, event);
  }
}
