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

it('takes no number of an agent as it is', () => {
  const seen: AgentEvent[] = [];
  const accept = withTurnUsage((event) => seen.push(event));
  for (const count of [0.5, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY]) {
    const usage = { inputTokens: count, outputTokens: count, totalTokens: count };
    accept({ type: 'usage', usage, costUsd: count });
  }
  const counts = seen.map((event) =>
    event.type === 'usage' ? [event.usage.inputTokens, event.costUsd] : [],
  );
  expect(counts).toEqual([
    [0, 0.5],
    [0, null],
    [1e12, 1e6],
    [0, null],
    [1e12, 1e6],
  ]);
});
