import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { createReports } from './reports.ts';

function fixture() {
  let now = 10_000;
  const events: AgentEvent[] = [];
  const clock = { now: () => 0, elapsed: () => now, paused: () => 0, setTimer: () => () => {} };
  return {
    events,
    reports: createReports(clock, 1_000, (event) => events.push(event)),
    move(ms: number) {
      now += ms;
    },
  };
}

const pulses = (events: readonly AgentEvent[]): number =>
  events.filter(({ type }) => type === 'notification').length;

test('a pulse is reported only when nothing else was for a while', () => {
  const { reports, events, move } = fixture();
  reports.pulse('working');
  move(900);
  reports.emit({ type: 'model_changed', model: 'b' });
  move(900);
  reports.pulse('working');
  expect(pulses(events)).toBe(0);
  move(100);
  reports.pulse('working');
  expect(pulses(events)).toBe(1);
});

test('a clock that was set back silences neither the pulse nor unreadable lines', () => {
  const { reports, events, move } = fixture();
  reports.unread(5);
  move(-5_000);
  reports.pulse('working');
  reports.unread(7);
  expect(events).toEqual([
    { type: 'malformed', bytes: 5 },
    { type: 'notification', name: 'working' },
    { type: 'malformed', bytes: 7 },
  ]);
});

test('nothing is held back beyond the end of a turn', () => {
  const { reports, events } = fixture();
  for (let at = 0; at < 300; at += 1) reports.emit({ type: 'activity', kind: 'message', text: `${at}` });
  for (let at = 0; at < 3; at += 1) reports.unread(10);
  reports.emit(null);
  reports.flush();
  expect(events).toContainEqual({ type: 'activity', kind: 'message', text: '299' });
  expect(events.flatMap((event) => (event.type === 'malformed' ? [event.bytes] : []))).toEqual([10, 20]);
});
