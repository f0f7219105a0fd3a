import type { Issue } from '../../domain/issue.ts';
import type { OutcomeKind } from '../../domain/run-outcome.ts';
import type { EndedRun, RuntimeEvent } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import { type LegacyBucket, legacyBuckets } from './legacy-buckets.ts';

const MAX_EVENTS = 200;
const MAX_RUNS = 1000;
const MAX_NAMES = 5000;

/** An issue the worker once had something to say about. */
export interface SeenIssue {
  readonly issueId: string;
  readonly identifier: string;
}

/** Sums over the runs that ended in this process, for metrics. */
export interface RunSums {
  readonly outcomes: ReadonlyMap<OutcomeKind, number>;
  /** How long they took. */
  readonly seconds: Histogram;
}

/** Upper bounds in seconds; the counts are cumulative, as Prometheus wants them. */
export interface Histogram {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

const BOUNDS: readonly number[] = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];

/** What the worker remembers for display: recent events, ended runs, counts since it started. Bounded. */
export class RecentHistory {
  readonly #events: RuntimeEvent[] = [];
  readonly #runs: EndedRun[] = [];
  readonly #totals = new Map<string, number>();
  readonly #outcomes = new Map<OutcomeKind, number>();
  readonly #seen = new Map<string, SeenIssue>();
  readonly #buckets = BOUNDS.map(() => 0);
  #sums = { count: 0, seconds: 0 };
  #eventCount = 0;
  #runCount = 0;

  constructor(earlierRuns: readonly EndedRun[] = []) {
    this.#runs.push(...earlierRuns.slice(0, MAX_RUNS));
    for (const run of this.#runs.toReversed()) this.#see(run.issueId, run.identifier);
  }

  addEvent(event: RuntimeEvent): void {
    this.#eventCount += 1;
    this.#events.unshift(event);
    if (this.#events.length > MAX_EVENTS) this.#events.pop();
    if (event.issueId !== null) this.#see(event.issueId, event.identifier ?? event.issueId);
    if (event.kind === 'operator_terminal_stop') this.#count(event.kind);
    if (event.kind === 'pushed') this.#count('delivered');
  }

  addRun(run: EndedRun): void {
    this.#runCount += 1;
    this.#runs.unshift(run);
    if (this.#runs.length > MAX_RUNS) this.#runs.pop();
    for (const bucket of legacyBuckets(run)) this.#count(bucket);
    if (run.outcome.kind === 'delivered') this.#count('delivered');
    this.#see(run.issueId, run.identifier);
    this.#addUp(run);
  }

  /** Issues that a listing named: they are known by name even when nothing more is ever heard of them. */
  addListed(issues: readonly Pick<Issue, 'id' | 'identifier'>[]): void {
    for (const { id, identifier } of issues) this.#see(id, identifier);
  }

  total(what: LegacyBucket | 'delivered' | 'operator_terminal_stop'): number {
    return this.#totals.get(what) ?? 0;
  }

  /** Newest first. */
  get events(): readonly RuntimeEvent[] {
    return this.#events;
  }

  /** Newest first. */
  get runs(): readonly EndedRun[] {
    return this.#runs;
  }

  /** Events told so far; grows by one with each. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Runs that ended in this process; grows by one with each. */
  get runCount(): number {
    return this.#runCount;
  }

  /** The issue of this id or identifier, in any case, or null. */
  findSeen(idOrIdentifier: string): SeenIssue | null {
    return this.#seen.get(idOrIdentifier.toLowerCase()) ?? null;
  }

  get sums(): RunSums {
    const { count, seconds } = this.#sums;
    return {
      outcomes: this.#outcomes,
      seconds: { bounds: BOUNDS, counts: this.#buckets, count, sum: seconds },
    };
  }

  #see(issueId: string, identifier: string): void {
    const issue = { issueId, identifier };
    for (const name of [issueId.toLowerCase(), identifier.toLowerCase()]) {
      this.#seen.delete(name);
      this.#seen.set(name, issue);
    }
    for (const [oldest] of this.#seen) {
      if (this.#seen.size <= 2 * MAX_NAMES) break;
      this.#seen.delete(oldest);
    }
  }

  #addUp(run: EndedRun): void {
    const seconds = runtimeOfEnded(run) / 1000;
    this.#outcomes.set(run.outcome.kind, (this.#outcomes.get(run.outcome.kind) ?? 0) + 1);
    BOUNDS.forEach((bound, index) => {
      if (seconds <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    });
    this.#sums = { count: this.#sums.count + 1, seconds: this.#sums.seconds + seconds };
  }

  #count(what: string): void {
    this.#totals.set(what, (this.#totals.get(what) ?? 0) + 1);
  }
}
