import type { Clock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { RecordOutcome } from '../forge/reading/forge-reads.ts';
import type { ForgeRecord } from '../forge/record.ts';

export interface RefreshSource {
  read(number: number, signal: AbortSignal): Promise<RecordOutcome>;
  /** Issues changed at this instant or later, with one request. */
  changedSince(instant: Date, signal: AbortSignal): Promise<Changes>;
}

export interface Changes {
  readonly records: readonly ForgeRecord[];
  /** False when there were more, or some that cannot be read. */
  readonly complete: boolean;
}

interface Known {
  readonly record: ForgeRecord;
  /** Whatever changed the issue after it was read carries this time or a later one, by the server's clock. */
  readonly currentUntil: number;
  /** The refresh in which it was last read by itself. */
  readonly readIn: number;
}

/** Up to so many are simply read one by one. */
const MAX_SINGLE_READS = 4;
/** Issues of a larger refresh that are read by themselves, in turn: a list of changes does not tell what was deleted. */
const READ_IN_TURN = 2;
/** Issues read at the same time. */
const MAX_PARALLEL_READS = 4;
/** The clocks of one forge's servers, and transactions that take their time, may differ by this much. */
const MARGIN_MS = 20_000;

export function createRefresh(source: RefreshSource, clock: Clock): Refresh {
  return new Refresh(source, clock);
}

/** Reads issues by number. The API has no request for several, so a list of what changed stands in for most of them. */
class Refresh {
  readonly #source: RefreshSource;
  readonly #clock: Clock;
  readonly #known = new Map<number, Known>();
  /** The latest change seen anywhere. */
  #newest = 0;
  #refreshCount = 0;

  constructor(source: RefreshSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** Issues that were listed, which tell how far the server's clock has come. */
  observe(records: readonly ForgeRecord[]): void {
    for (const record of records) this.#newest = Math.max(this.#newest, this.#changedAt(record));
  }

  async read(numbers: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, RecordOutcome>> {
    this.#refreshCount += 1;
    for (const number of this.#known.keys()) if (!numbers.includes(number)) this.#known.delete(number);
    const outcomes = new Map<number, RecordOutcome>();
    if (numbers.length > MAX_SINGLE_READS) await this.#follow(this.#trusted(numbers), outcomes, signal);
    const rest = numbers.filter((number) => !outcomes.has(number));
    const failures: unknown[] = [];
    for (let start = 0; start < rest.length && !failures.some(isFinal); start += MAX_PARALLEL_READS) {
      const some = rest.slice(start, start + MAX_PARALLEL_READS);
      const results = await Promise.allSettled(some.map((number) => this.#readOne(number, signal)));
      for (const [index, result] of results.entries()) {
        const failed = result.status === 'rejected';
        if (failed) failures.push(result.reason);
        outcomes.set(
          some[index] ?? 0,
          failed ? { kind: 'unknown', reason: messageOf(result.reason) } : result.value,
        );
      }
    }
    if (failures.length > 0 && failures.length === outcomes.size) throw failures[0];
    return outcomes;
  }

  /** Those that need not be read by themselves this time. */
  #trusted(numbers: readonly number[]): readonly number[] {
    const readIn = (number: number): number => this.#known.get(number)?.readIn ?? 0;
    return numbers
      .filter((number) => this.#known.has(number))
      .toSorted((a, b) => readIn(b) - readIn(a))
      .slice(0, -READ_IN_TURN);
  }

  /** Brings up to date those for which that can be done with one request. */
  async #follow(
    numbers: readonly number[],
    outcomes: Map<number, RecordOutcome>,
    signal: AbortSignal,
  ): Promise<void> {
    if (numbers.length === 0) return;
    const instants = numbers.map((number) => this.#known.get(number)?.currentUntil ?? 0);
    const since = this.#newest;
    const changes = await this.#source.changedSince(new Date(Math.min(...instants) - MARGIN_MS), signal);
    this.observe(changes.records);
    if (!changes.complete) return;
    for (const number of numbers) {
      const memory = this.#known.get(number);
      if (memory === undefined) continue;
      const record = changes.records.find((candidate) => candidate.number === number) ?? memory.record;
      this.#remember(record, since, memory.readIn);
      outcomes.set(number, { kind: 'record', record });
    }
  }

  async #readOne(number: number, signal: AbortSignal): Promise<RecordOutcome> {
    const since = this.#newest;
    this.#known.delete(number);
    const outcome = await this.#source.read(number, signal);
    if (outcome.kind === 'record') this.#remember(outcome.record, since, this.#refreshCount);
    return outcome;
  }

  #remember(record: ForgeRecord, since: number, readIn: number): void {
    const currentUntil = Math.max(since, this.#changedAt(record));
    this.#known.set(record.number, { record, currentUntil, readIn });
  }

  /** Zero when the forge does not say. Imported issues may have dates in the future, which would hide what comes before. */
  #changedAt({ updatedAt }: ForgeRecord): number {
    const at = Date.parse(updatedAt ?? '');
    return Number.isNaN(at) ? 0 : Math.min(at, this.#clock.now());
  }
}

/** After a rate limit or a cancelled call there is no sense in asking on. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && ['tracker_rate_limited', 'tracker_request'].includes(error.code);
}
