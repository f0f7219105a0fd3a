import { expect, test } from 'vitest';
import { createWorkingTime } from './working-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A machine whose clocks, sleep and stopped processes are at hand. */
function machine() {
  const at = { wall: 1_700_000_000_000, monotonic: 5_000, uptime: 900_000 };
  let beat: { readonly every: number; readonly call: () => void } | null = null;
  let untilBeat = 0;
  const pass = (ms: number): void => {
    at.wall += ms;
    at.monotonic += ms;
    at.uptime += ms;
  };
  const time = createWorkingTime({
    wall: () => at.wall,
    monotonic: () => at.monotonic,
    uptime: () => at.uptime,
    every(ms, call) {
      beat = { every: ms, call };
      untilBeat = ms;
    },
  });
  const begunAt = time.elapsed();
  return {
    elapsed: () => time.elapsed() - begunAt,
    paused: () => time.paused(),
    work(ms: number) {
      for (let left = ms; left > 0; ) {
        const step = Math.min(left, untilBeat);
        pass(step);
        left -= step;
        untilBeat -= step;
        if (untilBeat > 0 || beat === null) continue;
        untilBeat = beat.every;
        beat.call();
      }
    },
    /** SIGSTOP: the machine goes on, the beat comes when the process does. */
    stop(ms: number) {
      pass(ms);
      untilBeat = 0;
    },
    /** As Linux has it: the monotonic clock sleeps too. */
    sleep(ms: number) {
      at.wall += ms;
      at.uptime += ms;
    },
    set(ms: number) {
      at.wall += ms;
    },
  };
}

test('counts what passes while the process works, and no pause', () => {
  const { work, elapsed, paused } = machine();
  work(10 * MINUTE);
  expect(elapsed()).toBe(10 * MINUTE);
  expect(paused()).toBe(0);
});

test.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])(
  'a wall clock that is set by %i ms changes neither',
  (jump) => {
    const { work, set, elapsed, paused } = machine();
    work(MINUTE);
    set(jump);
    work(MINUTE);
    expect(elapsed()).toBe(2 * MINUTE);
    expect(paused()).toBe(0);
  },
);

test.each([10_000, HOUR])('a stop of %i ms is a pause, also for whoever asks before the beat', (ms) => {
  const { work, stop, elapsed, paused } = machine();
  work(MINUTE);
  stop(ms);
  expect(elapsed() - MINUTE).toBeLessThanOrEqual(500);
  work(MINUTE);
  expect(elapsed() - 2 * MINUTE).toBeLessThanOrEqual(500);
  expect(paused() + elapsed()).toBe(2 * MINUTE + ms);
});

test('a sleep that no timer counts is a pause', () => {
  const { work, sleep, elapsed, paused } = machine();
  work(MINUTE);
  sleep(42 * MINUTE);
  expect(paused()).toBe(42 * MINUTE);
  work(MINUTE);
  expect(elapsed()).toBe(2 * MINUTE);
  expect(paused()).toBe(42 * MINUTE);
});

test('a sleep and a clock that is set are told apart', () => {
  const { work, sleep, set, elapsed, paused } = machine();
  work(MINUTE);
  set(-HOUR);
  work(1_000);
  sleep(HOUR);
  work(MINUTE);
  expect(paused()).toBe(HOUR);
  expect(elapsed()).toBe(2 * MINUTE + 1_000);
});

test('a beat that is a little late is work: the machine had much to do', () => {
  const { work, stop, elapsed, paused } = machine();
  for (let n = 0; n < 20; n += 1) {
    stop(900);
    work(100);
  }
  expect(elapsed()).toBe(20_000);
  expect(paused()).toBe(0);
});
