import type { EndedRun, RuntimeEvent } from '../scheduler/commands.ts';
import { type LegacyBucket, legacyBuckets } from './snapshot/legacy.ts';

const KEPT_EVENTS = 200;
const KEPT_RUNS = 1000;

/** What the worker remembers for display: recent events, ended runs, counts since it started. Bounded. */
export class Story {
  readonly #events: RuntimeEvent[] = [];
  readonly #runs: EndedRun[] = [];
  readonly #totals = new Map<string, number>();

  constructor(earlierRuns: readonly EndedRun[] = []) {
    this.#runs.push(...earlierRuns.slice(0, KEPT_RUNS));
  }

  addEvent(event: RuntimeEvent): void {
    this.#events.unshift(event);
    if (this.#events.length > KEPT_EVENTS) this.#events.pop();
    if (event.kind === 'operator_terminal_stop') this.#count(event.kind);
  }

  addRun(run: EndedRun): void {
    this.#runs.unshift(run);
    if (this.#runs.length > KEPT_RUNS) this.#runs.pop();
    for (const bucket of legacyBuckets(run)) this.#count(bucket);
    if (run.outcome.kind === 'delivered') this.#count('delivered');
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

  #count(what: string): void {
    this.#totals.set(what, (this.#totals.get(what) ?? 0) + 1);
  }
}
