import { expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import { createGovernor, type Governor } from './governor.ts';
import { createGovernors } from './governors.ts';

const never = new AbortController().signal;
const HOUR = 3_600_000;
/** A poll that is put off is tried again after this long at most. */
const MAX_GAP_MS = 120_000;

/** Time that moves only when told to; timers fire on the way. */
function manualClock(): Clock & { advance(ms: number): void; set(ms: number): void } {
  let now = 1_000_000;
  /** How far the wall clock was set. */
  let set = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now + set,
    elapsed: () => now,
    paused: () => 0,
    setTimer(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    set(ms) {
      set += ms;
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}

function use(governor: Governor, clock: Clock, remaining: number, cost = 1, resetIn = HOUR): void {
  governor.observe({
    notModified: false,
    readings: [{ meter: 'requests', limit: 1000, remaining, resetAt: clock.now() + resetIn, cost }],
  });
}

function retryAfter(run: () => unknown): number | null {
  try {
    run();
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'tracker_rate_limited', message: expect.stringContaining('slowed') });
    return (error as { context: { retryAfterMs: number } }).context.retryAfterMs;
  }
}

it('lets polls follow each other while at least half of the allowance is left', () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  for (const remaining of [1000, 900, 500]) {
    expect(retryAfter(() => governor.beginPoll())).toBeNull();
    use(governor, clock, remaining, 10);
  }
});

it('spreads polls over the time to the reset when less is left', () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  governor.beginPoll();
  use(governor, clock, 300, 4);
  // 100 of 1000 are kept back; 4 a poll leaves 50 polls for an hour.
  expect(retryAfter(() => governor.beginPoll())).toBe(HOUR / 50);
  clock.advance(HOUR / 50);
  expect(retryAfter(() => governor.beginPoll())).toBeNull();
});

it('puts a poll off for two minutes at most, because it also looks after the claims', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  governor.beginPoll();
  use(governor, clock, 150, 40);
  expect(retryAfter(() => governor.beginPoll())).toBe(120_000);
  clock.advance(120_000);
  expect(retryAfter(() => governor.beginPoll())).toBe(120_000);
  await governor.admit('refresh', never);
});

it('counts what refreshes and tools used as well', () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  governor.beginPoll();
  use(governor, clock, 302, 2);
  use(governor, clock, 300, 2);
  expect(retryAfter(() => governor.beginPoll())).toBe(HOUR / 50);
});

it('stops polling for the rest of the window when only the reserve is left, and starts again after it', () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  use(governor, clock, 100, 1, 60_000);
  expect(retryAfter(() => governor.beginPoll())).toBe(60_000);
  clock.advance(60_000);
  expect(retryAfter(() => governor.beginPoll())).toBeNull();
  expect(governor.read()).toMatchObject({ remaining: null, resetAt: null });
});

it('believes no reset that is further away than an hour, as no pause is, and asks again then', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  const tenYears = 10 * 365 * 24 * HOUR;
  use(governor, clock, 0, 1, tenYears);
  expect(governor.read()).toMatchObject({ resetAt: clock.now() + HOUR, slowedUntil: clock.now() + HOUR });
  await expect(governor.admit('poll', never)).rejects.toMatchObject({ context: { retryAfterMs: HOUR } });
  clock.advance(HOUR);
  expect(retryAfter(() => governor.beginPoll())).toBeNull();
  await governor.admit('poll', never);
  governor.pause(tenYears);
  expect(governor.read().pausedUntil).toBe(clock.now() + HOUR);
});

it.each([HOUR, -HOUR, -24 * HOUR])(
  'waits no longer and no shorter when the wall clock is set by %i ms',
  (ms) => {
    const clock = manualClock();
    const governor = createGovernor({ clock });
    governor.pause(60_000);
    use(governor, clock, 0, 1, 90_000);
    clock.set(ms);
    expect(governor.read()).toMatchObject({
      pausedUntil: clock.now() + 60_000,
      resetAt: clock.now() + 90_000,
    });
    clock.advance(89_999);
    expect(retryAfter(() => governor.beginPoll())).toBe(1);
    clock.advance(1);
    expect(retryAfter(() => governor.beginPoll())).toBeNull();
  },
);

it('keeps the last of the allowance for tools, then refuses those too', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  use(governor, clock, 20);
  await expect(governor.admit('refresh', never)).rejects.toMatchObject({
    code: 'tracker_rate_limited',
    context: { retryAfterMs: HOUR },
  });
  await governor.admit('tool', never);
  use(governor, clock, 0);
  await expect(governor.admit('tool', never)).rejects.toMatchObject({ code: 'tracker_rate_limited' });
  await governor.admit('refresh', never, 'another meter');
});

it('obeys a pause: polls and refreshes fail at once, tools wait if it is short', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  governor.pause(5_000);
  governor.pause(2_000);
  expect(governor.read().pausedUntil).toBe(clock.now() + 5_000);
  expect(retryAfter(() => governor.beginPoll())).toBe(5_000);
  await expect(governor.admit('poll', never)).rejects.toMatchObject({ context: { retryAfterMs: 5_000 } });
  let done = false;
  const waiting = governor.admit('tool', never).then(() => {
    done = true;
  });
  await Promise.resolve();
  expect(done).toBe(false);
  clock.advance(5_000);
  await waiting;
  expect(governor.read().pausedUntil).toBeNull();
  governor.pause(60_000);
  await expect(governor.admit('tool', never)).rejects.toMatchObject({ context: { retryAfterMs: 60_000 } });
});

it('ends the wait of a tool whose run is stopped', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  governor.pause(5_000);
  const stop = new AbortController();
  const waiting = governor.admit('tool', stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'tracker_request' });
  await expect(governor.admit('tool', AbortSignal.abort())).rejects.toMatchObject({
    code: 'tracker_request',
  });
});

it('shows the scarcest allowance and counts requests', async () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  await governor.admit('poll', never);
  await governor.admit('poll', never);
  governor.observe({
    notModified: true,
    readings: [
      { meter: 'requests', limit: 1000, remaining: 900, resetAt: clock.now() + 1, cost: 0 },
      { meter: 'complexity', limit: 100, remaining: 10, resetAt: clock.now() + HOUR, cost: 0 },
    ],
  });
  expect(governor.read()).toEqual({
    remaining: 10,
    limit: 100,
    resetAt: clock.now() + HOUR,
    requests: 2,
    notModified: 1,
    pausedUntil: null,
    slowedUntil: clock.now() + HOUR,
    allowances: [
      { name: 'complexity', limit: 100, remaining: 10, resetAt: clock.now() + HOUR },
      { name: 'requests', limit: 1000, remaining: 900, resetAt: clock.now() + 1 },
    ],
  });
});

it('says until when polls are put off, and why not when they are not', () => {
  const clock = manualClock();
  const governor = createGovernor({ clock });
  expect(governor.read().slowedUntil).toBeNull();
  governor.beginPoll();
  use(governor, clock, 300, 10);
  const { slowedUntil } = governor.read();
  expect(slowedUntil).toBe(clock.now() + (HOUR * 10) / 200);
  expect(retryAfter(() => governor.beginPoll())).toBe(MAX_GAP_MS);
  governor.pause(HOUR / 2);
  expect(governor.read().slowedUntil).toBe(clock.now() + HOUR / 2);
});

it('gives one governor to one token, across reloads, and another to another', () => {
  const governors = createGovernors({ clock: manualClock() });
  const first = governors.of('https://api.example.com', 'key-one');
  expect(governors.of('https://api.example.com', 'key-one')).toBe(first);
  expect(governors.of('https://api.example.com', 'key-two')).not.toBe(first);
});
