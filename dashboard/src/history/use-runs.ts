import { useEffect, useState } from 'react';
import { ApiError } from '../../../src/contract/client.ts';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import { client } from '../access/browser-access.ts';
import { firstDay } from './derive-history.ts';

interface RunsState {
  readonly runs: readonly EndedRun[] | null;
  readonly problem: string | null;
  /** False when the worker may have more than it lists. */
  readonly complete: boolean;
}

const PAGE = 1_000;
/** The worker lists no more. */
const MAX_PAGES = 5;
const READ_EVERY_MS = 60_000;

/** Finished runs of the last days, read again from time to time. */
export function useRuns(days: number, workerNow: number): RunsState {
  const [state, setState] = useState<RunsState>({ runs: null, problem: null, complete: true });
  const [round, setRound] = useState(0);
  const since = new Date(firstDay(days, workerNow)).toISOString();
  useEffect(() => {
    const handle = setInterval(() => setRound((before) => before + 1), READ_EVERY_MS);
    return () => clearInterval(handle);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads again.
  useEffect(() => {
    const gone = new AbortController();
    readRuns(since, gone.signal).then(
      (read) => setState({ ...read, problem: null }),
      (error: unknown) => {
        if (!gone.signal.aborted) setState((before) => ({ ...before, problem: describe(error) }));
      },
    );
    return () => gone.abort();
  }, [since, round]);
  return state;
}

async function readRuns(since: string, signal: AbortSignal): Promise<Pick<RunsState, 'runs' | 'complete'>> {
  const runs: EndedRun[] = [];
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await client.runs({ limit: PAGE, ...(before === undefined ? {} : { before }) }, signal);
    runs.push(...list.runs);
    const last = list.runs.at(-1);
    if (list.next === null || last === undefined || last.ended_at < since) return { runs, complete: true };
    before = list.next;
  }
  return { runs, complete: false };
}

function describe(error: unknown): string {
  return error instanceof ApiError ? error.message : 'the page could not ask';
}
