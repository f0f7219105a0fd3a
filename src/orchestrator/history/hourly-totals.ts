import type { History, HistoryPoint } from '../../contract/history.ts';
import type { WireOutcome } from '../../contract/wire.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { JournalReader } from '../../store/journal.ts';
import { seconds, utc } from '../wire-values.ts';
import type { RecentHistory } from './recent-history.ts';

const HOUR_MS = 3_600_000;
const BUCKET_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
/** Runs read back from the journal the first time somebody asks. */
const MAX_RUNS_READ = 5_000;

interface Sums {
  runs: number;
  readonly outcomes: Map<WireOutcome, number>;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  runtimeMs: number;
}

/** Finished runs summed up by the hour. Reads the journal once, then only what has ended since. */
export class HourlyTotals {
  readonly #history: RecentHistory;
  readonly #journal: Pick<JournalReader, 'recentRuns'>;
  readonly #hours = new Map<number, Sums>();
  #counted: number | null = null;
  #completeSince: number | null = null;

  constructor(history: RecentHistory, journal: Pick<JournalReader, 'recentRuns'>) {
    this.#history = history;
    this.#journal = journal;
  }

  /** The last `points` buckets up to now, in UTC. */
  read(bucket: History['bucket'], points: number, now: number): History {
    this.#catchUp();
    const size = BUCKET_MS[bucket];
    const last = Math.floor(now / size) * size;
    const starts = Array.from({ length: points }, (_, index) => last - (points - 1 - index) * size);
    return {
      bucket,
      points: starts.map((start) => this.#point(start, size)),
      complete_since: this.#completeSince === null ? null : utc(this.#completeSince),
    };
  }

  #catchUp(): void {
    const { runs, runCount } = this.#history;
    if (this.#counted === null) {
      const earlier = this.#journal.recentRuns(MAX_RUNS_READ);
      const all = earlier.length >= runs.length ? earlier : runs;
      for (const run of all) this.#add(run);
      if (all.length >= MAX_RUNS_READ) this.#completeSince = all.at(-1)?.endedAt ?? null;
    } else {
      for (const run of runs.slice(0, runCount - this.#counted)) this.#add(run);
    }
    this.#counted = runCount;
  }

  #add(run: EndedRun): void {
    const hour = Math.floor(run.endedAt / HOUR_MS) * HOUR_MS;
    const sums = this.#hours.get(hour) ?? emptySums();
    this.#hours.set(hour, sums);
    sums.runs += 1;
    sums.outcomes.set(run.outcome.kind, (sums.outcomes.get(run.outcome.kind) ?? 0) + 1);
    sums.inputTokens += run.usage.inputTokens;
    sums.outputTokens += run.usage.outputTokens;
    sums.costUsd += run.costUsd ?? 0;
    sums.runtimeMs += runtimeOfEnded(run);
  }

  #point(start: number, size: number): HistoryPoint {
    const total = emptySums();
    for (let hour = start; hour < start + size; hour += HOUR_MS) {
      const sums = this.#hours.get(hour);
      if (sums === undefined) continue;
      total.runs += sums.runs;
      total.inputTokens += sums.inputTokens;
      total.outputTokens += sums.outputTokens;
      total.costUsd += sums.costUsd;
      total.runtimeMs += sums.runtimeMs;
      for (const [kind, count] of sums.outcomes) {
        total.outcomes.set(kind, (total.outcomes.get(kind) ?? 0) + count);
      }
    }
    return {
      at: utc(start),
      runs: total.runs,
      outcomes: Object.fromEntries(total.outcomes),
      input_tokens: total.inputTokens,
      output_tokens: total.outputTokens,
      cost_usd: total.costUsd,
      runtime_seconds: seconds(total.runtimeMs),
    };
  }
}

function emptySums(): Sums {
  return { runs: 0, outcomes: new Map(), inputTokens: 0, outputTokens: 0, costUsd: 0, runtimeMs: 0 };
}
