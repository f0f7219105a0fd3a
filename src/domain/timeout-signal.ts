import { backgroundClock, type Clock } from './clock.ts';

/**
 * Aborts after this much working time, or with any of the given signals. Unlike `AbortSignal.timeout` it does not count while the
 * process is stopped or the machine sleeps: what was under way then gets the rest of its time afterwards.
 */
export function timeoutSignal(
  ms: number,
  others: readonly (AbortSignal | undefined)[] = [],
  clock: Pick<Clock, 'setTimer'> = backgroundClock,
): AbortSignal {
  const controller = new AbortController();
  clock.setTimer(ms, () => controller.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')));
  return AbortSignal.any([controller.signal, ...others.filter((signal) => signal !== undefined)]);
}
