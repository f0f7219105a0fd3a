import type { EndedRun as EndedRow, RecentEvent, SessionUsage } from '../../contract/ended-rows.ts';
import { LIST_LIMITS } from '../../contract/limits.ts';
import type { EndedRun, RuntimeEvent } from '../../scheduler/core/commands.ts';
import { bucketIds, type LegacyBucket, sessionUsageRow } from '../history/legacy-buckets.ts';
import type { RecentHistory } from '../history/recent-history.ts';
import { cleanRow, type Redact } from './clean-rows.ts';
import { endedRow, eventRow } from './rows.ts';

/** The part of a snapshot that changes only when a run ends, together with the costly bit of it as JSON. */
export interface RunRows {
  readonly ended: EndedRow[];
  readonly usage: SessionUsage[];
  readonly usageJson: string;
  /** Newest first, bounded. */
  readonly ids: Readonly<Record<LegacyBucket, string[]>>;
  /** Also those beyond the bound. */
  readonly idCounts: Readonly<Record<LegacyBucket, number>>;
  readonly newest: ReadonlyMap<string, EndedRun>;
}

interface Made {
  readonly ended: EndedRow;
  readonly usage: SessionUsage;
  readonly usageJson: string;
}

/** Makes each row of the history once. With a thousand finished runs, making them anew is most of a snapshot's cost. */
export class HistoryRows {
  readonly #history: RecentHistory;
  readonly #redact: Redact;
  #made = new WeakMap<EndedRun, Made>();
  readonly #madeEvents = new WeakMap<RuntimeEvent, RecentEvent>();
  #runs: { readonly key: string; readonly rows: RunRows } | null = null;
  #events: { readonly count: number; readonly rows: RecentEvent[] } | null = null;
  #source = '';

  constructor(history: RecentHistory, redact: Redact) {
    this.#history = history;
    this.#redact = redact;
  }

  runs(provider: string, workflowPath: string): RunRows {
    const source = JSON.stringify([provider, workflowPath]);
    if (source !== this.#source) this.#made = new WeakMap();
    this.#source = source;
    const key = `${this.#history.runCount} ${source}`;
    if (this.#runs?.key !== key) this.#runs = { key, rows: this.#makeRuns(provider, workflowPath) };
    return this.#runs.rows;
  }

  /** The last runs of issues that wait for a person, where they delivered: newest first, bounded. */
  inReview(waits: (issueId: string) => boolean, { newest }: RunRows): EndedRow[] {
    const rows: EndedRow[] = [];
    for (const run of newest.values()) {
      if (run.outcome.kind !== 'delivered' || !waits(run.issueId)) continue;
      const made = this.#made.get(run);
      if (made !== undefined) rows.push(made.ended);
      if (rows.length === LIST_LIMITS.in_review) break;
    }
    return rows;
  }

  /** Newest first. */
  events(): RecentEvent[] {
    const count = this.#history.eventCount;
    if (this.#events?.count !== count) {
      const events = this.#history.events.slice(0, LIST_LIMITS.recent_events);
      this.#events = { count, rows: events.map((event) => this.#eventRow(event)) };
    }
    return this.#events.rows;
  }

  #makeRuns(provider: string, workflowPath: string): RunRows {
    const { runs } = this.#history;
    const made = runs.map((run) => this.#runRows(run, provider, workflowPath));
    const oldestFirst = made.slice(0, LIST_LIMITS.completed_session_usage).toReversed();
    const ids = mapBuckets((bucket) => bucketIds(runs, bucket));
    return {
      ended: made.slice(0, LIST_LIMITS.ended).map((rows) => rows.ended),
      usage: oldestFirst.map((rows) => rows.usage),
      usageJson: `[${oldestFirst.map((rows) => rows.usageJson).join(',')}]`,
      ids: mapBuckets((bucket) => ids[bucket].slice(0, LIST_LIMITS.issue_ids)),
      idCounts: mapBuckets((bucket) => ids[bucket].length),
      newest: newestByIssue(runs),
    };
  }

  #runRows(run: EndedRun, provider: string, workflowPath: string): Made {
    const known = this.#made.get(run);
    if (known !== undefined) return known;
    const usage = sessionUsageRow(run, provider, workflowPath);
    const made = { ended: cleanRow(endedRow(run), this.#redact), usage, usageJson: JSON.stringify(usage) };
    this.#made.set(run, made);
    return made;
  }

  #eventRow(event: RuntimeEvent): RecentEvent {
    const known = this.#madeEvents.get(event);
    if (known !== undefined) return known;
    const row = cleanRow(eventRow(event), this.#redact);
    this.#madeEvents.set(event, row);
    return row;
  }
}

function mapBuckets<R>(make: (bucket: LegacyBucket) => R): Record<LegacyBucket, R> {
  return {
    completed: make('completed'),
    reconcile_stopped_with_progress: make('reconcile_stopped_with_progress'),
    agent_handoff_reconcile_stopped: make('agent_handoff_reconcile_stopped'),
    active_success_no_handoff: make('active_success_no_handoff'),
  };
}

function newestByIssue(runs: readonly EndedRun[]): ReadonlyMap<string, EndedRun> {
  const newest = new Map<string, EndedRun>();
  for (const run of runs) if (!newest.has(run.issueId)) newest.set(run.issueId, run);
  return newest;
}
