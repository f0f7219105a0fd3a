import { messageOf } from '../../../errors/app-error.ts';
import type { ForgeRecord } from '../record.ts';
import { endsReading } from './ends-reading.ts';
import type { ForgeReads } from './forge-reads.ts';
import { describeQuery, type ListQuery } from './list-query.ts';
import type { ProblemLog } from './problem-log.ts';

export interface Listed {
  readonly record: ForgeRecord;
  /** Set when its listing failed and this is what the one before it said. */
  readonly staleReason: string | null;
}

type Attempt =
  | { readonly ok: true; readonly records: readonly ForgeRecord[] }
  | { readonly ok: false; readonly error: unknown; readonly query: ListQuery };

/**
 * Reads several listings. One that fails does not blank the others: its issues stay as last seen, but may not start.
 * When none succeeds, or the forge asks for silence, the whole read fails.
 */
export function listAll(
  reads: ForgeReads,
  problems: ProblemLog,
): (queries: readonly ListQuery[], signal: AbortSignal) => Promise<readonly Listed[]> {
  const lastGood = new Map<string, readonly ForgeRecord[]>();

  async function attempt(query: ListQuery, signal: AbortSignal): Promise<Attempt> {
    const name = describeQuery(query);
    try {
      const { records, malformed, capped } = await reads.list(query, signal);
      for (const number of malformed) problems.record(number, name);
      problems.listing(name, capped ? CAPPED : null);
      lastGood.set(name, records);
      return { ok: true, records };
    } catch (error) {
      if (endsReading(error, signal)) throw error;
      return { ok: false, error, query };
    }
  }

  return async (queries, signal) => {
    const attempts = await Promise.all(queries.map((query) => attempt(query, signal)));
    const failures = attempts.filter((made) => !made.ok);
    const [first] = failures;
    if (first !== undefined && failures.length === attempts.length) throw first.error;
    const listed = new Map<number, Listed>();
    for (const made of attempts) {
      if (!made.ok) continue;
      for (const record of made.records) {
        if (!listed.has(record.number)) listed.set(record.number, { record, staleReason: null });
      }
    }
    for (const { query, error } of failures) {
      const name = describeQuery(query);
      const problem = `listing ${name} failed: ${messageOf(error)}`;
      problems.listing(name, problem);
      for (const record of lastGood.get(name) ?? []) {
        if (!listed.has(record.number)) listed.set(record.number, { record, staleReason: problem });
      }
    }
    return [...listed.values()];
  };
}

const CAPPED = 'there are more issues than tracker.pagination_max_pages allows; the rest is not seen';
