import { expect, test } from 'vitest';
import { watchSilence } from './silence-watch.ts';

function watch(silenceMs: number) {
  let now = 1_000_000;
  let heardAt = 0;
  let silent = 0;
  let timer: { readonly at: number; readonly callback: () => void } | null = null;
  const cancel = watchSilence({
    clock: {
      now: () => now,
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
    setBack(ms: number) {
      now -= ms;
      if (timer !== null) timer = { ...timer, at: timer.at - ms };
    },
    pass(ms: number) {
      const end = now + ms;
      while (timer !== null && timer.at <= end) {
        const { at, callback } = timer;
        timer = null;
        now = at;
        callback();
      }
      now = end;
    },
  };
}

test('calls once, after a silence that began with the watch at the earliest', () => {
  const { pass, silent } = watch(100);
  pass(99);
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
  pass(99);
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

test('a clock that is set back by a day delays the call by two silences at most', () => {
  const { pass, hear, setBack, silent } = watch(100);
  pass(10);
  hear();
  setBack(86_400_000);
  pass(300);
  expect(silent()).toBe(1);
});
