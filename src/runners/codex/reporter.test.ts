import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { createReports } from '../session/reports.ts';
import { Reporter } from './reporter.ts';

function reporter() {
  let now = 0;
  const events: AgentEvent[] = [];
  const clock = { now: () => 0, elapsed: () => now, paused: () => 0, setTimer: () => () => {} };
  const reports = createReports(clock, 1_000, (event) => events.push(event));
  const subject = new Reporter({ reports, prices: {}, isOwnTurn: () => true });
  return {
    events,
    wait(ms: number) {
      now += ms;
    },
    accept: (method: string, params: unknown) => subject.accept(method, params),
    pulse: (method: string) => subject.pulse(method),
    counts: () => subject.counts(),
    malformed: reports.unread,
    flush: reports.flush,
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

test('R-13.5-e counters of unknown meaning are no usage, whoever sends them', () => {
  const { accept, events } = reporter();
  const usage = { inputTokens: 7, outputTokens: 7, totalTokens: 14 };
  for (const method of ['invented/usage', 'item/invented', 'thread/status/changed', 'turn/diff/updated'])
    accept(method, {
      threadId: 'a',
      turnId: 't',
      usage,
      tokenUsage: { last: usage },
      last_token_usage: usage,
    });
  accept('thread/tokenUsage/updated', { threadId: 'a', turnId: 't', tokenUsage: { last: usage } });
  expect(events.filter(({ type }) => type === 'usage')).toEqual([]);
});

test('R-13.5-c counters are read by the names in common use', () => {
  const { accept, events } = reporter();
  const send = (total: object): void =>
    accept('thread/tokenUsage/updated', { threadId: 'a', turnId: 't', tokenUsage: { total, last: total } });
  send({ inputTokens: 10, outputTokens: 1 });
  send({ input_tokens: 20, output_tokens: 2, cached_input_tokens: 3 });
  send({ prompt_tokens: 30, completion_tokens: 3 });
  expect(events.flatMap((event) => (event.type === 'usage' ? [event.usage.totalTokens] : []))).toEqual([
    11, 22, 33,
  ]);
});
