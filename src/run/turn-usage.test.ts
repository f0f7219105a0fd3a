import { expect, it } from 'vitest';
import type { AgentEvent } from '../domain/agent-event.ts';
import { withTurnUsage } from './turn-usage.ts';

function used(inputTokens: number, outputTokens: number): AgentEvent {
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return { type: 'usage', usage, costUsd: null };
}

it('says at the end of each turn what that turn used', () => {
  const seen: AgentEvent[] = [];
  const accept = withTurnUsage((event) => seen.push(event));
  const events: AgentEvent[] = [
    { type: 'turn_started', turn: 1, turnId: 'a' },
    used(100, 10),
    used(300, 20),
    { type: 'turn_completed', turn: 1 },
    { type: 'turn_started', turn: 2, turnId: 'b' },
    // A report that shrinks takes nothing back.
    used(50, 5),
    used(700, 25),
    { type: 'turn_failed', turn: 2, message: 'no' },
    { type: 'turn_started', turn: 3, turnId: 'c' },
    { type: 'turn_cancelled', turn: 3 },
  ];
  for (const event of events) accept(event);
  expect(seen.filter(({ type }) => type === 'usage')).toEqual(events.filter(({ type }) => type === 'usage'));
  expect(seen.filter(({ type }) => /^turn_(?!started)/.test(type))).toEqual([
    { type: 'turn_completed', turn: 1, usage: { inputTokens: 300, outputTokens: 20, totalTokens: 320 } },
    {
      type: 'turn_failed',
      turn: 2,
      message: 'no',
      usage: { inputTokens: 400, outputTokens: 5, totalTokens: 405 },
    },
    { type: 'turn_cancelled', turn: 3 },
  ]);
});
