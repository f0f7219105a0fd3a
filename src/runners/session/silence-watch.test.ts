import { expect, test } from 'vitest';
import { watchSilence } from './silence-watch.ts';

function watch(silenceMs: number) {
  let now = 1_000_000;
  let heardAt = 0;
  let inPipe = false;
  let silent = 0;
  let timer: { readonly at: number; readonly callback: () => void } | null = null;
  const cancel = watchSilence({
    clock: {
      now: () => Number.NaN,
      elapsed: () => now,
      paused: () => 0,
      setTimer(delayMs, callback) {
        timer = { at: now + delayMs, callback };
        return () => {
          timer = null;
        };
      },
    },
    silenceMs,
    heardAt: () => heardAt,
    onSilent: () => {
      silent += 1;
    },
  });
  return {
    cancel,
    silent: () => silent,
    hear: () => {
      heardAt = now;
    },
    /** It is read once the timers that are due have fired. */
    fillPipe: () => {
      inPipe = true;
    },
    pass(ms: number) {
      const end = now + ms;
      while (timer !== null && timer.at <= end) {
        const { at, callback } = timer;
        timer = null;
        now = at;
        callback();
        // As an event loop does: first the timers that are due, then what can be read.
        if (inPipe) heardAt = now;
        inPipe = false;
      }
      now = end;
    },
  };
}

test('calls once, after a silence that began with the watch at the earliest', () => {
  const { pass, silent } = watch(100);
  pass(199);
  expect(silent()).toBe(0);
  pass(1);
  expect(silent()).toBe(1);
  pass(10_000);
  expect(silent()).toBe(1);
});

test('whatever is heard begins the silence anew', () => {
  const { pass, hear, silent } = watch(100);
  for (let at = 0; at < 1000; at += 60) {
    pass(60);
    hear();
  }
  pass(199);
  expect(silent()).toBe(0);
  pass(1);
  expect(silent()).toBe(1);
});

test('a watch that was ended calls nobody', () => {
  const { pass, cancel, silent } = watch(100);
  cancel();
  pass(10_000);
  expect(silent()).toBe(0);
});

test('what waits in the pipe when the limit is reached was said in time', () => {
  const { pass, fillPipe, silent } = watch(100);
  fillPipe();
  pass(199);
  expect(silent()).toBe(0);
  pass(101);
  expect(silent()).toBe(1);
});
