import type { Clock } from '../../domain/clock.ts';

/** Runs a call with a signal that is aborted after `ms`; the timer never outlives the call. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel = clock.setTimer(ms, () =>
    controller.abort(new Error(`no answer after ${Math.round(ms / 1000)} s`)),
  );
  try {
    return await call(controller.signal);
  } finally {
    cancel();
  }
}
