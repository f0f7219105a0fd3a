import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { client } from '../access/browser-access.ts';
import type { StateFeed } from '../feed/state-feed.ts';
import { type RunData, RunReader } from './run-reader.ts';

/** How often what changes without an event is read again. */
const READ_EVERY_MS = 15_000;

/**
 * The run, kept true while it is looked at. `stamp` changes when the worker says that something about the run changed:
 * it started again, the run began or ended.
 */
export function useRun(run: string, stateFeed: StateFeed, stamp: string): RunData {
  const reader = useMemo(() => new RunReader({ run, client, setTimer }), [run]);
  useEffect(() => {
    const forget = stateFeed.followRun(run, (message) => reader.hear(message));
    return () => {
      forget();
      reader.stop();
    };
  }, [reader, run, stateFeed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says when to read again.
  useEffect(() => {
    void reader.read();
    const handle = setInterval(() => void reader.read(), READ_EVERY_MS);
    return () => clearInterval(handle);
  }, [reader, stamp]);
  return useSyncExternalStore(reader.subscribe, reader.get);
}

function setTimer(delayMs: number, callback: () => void): () => void {
  const handle = setTimeout(callback, delayMs);
  return () => clearTimeout(handle);
}
