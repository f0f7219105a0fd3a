import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../../../src/contract/client.ts';
import type { RunDiff } from '../../../../src/contract/runs.ts';
import { client } from '../../access/browser-access.ts';

interface DiffState {
  readonly diff: RunDiff | null;
  readonly problem: string | null;
  readonly reading: boolean;
}

/** The diff as it was when it was read last: it is read when asked for, not with every event. */
export function useDiff(run: string): DiffState & { readAgain(): void } {
  const [state, setState] = useState<DiffState>({ diff: null, problem: null, reading: true });
  const read = useCallback(
    (signal?: AbortSignal): void => {
      setState((before) => ({ ...before, reading: true }));
      client.runDiff(run, signal).then(
        (diff) => setState({ diff, problem: null, reading: false }),
        (error: unknown) => {
          if (signal?.aborted !== true) setState({ diff: null, problem: describe(error), reading: false });
        },
      );
    },
    [run],
  );
  useEffect(() => {
    const gone = new AbortController();
    read(gone.signal);
    return () => gone.abort();
  }, [read]);
  return { ...state, readAgain: () => read() };
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return 'the page could not ask';
  return error.hint === null ? error.message : `${error.message}. ${error.hint}`;
}
