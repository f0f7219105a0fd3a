import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { createExchange, type Exchange } from './exchange.ts';

function openExchange(): { exchange: Exchange; events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  const exchange = createExchange({ onEvent: (event) => events.push(event), pid: () => 7, onToolCall() {} });
  say(exchange, { type: 'session_started', sessionId: 'mock-1', model: 'mock', resumed: false });
  events.length = 0;
  return { exchange, events };
}

function say(exchange: Exchange, event: unknown): void {
  exchange.acceptLine(JSON.stringify({ type: 'event', event }));
}

function usage(totalTokens: number): unknown {
  return { type: 'usage', usage: { inputTokens: totalTokens, outputTokens: 0, totalTokens }, costUsd: null };
}

test('nothing counts before the session is open, and it opens once', () => {
  const events: AgentEvent[] = [];
  const exchange = createExchange({ onEvent: (event) => events.push(event), pid: () => 7, onToolCall() {} });
  say(exchange, { type: 'activity', kind: 'plan', text: 'early' });
  const opening = { type: 'session_started', sessionId: 'mock-1', model: 'mock', resumed: false };
  say(exchange, opening);
  say(exchange, { ...opening, sessionId: 'mock-2' });
  expect(events.map((event) => event.type)).toEqual(['malformed', 'session_started', 'malformed']);
  expect(events[1]).toEqual({ ...opening, pid: 7 });
});

test('tokens never shrink', () => {
  const { exchange, events } = openExchange();
  for (const total of [10, 5, 20]) say(exchange, usage(total));
  expect(events.map((event) => (event.type === 'usage' ? event.usage.totalTokens : null))).toEqual([
    10, 10, 20,
  ]);
});

test('texts are cut', () => {
  const { exchange, events } = openExchange();
  say(exchange, { type: 'activity', kind: 'message', text: 'x'.repeat(50_000) });
  expect(events).toEqual([{ type: 'activity', kind: 'message', text: 'x'.repeat(2000) }]);
});

test('the end of a turn is reported in the order the agent printed it', async () => {
  const { exchange, events } = openExchange();
  const turn = exchange.beginTurn(1);
  exchange.acceptLine('{"type":"turn_result","turn":1,"result":{"kind":"completed"}}');
  say(exchange, { type: 'activity', kind: 'message', text: 'after the end' });
  expect(await turn).toEqual({ kind: 'completed' });
  expect(events.map((event) => event.type)).toEqual(['turn_started', 'turn_completed', 'activity']);
});

test('a result for another turn, or a second one, changes nothing', async () => {
  const { exchange, events } = openExchange();
  const turn = exchange.beginTurn(2);
  exchange.acceptLine('{"type":"turn_result","turn":1,"result":{"kind":"completed"}}');
  exchange.acceptLine('{"type":"turn_result","turn":2,"result":{"kind":"interrupted"}}');
  exchange.acceptLine('{"type":"turn_result","turn":2,"result":{"kind":"completed"}}');
  expect(await turn).toEqual({ kind: 'interrupted' });
  expect(events.map((event) => event.type)).toEqual([
    'turn_started',
    'malformed',
    'turn_cancelled',
    'malformed',
  ]);
});

test('closing ends the turn, and nothing is reported after it', async () => {
  const { exchange, events } = openExchange();
  const turn = exchange.beginTurn(1);
  exchange.close();
  say(exchange, usage(1));
  exchange.acceptLine('garbage');
  exchange.acceptOversizeLine(5);
  expect(await turn).toEqual({ kind: 'interrupted' });
  expect(events.map((event) => event.type)).toEqual(['turn_started', 'turn_cancelled']);
});
