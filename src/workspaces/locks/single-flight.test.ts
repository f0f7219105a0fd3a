import { describe, expect, test } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

const never = new AbortController().signal;

/** Work that ends when told to. */
function controlled() {
  const calls: { resolve(value: string): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const work = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      calls.push({ resolve, reject, signal });
    });
  return { calls, work };
}

describe('single flight', () => {
  test('callers at the same moment share one execution and its result', async () => {
    const flights = createSingleFlight<string>();
    const { calls, work } = controlled();
    const all = Promise.all([1, 2, 3].map(() => flights.run('a', never, work)));
    expect(calls).toHaveLength(1);
    calls[0]?.resolve('done');
    expect(await all).toEqual(['done', 'done', 'done']);
  });

  test('other keys, and callers after the end, get an execution of their own', async () => {
    const flights = createSingleFlight<string>();
    const { calls, work } = controlled();
    const first = flights.run('a', never, work);
    const other = flights.run('b', never, work);
    calls[0]?.resolve('1');
    calls[1]?.resolve('2');
    expect(await Promise.all([first, other])).toEqual(['1', '2']);
    const later = flights.run('a', never, work);
    expect(calls).toHaveLength(3);
    calls[2]?.resolve('3');
    expect(await later).toBe('3');
  });

  test('a caller arriving late in a long execution does not get its stale answer', async () => {
    let now = 0;
    const flights = createSingleFlight<string>(() => now);
    const { calls, work } = controlled();
    const early = flights.run('a', never, work);
    now = 10_000;
    const late = flights.run('a', never, work);
    expect(calls).toHaveLength(2);
    calls[1]?.resolve('fresh');
    calls[0]?.resolve('stale');
    expect(await late).toBe('fresh');
    expect(await early).toBe('stale');
  });

  test('one caller leaving does not stop the others; the last one leaving stops the work', async () => {
    const flights = createSingleFlight<string>();
    const { calls, work } = controlled();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = flights.run('a', one.signal, work);
    const second = flights.run('a', two.signal, work);
    one.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(calls[0]?.signal.aborted).toBe(false);
    two.abort(new Error('gone too'));
    await expect(second).rejects.toThrow('gone too');
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  test('a failure reaches every caller and is not remembered', async () => {
    const flights = createSingleFlight<string>();
    const { calls, work } = controlled();
    const both = Promise.allSettled([flights.run('a', never, work), flights.run('a', never, work)]);
    calls[0]?.reject(new Error('broken'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = flights.run('a', never, work);
    calls[1]?.resolve('mended');
    expect(await again).toBe('mended');
  });
});
