/** A call that began at most this long ago still saw what a caller arriving now wants to see. */
const JOIN_WINDOW_MS = 2_000;

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  readonly beganAt: number;
  waiting: number;
}

/**
 * Lets callers who want the same work at the same moment share one execution of it. Each has its own signal; the work
 * itself is aborted only when every caller has left. A caller arriving late in a long execution starts another.
 */
export interface SingleFlight<T> {
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createSingleFlight<T>(now: () => number = () => performance.now()): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const promise = work(controller.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    // Whoever waits handles the failure; without this a flight everyone has left would be an unhandled rejection.
    promise.catch(() => {});
    const flight: Flight<T> = { promise, controller, beganAt: now(), waiting: 0 };
    flights.set(key, flight);
    return flight;
  }

  return {
    async run(key, signal, work) {
      signal.throwIfAborted();
      const current = flights.get(key);
      const joinable =
        current !== undefined &&
        !current.controller.signal.aborted &&
        now() - current.beganAt <= JOIN_WINDOW_MS;
      const flight = joinable ? current : start(key, work);
      flight.waiting += 1;
      let leave = (): void => {};
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason);
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        return await Promise.race([flight.promise, left]);
      } finally {
        signal.removeEventListener('abort', leave);
        flight.waiting -= 1;
        if (flight.waiting === 0) flight.controller.abort(signal.reason ?? new Error('no caller is waiting'));
      }
    },
  };
}
