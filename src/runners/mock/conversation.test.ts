import { expect, test } from 'vitest';
import { createSessionFixture, type SessionFixture } from '../../../test/fakes/session-fixture.ts';
import type { AgentSession } from '../runner.ts';
import { MockConversation } from './conversation.ts';

const never = new AbortController().signal;
const OPENING = { type: 'session_started', sessionId: 'mock-1', model: 'mock', resumed: false };

interface Open extends SessionFixture {
  readonly agent: AgentSession;
  readonly conversation: MockConversation;
}

/** Its agent has no process: what it would print is said by the tests. */
function openConversation(): Open {
  const fake = createSessionFixture();
  const conversation = new MockConversation(fake.session, null);
  say(conversation, OPENING);
  fake.events.length = 0;
  return { ...fake, conversation, agent: fake.session.begin(conversation) };
}

function say(conversation: MockConversation, event: unknown): void {
  conversation.acceptLine(JSON.stringify({ type: 'event', event }));
}

function usage(totalTokens: number): unknown {
  return { type: 'usage', usage: { inputTokens: totalTokens, outputTokens: 0, totalTokens }, costUsd: null };
}

test('nothing counts before the session is open, and it opens once', async () => {
  const { session, events } = createSessionFixture();
  const conversation = new MockConversation(session, null);
  say(conversation, { type: 'activity', kind: 'plan', text: 'early' });
  say(conversation, OPENING);
  say(conversation, { ...OPENING, sessionId: 'mock-2' });
  await conversation.opened;
  expect(events.map((event) => event.type)).toEqual(['session_started', 'malformed']);
  expect(events[0]).toEqual({ ...OPENING, pid: null });
});

test('tokens never shrink', () => {
  const { conversation, events } = openConversation();
  for (const total of [10, 5, 20]) say(conversation, usage(total));
  expect(events.map((event) => (event.type === 'usage' ? event.usage.totalTokens : null))).toEqual([
    10, 10, 20,
  ]);
});

test('texts are cut', () => {
  const { conversation, events } = openConversation();
  say(conversation, { type: 'activity', kind: 'message', text: 'x'.repeat(50_000) });
  expect(events).toEqual([{ type: 'activity', kind: 'message', text: 'x'.repeat(2000) }]);
});

test('the end of a turn is reported in the order the agent printed it', async () => {
  const { conversation, agent, events } = openConversation();
  const turn = agent.runTurn('work', never);
  conversation.acceptLine('{"type":"turn_result","turn":1,"result":{"kind":"completed"}}');
  say(conversation, { type: 'activity', kind: 'message', text: 'after the end' });
  expect(await turn).toEqual({ kind: 'completed' });
  expect(events.map((event) => event.type)).toEqual(['turn_started', 'turn_completed', 'activity']);
});

test('a result for another turn, or a second one, changes nothing', async () => {
  const { conversation, agent, clock, events } = openConversation();
  const turn = agent.runTurn('work', never);
  conversation.acceptLine('{"type":"turn_result","turn":2,"result":{"kind":"completed"}}');
  conversation.acceptLine('{"type":"turn_result","turn":1,"result":{"kind":"interrupted"}}');
  clock.pass(1_000);
  conversation.acceptLine('{"type":"turn_result","turn":1,"result":{"kind":"completed"}}');
  expect(await turn).toEqual({ kind: 'interrupted' });
  expect(events.map((event) => event.type)).toEqual([
    'turn_started',
    'malformed',
    'turn_cancelled',
    'malformed',
  ]);
});

test('an issue whose script is invalid fails its turns with the reason', async () => {
  const { session, begin } = createSessionFixture();
  const conversation = new MockConversation(session, 'no such behaviour');
  say(conversation, OPENING);
  const turn = begin({ startTurn: (...turnOf) => conversation.startTurn(...turnOf) }).runTurn('work', never);
  expect(await turn).toEqual({ kind: 'failed', code: 'turn_failed', message: 'no such behaviour' });
});

test('closing ends the turn, and nothing is reported after it', async () => {
  const { conversation, agent, events } = openConversation();
  const turn = agent.runTurn('work', never);
  await agent.stop();
  say(conversation, usage(1));
  conversation.acceptLine('garbage');
  expect(await turn).toEqual({ kind: 'interrupted' });
  expect(events.map((event) => event.type)).toEqual(['turn_started', 'turn_cancelled']);
});
