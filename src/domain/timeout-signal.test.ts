import { expect, test } from 'vitest';
import { timeoutSignal } from './timeout-signal.ts';

function settableTimer() {
  const timers: { ms: number; callback: () => void }[] = [];
  const setTimer = (ms: number, callback: () => void) => {
    timers.push({ ms, callback });
    return () => {};
  };
  return { timers, setTimer };
}

test('it aborts when the clock says that so much working time is over, and not before', () => {
  const clock = settableTimer();
  const signal = timeoutSignal(30_000, [], clock);
  expect(clock.timers.map(({ ms }) => ms)).toEqual([30_000]);
  expect(signal.aborted).toBe(false);
  clock.timers[0]?.callback();
  expect(signal).toMatchObject({ aborted: true, reason: { name: 'TimeoutError' } });
});

test('it aborts at once with any of the others, for their reason', () => {
  const stop = new AbortController();
  const signal = timeoutSignal(30_000, [undefined, stop.signal], settableTimer());
  stop.abort('the run is stopped');
  expect(signal.reason).toBe('the run is stopped');
});
