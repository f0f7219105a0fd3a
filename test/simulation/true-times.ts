import type { EndedRun } from '../../src/scheduler/core/commands.ts';
import type { SchedulerSettings } from '../../src/scheduler/core/settings.ts';
import type { IssueRecord } from '../../src/scheduler/core/state.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface TrueRun {
  readonly issueId: string;
  readonly startedAt: number;
  heardAt: number;
}

/** What a stop hides of the work before it, and what rounding makes of many parts. */
const SLACK_MS = 1_000;

/** The shortest limit of any agent of these simulations. */
const MIN_STALL_MS = 300_000;

/** How long runs really were at work and agents silent, whatever clocks say: budgets and limits are held against it. */
export class TrueTimes {
  readonly #clock: VirtualClock;
  readonly #runs = new Map<string, TrueRun>();
  /** Of runs that are over, per issue. */
  readonly #worked = new Map<string, number>();
  readonly #over = new Map<string, TrueRun>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  started(runId: string, issueId: string): void {
    const now = this.#clock.elapsed();
    this.#runs.set(runId, { issueId, startedAt: now, heardAt: now });
  }

  heard(runId: string): void {
    const run = this.#runs.get(runId);
    if (run !== undefined) run.heardAt = this.#clock.elapsed();
  }

  ended(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    this.#runs.delete(runId);
    this.#over.set(runId, run);
    const worked = this.#worked.get(run.issueId) ?? 0;
    this.#worked.set(run.issueId, worked + this.#clock.elapsed() - run.startedAt);
  }

  endAll(): void {
    for (const runId of [...this.#runs.keys()]) this.ended(runId);
  }

  /** Issues that are charged for time that did not pass. */
  *overcharged(records: Iterable<IssueRecord>): Iterable<string> {
    const now = this.#clock.elapsed();
    const live = new Map<string, number>();
    for (const { issueId, startedAt } of this.#runs.values()) live.set(issueId, now - startedAt);
    for (const { issueId, lifetime } of records) {
      const worked = (this.#worked.get(issueId) ?? 0) + (live.get(issueId) ?? 0);
      if (lifetime.runtimeMs > worked + SLACK_MS)
        yield `${issueId} is charged ${lifetime.runtimeMs} ms of agent time, and ${worked} passed`;
    }
  }

  /** What a run was stopped for that had not come about. */
  *wronged({ runId, identifier, outcome }: EndedRun, settings: SchedulerSettings): Iterable<string> {
    const run = this.#over.get(runId);
    if (run === undefined) return;
    const now = this.#clock.elapsed();
    const silent = now - run.heardAt;
    if (outcome.kind === 'stalled' && silent < MIN_STALL_MS - SLACK_MS)
      yield `${identifier} was ended as silent after ${silent} ms`;
    const { runtimeMs } = settings.budgets.run;
    const atWork = now - run.startedAt;
    if (
      /agent time used, the budget of the run/.test(outcome.summary) &&
      atWork < (runtimeMs ?? 0) - SLACK_MS
    )
      yield `${identifier} was ended over its time after ${atWork} ms of ${runtimeMs}`;
  }
}
