import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { createReporter } from './reporter.ts';

function reporter() {
  let now = 0;
  const events: AgentEvent[] = [];
  const clock = { now: () => now, setTimer: () => () => {} };
  const emit = (event: AgentEvent): void => void events.push(event);
  return {
    events,
    wait(ms: number) {
      now += ms;
    },
    ...createReporter({ clock, prices: {}, pulseMs: 1_000, emit, isOwnTurn: () => true }),
  };
}

test('a lively agent with nothing to tell is reported now and then; everything is counted', () => {
  const { accept, pulse, counts, events, wait } = reporter();
  for (let at = 0; at < 50; at += 1) {
    wait(100);
    if (at % 2 === 0) pulse('item/agentMessage/delta');
    else accept('invented/notification', { any: 'thing' });
  }
  expect(events).toHaveLength(5);
  expect(counts()).toEqual({ 'item/agentMessage/delta': 25, 'invented/notification': 25 });
});

test('unreadable lines are one event a second, and none is forgotten', () => {
  const { malformed, flush, events, wait } = reporter();
  for (let at = 0; at < 1_000; at += 1) malformed(10);
  wait(1_000);
  malformed(10);
  malformed(5);
  flush();
  expect(events).toEqual([10, 10_000, 5].map((bytes) => ({ type: 'malformed', bytes })));
});

test.each([
  'item/completed',
  'thread/tokenUsage/updated',
  'account/rateLimits/updated',
  'model/rerouted',
  'error',
])('%s with params that are not its own is malformed, never a crash', (method) => {
  const { accept, flush, events } = reporter();
  for (const params of [null, undefined, 7, 'x', [], {}, { item: null }, { threadId: 'a', item: 7 }])
    accept(method, params);
  flush();
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['malformed']));
});

test('the same note again and again is told once', () => {
  const { accept, events } = reporter();
  for (let at = 0; at < 10; at += 1) accept('warning', { threadId: null, message: 'careful' });
  accept('model/rerouted', { threadId: 'a', toModel: 'b' });
  accept('warning', { threadId: null, message: 'careful' });
  expect(events.map(({ type }) => type)).toEqual(['notification', 'model_changed', 'notification']);
});
