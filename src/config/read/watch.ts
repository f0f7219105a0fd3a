import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors/app-error.ts';
import type { LoadedWorkflow, LoadResult } from './load.ts';
import type { ConfigProblem } from './problem.ts';
import { readWorkflow } from './read-workflow.ts';

export interface WatchOptions {
  readonly path: string;
  /** Fingerprint of the content whose settings are in force; without it, the content at the time of the call. */
  readonly since?: string;
  /** Loads the file as it is now. */
  load(): Promise<LoadResult>;
  /** A changed file that loads. The last good settings stay in force until this is called. */
  onReload(loaded: LoadedWorkflow): void | Promise<void>;
  /** A changed file that does not load, or whose settings `onReload` refused; once for each distinct content. */
  onFailure(problems: readonly ConfigProblem[]): void;
  /** After a failure: the file is good again, changed (then `onReload` came first) or put back as it was. */
  onRecovered?(): void;
  readonly intervalMs?: number;
}

const USUAL_INTERVAL_MS = 400;
/** An editor that writes in place empties the file first; content must be the same twice before it counts. */
const SETTLE_MS = 60;

/**
 * Watches a workflow file by its content, so that rename-saves, coarse timestamps and file systems without events
 * make no difference: a change is seen within a second. Returns the function that stops it.
 */
export function watchWorkflow(options: WatchOptions): () => Promise<void> {
  const stopped = new AbortController();
  const done = watch(options, stopped.signal);
  return async () => {
    stopped.abort();
    await done;
  };
}

async function watch(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const fingerprint = async () => (await readWorkflow(options.path)).fingerprint;
  let good = options.since ?? (await fingerprint());
  let seen = good;
  for (;;) {
    await pause(options.intervalMs ?? USUAL_INTERVAL_MS, signal);
    const now = await fingerprint();
    if (now !== seen) {
      await pause(SETTLE_MS, signal);
      if ((await fingerprint()) !== now) continue;
    }
    if (signal.aborted) return;
    if (now === seen) continue;
    const failing = seen !== good;
    seen = now;
    if (now !== good) {
      const result = await apply(options, now, signal);
      seen = result.fingerprint;
      if (!result.ok) {
        options.onFailure(result.problems);
        continue;
      }
      good = seen;
    }
    if (failing) options.onRecovered?.();
  }
}

/** Loads and hands over; whatever goes wrong on the way must not end the watch. */
async function apply(options: WatchOptions, now: string, signal: AbortSignal): Promise<LoadResult> {
  let fingerprint = now;
  try {
    const result = await options.load();
    fingerprint = result.fingerprint;
    if (result.ok && !signal.aborted) await options.onReload(result);
    return result;
  } catch (error) {
    const problem: ConfigProblem = {
      code: 'internal_error',
      file: options.path,
      line: null,
      key: null,
      message: `the changed workflow could not be applied: ${messageOf(error)}`,
      hint: 'The settings before the change stay in force; change the file again or restart the worker.',
    };
    return { ok: false, problems: [problem], rest: null, fingerprint };
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
