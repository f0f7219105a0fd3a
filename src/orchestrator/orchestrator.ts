import type { OperatorAction } from '../contract/actions.ts';
import type { Clock } from '../domain/clock.ts';
import type { PushResult } from '../domain/push.ts';
import { isProgress, type RunEvent, type RunId } from '../domain/run-event.ts';
import type { Survey } from '../domain/survey.ts';
import { NO_FOLLOW_UPS } from '../domain/tool.ts';
import { messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { ExecuteRun } from '../run/protocol.ts';
import type { Command } from '../scheduler/core/commands.ts';
import { isRunFact, type SchedulerEvent } from '../scheduler/core/events.ts';
import { initialState } from '../scheduler/core/initial-state.ts';
import type { IssueRecord, SchedulerState } from '../scheduler/core/state.ts';
import { transition } from '../scheduler/transition.ts';
import type { Journal } from '../store/journal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { ClockWatch } from './clock/clock-watch.ts';
import { Timers } from './clock/timers.ts';
import { CommandExecutor } from './execute-command.ts';
import { RecentHistory } from './history/recent-history.ts';
import { Observers } from './observers.ts';
import { BranchPushes } from './operator/branch-pushes.ts';
import { type ActivityView, LiveActivity } from './runs/live-activity.ts';
import { crashResult, LiveRuns } from './runs/live-runs.ts';
import { type RunObserver, RunTimelines } from './runs/run-timelines.ts';
import { SurveyPoller } from './tracker/survey-poller.ts';
import type { WorkflowSnapshot } from './workflow-snapshot.ts';

export interface OrchestratorDeps {
  readonly bootId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Journal;
  readonly execute: ExecuteRun;
  workspaces(snapshot: WorkflowSnapshot): Pick<Workspaces, 'list' | 'remove' | 'push' | 'branchStanding'>;
}

/**
 * The shell around the pure scheduler: one event at a time goes through `transition`, its commands are executed,
 * their answers come back as events. Nothing else changes scheduling state.
 */
export class Orchestrator {
  readonly history: RecentHistory;
  readonly startedAt: number;
  readonly #deps: OrchestratorDeps;
  readonly #timers: Timers;
  readonly #clockWatch: ClockWatch;
  readonly #runs: LiveRuns;
  readonly #pushes: BranchPushes;
  readonly #executor: CommandExecutor;
  readonly #surveyPoller: SurveyPoller;
  readonly #activity = new LiveActivity();
  readonly #queue: SchedulerEvent[] = [];
  readonly #observers: Observers<[]>;
  readonly #timelines: RunTimelines;
  #draining = false;
  #state: SchedulerState;
  #workflow: WorkflowSnapshot;
  #ready = false;

  constructor(deps: OrchestratorDeps, workflow: WorkflowSnapshot) {
    this.#deps = deps;
    this.#workflow = workflow;
    this.#state = initialState(deps.bootId);
    this.history = new RecentHistory(deps.journal.recentRuns(1000));
    this.startedAt = deps.clock.now();
    this.#observers = new Observers(deps.logger);
    this.#timelines = new RunTimelines(deps.journal, deps.logger);
    this.#clockWatch = new ClockWatch(deps.clock);
    this.#timers = new Timers(deps.clock, (key) => this.post({ type: 'timer_fired', key }));
    this.#runs = new LiveRuns(
      deps.execute,
      (event) => this.post(event),
      (runId, event) => this.#onRunEvent(runId, event),
      (issueId) => this.#state.records.get(issueId)?.followUps ?? NO_FOLLOW_UPS,
    );
    this.#pushes = new BranchPushes(
      () => deps.workspaces(this.#workflow),
      (event) => this.post(event),
      (issueId, event) => this.#noteOperatorPush(issueId, event),
    );
    this.#executor = new CommandExecutor({
      ...deps,
      timers: this.#timers,
      runs: this.#runs,
      pushes: this.#pushes,
      history: this.history,
      workflow: () => this.#workflow,
      post: (event) => this.post(event),
    });
    this.#surveyPoller = new SurveyPoller(deps.clock, deps.logger, () => this.#observers.tell());
  }

  get state(): SchedulerState {
    return this.#state;
  }

  get workflow(): WorkflowSnapshot {
    return this.#workflow;
  }

  /** What the live runs report, for display. */
  get activity(): ActivityView {
    return this.#activity.view;
  }

  get journal(): Journal {
    return this.#deps.journal;
  }

  /** What the tracker holds besides active issues; null while it has not been asked. */
  get survey(): Survey | null {
    return this.#surveyPoller.last;
  }

  /** True while a fresh `survey` is on its way. */
  get surveying(): boolean {
    return this.#surveyPoller.busy;
  }

  /** True once the first poll could begin. */
  get ready(): boolean {
    return this.#ready;
  }

  /** With `one_poll` the first poll is the only one that takes issues on. */
  async start(intake: 'open' | 'one_poll' = 'open'): Promise<void> {
    const workspaces = await this.#deps.workspaces(this.#workflow).list();
    const records = this.#deps.journal.loadRecords().map((record) => this.#withoutEnded(record));
    this.#ready = true;
    this.#clockWatch.start(() => this.#lookAtClock());
    this.post({ type: 'started', records, workspaces, ...(intake === 'open' ? {} : { intake }) });
  }

  /** A worker that was killed between two writes has recorded the end of a run that its issue still calls live. */
  #withoutEnded(record: IssueRecord): IssueRecord {
    const { underWay, issueId } = record;
    if (underWay === null || underWay === undefined) return record;
    const ended = this.#deps.journal.runsOfIssue(issueId, 5).some(({ runId }) => runId === underWay.runId);
    return ended ? { ...record, underWay: null } : record;
  }

  /** Future work uses the new reading; live runs keep theirs. */
  reload(workflow: WorkflowSnapshot): void {
    this.#workflow = workflow;
    this.post({ type: 'config_changed' });
  }

  /** True when a poll was already under way or due, so that this request joined it. */
  requestPoll(): boolean {
    const { tick } = this.#state;
    const coalesced = tick.phase !== 'idle' || (tick.dueAt !== null && tick.dueAt <= this.#deps.clock.now());
    this.post({ type: 'poll_requested' });
    return coalesced;
  }

  act(action: OperatorAction): void {
    this.post({ type: 'operator', action });
  }

  /** How the push of an issue's branch ends that is under way, or null. */
  pushUnderWay(issueId: string): Promise<PushResult> | null {
    return this.#pushes.underWay(issueId);
  }

  /** Called after each batch of changes; the returned function ends it. */
  observe(onChange: () => void): () => void {
    return this.#observers.add(onChange);
  }

  /** Called with every event of every live run, numbered as in its timeline; the returned function ends it. */
  observeRuns(onEvent: RunObserver): () => void {
    return this.#timelines.observers.add(onEvent);
  }

  /** Tells every run and push to stop and waits until all have ended. */
  async shutdown(): Promise<void> {
    this.#clockWatch.stop();
    this.post({ type: 'shutdown' });
    this.#timers.clearAll();
    this.#pushes.stop();
    await Promise.all([this.#runs.settled(), this.#pushes.settled()]);
    this.#timers.clearAll();
  }

  get liveRuns(): number {
    return this.#runs.size;
  }

  post(event: SchedulerEvent): void {
    this.#queue.push(event);
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#apply(next);
    } finally {
      this.#draining = false;
    }
    this.#surveyPoller.note(this.#state, this.#workflow);
    this.#observers.tell();
  }

  /** What the clock did comes first: every other event is judged by what really passed. */
  #apply(event: SchedulerEvent): void {
    const now = this.#deps.clock.now();
    const move = this.#clockWatch.look(now);
    if (move !== null || !('runId' in event)) this.#tellHeard(now);
    if (move !== null) this.#transit({ type: 'clock_moved', ...move }, now);
    this.#transit(event, now);
  }

  /** Before silent agents are looked for, and before times are moved. */
  #tellHeard(now: number): void {
    const at = this.#activity.takeHeard();
    if (at !== null) this.#transit({ type: 'agents_heard', at }, now);
  }

  #lookAtClock(): void {
    const move = this.#clockWatch.look(this.#deps.clock.now());
    if (move !== null) this.post({ type: 'clock_moved', ...move });
  }

  #transit(event: SchedulerEvent, now: number): void {
    let commands: readonly Command[];
    try {
      [this.#state, commands] = transition(this.#state, event, now, this.#workflow.settings);
    } catch (error) {
      this.#deps.logger.error('an event could not be applied', {
        event: event.type,
        error: messageOf(error),
      });
      return;
    }
    if (event.type === 'run_ended') {
      this.#timelines.forget(event.runId);
      this.#activity.forget(event.runId);
    }
    if (event.type === 'candidates_listed') this.history.addListed(event.issues);
    for (const command of commands) this.#execute(command);
  }

  /** A command that cannot be carried out is a bug; a run that could not start still ends, so its claim is not lost. */
  #execute(command: Command): void {
    try {
      this.#executor.execute(command);
    } catch (error) {
      this.#deps.logger.error('a command could not be executed', {
        command: command.type,
        error: messageOf(error),
      });
      if (command.type === 'start_run') {
        this.post({ type: 'run_ended', runId: command.run.runId, result: crashResult(error) });
      }
    }
  }

  /** Only what a decision depends on goes through the scheduler. */
  #onRunEvent(runId: RunId, event: RunEvent): void {
    this.#lookAtClock();
    const at = this.#deps.clock.now();
    const run = this.#state.live.get(runId);
    if (run !== undefined) this.#activity.note(runId, event, at);
    if (!isProgress(event)) this.#timelines.record(runId, run, event, at);
    if (isRunFact(event)) this.post({ type: 'run_fact', runId, fact: event });
    else if (!this.#draining) this.#observers.tell();
  }

  /** The push carries what the issue's last run left: there people look for what became of it. */
  #noteOperatorPush(issueId: string, event: RunEvent): void {
    const { journal, clock } = this.#deps;
    const last = this.history.runs.find((run) => run.issueId === issueId);
    if (last !== undefined) journal.appendRunEvent(last.runId, clock.now(), event);
  }
}
