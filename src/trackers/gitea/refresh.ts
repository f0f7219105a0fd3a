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

export interface Refresh {
  /** Issues that were listed, which tell how far the server's clock has come. */
  observe(records: readonly ForgeRecord[]): void;
  read(numbers: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, RecordOutcome>>;
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

/** Reads issues by number. The API has no request for several, so a list of what changed stands in for most of them. */
export function createRefresh(source: RefreshSource, clock: Clock): Refresh {
  const known = new Map<number, Known>();
  /** The latest change seen anywhere. */
  let newest = 0;
  let refreshCount = 0;

  function observe(records: readonly ForgeRecord[]): void {
    for (const record of records) newest = Math.max(newest, changedAt(record, clock.now()));
  }

  function remember(record: ForgeRecord, since: number, readIn: number): void {
    known.set(record.number, {
      record,
      currentUntil: Math.max(since, changedAt(record, clock.now())),
      readIn,
    });
  }

  async function readOne(number: number, signal: AbortSignal): Promise<RecordOutcome> {
    const since = newest;
    known.delete(number);
    const outcome = await source.read(number, signal);
    if (outcome.kind === 'record') remember(outcome.record, since, refreshCount);
    return outcome;
  }

  /** Those that need not be read by themselves this time. */
  function trusted(numbers: readonly number[]): readonly number[] {
    return numbers
      .filter((number) => known.has(number))
      .toSorted((a, b) => (known.get(b)?.readIn ?? 0) - (known.get(a)?.readIn ?? 0))
      .slice(0, -READ_IN_TURN);
  }

  /** Brings up to date those for which that can be done with one request. */
  async function follow(
    numbers: readonly number[],
    signal: AbortSignal,
  ): Promise<Map<number, RecordOutcome>> {
    const outcomes = new Map<number, RecordOutcome>();
    if (numbers.length === 0) return outcomes;
    const instants = numbers.map((number) => known.get(number)?.currentUntil ?? 0);
    const since = newest;
    const changes = await source.changedSince(new Date(Math.min(...instants) - MARGIN_MS), signal);
    observe(changes.records);
    if (!changes.complete) return outcomes;
    for (const number of numbers) {
      const memory = known.get(number);
      const record = changes.records.find((candidate) => candidate.number === number) ?? memory?.record;
      if (record === undefined || memory === undefined) continue;
      remember(record, since, memory.readIn);
      outcomes.set(number, { kind: 'record', record });
    }
    return outcomes;
  }

  async function readBatch(
    numbers: readonly number[],
    signal: AbortSignal,
  ): Promise<Map<number, RecordOutcome>> {
    refreshCount += 1;
    for (const number of known.keys()) if (!numbers.includes(number)) known.delete(number);
    return numbers.length > MAX_SINGLE_READS ? follow(trusted(numbers), signal) : new Map();
  }

  return {
    observe,
    async read(numbers, signal) {
      const outcomes = await readBatch(numbers, signal);
      const rest = numbers.filter((number) => !outcomes.has(number));
      const failures: unknown[] = [];
      for (let start = 0; start < rest.length && !failures.some(isFinal); start += MAX_PARALLEL_READS) {
        const some = rest.slice(start, start + MAX_PARALLEL_READS);
        const read = await Promise.allSettled(some.map((number) => readOne(number, signal)));
        for (const [index, result] of read.entries()) {
          if (result.status === 'rejected') failures.push(result.reason);
          outcomes.set(
            some[index] ?? 0,
            result.status === 'fulfilled'
              ? result.value
              : { kind: 'unknown', reason: messageOf(result.reason) },
          );
        }
      }
      if (failures.length > 0 && failures.length === outcomes.size) throw failures[0];
      return outcomes;
    },
  };
}

/** Zero when the forge does not say. Imported issues may have dates in the future, which would hide what comes before. */
function changedAt({ updatedAt }: ForgeRecord, now: number): number {
  const at = Date.parse(updatedAt ?? '');
  return Number.isNaN(at) ? 0 : Math.min(at, now);
}

/** After a rate limit or a cancelled call there is no sense in asking on. */
function isFinal(error: unknown): boolean {
  return error instanceof AppError && ['tracker_rate_limited', 'tracker_request'].includes(error.code);
}
