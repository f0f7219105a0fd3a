import { expect, test } from 'vitest';
import { decodeAgentMessage } from './messages.ts';

test.each([
  '',
  'text',
  'null',
  '[]',
  '{"type":"event"',
  '{"type":"nothing"}',
  '{"type":"event","event":{"type":"turn_completed","turn":1}}',
  '{"type":"event","event":{"type":"session_started","sessionId":"../x","model":null,"resumed":false}}',
  '{"type":"event","event":{"type":"usage","usage":{"inputTokens":-1,"outputTokens":0,"totalTokens":0},"costUsd":null}}',
  '{"type":"event","event":{"type":"usage","usage":{"inputTokens":1e400,"outputTokens":0,"totalTokens":0},"costUsd":null}}',
  '{"type":"tool_call","id":"","name":"x"}',
  '{"type":"turn_result","turn":1,"result":{"kind":"failed","code":"port_exit","message":"x"}}',
  '['.repeat(100_000),
])('is no message: %j', (line) => {
  expect(decodeAgentMessage(line)).toBeNull();
});

test('drops fields that are not in the vocabulary', () => {
  const line = '{"type":"event","extra":1,"event":{"type":"activity","kind":"plan","text":"x","secret":1}}';
  expect(decodeAgentMessage(line)).toEqual({
    type: 'event',
    event: { type: 'activity', kind: 'plan', text: 'x' },
  });
});
