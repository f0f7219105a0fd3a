import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { createActivityThrottle } from './activity-throttle.ts';

function gate() {
  let now = 0;
  const events: AgentEvent[] = [];
  const clock = { now: () => 0, elapsed: () => now, paused: () => 0, setTimer: () => () => {} };
  return {
    events,
    wait(ms: number) {
      now += ms;
    },
    ...createActivityThrottle(clock, (event) => events.push(event)),
  };
}

const activity = (text: string) => ({ type: 'activity', kind: 'message', text }) as const;

test('a working agent is never held back', () => {
  const { accept, wait, flush, events } = gate();
  for (let at = 0; at < 5000; at += 1) {
    accept(activity(`${at}`));
    wait(50);
  }
  flush();
  expect(events).toHaveLength(5000);
  expect(events.every(({ type }) => type === 'activity')).toBe(true);
});

test('of a flood some, the number and the last are kept', () => {
  const { accept, flush, events } = gate();
  for (let at = 0; at < 10_000; at += 1) accept(activity(`${at}`));
  flush();
  expect(events).toHaveLength(102);
  expect(events.slice(-2)).toEqual([
    { type: 'notification', name: '9899 activities came too fast to be recorded' },
    activity('9999'),
  ]);
  flush();
  expect(events).toHaveLength(102);
});

test('after a flood everything goes on', () => {
  const { accept, wait, events } = gate();
  for (let at = 0; at < 101; at += 1) accept(activity(`${at}`));
  wait(1000);
  accept(activity('later'));
  expect(events.slice(-2)).toEqual([
    { type: 'notification', name: '1 activities came too fast to be recorded' },
    activity('later'),
  ]);
});
