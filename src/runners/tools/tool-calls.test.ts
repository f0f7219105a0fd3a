import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import { systemClock } from '../../domain/clock.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { createToolCaller } from './tool-calls.ts';

function caller(callTool: () => Promise<ToolResult>, limits = { timeoutMs: 10_000, maxResultChars: 200 }) {
  const events: AgentEvent[] = [];
  const tools = [{ name: 'issue_move', description: '', inputSchema: {} }];
  return {
    events,
    call: createToolCaller({ tools, callTool }, (event) => events.push(event), systemClock, limits),
  };
}

const call = { name: 'issue_move', arguments: {} };

test('R-10.5-d a call of an offered tool is answered and reported', async () => {
  const { call: ask, events } = caller(async () => ({ success: true, output: { state: 'Done' } }));
  expect(await ask(call)).toEqual({
    result: { success: true, output: { state: 'Done' } },
    text: '{"state":"Done"}',
  });
  expect(events).toEqual([
    {
      type: 'tool_call',
      tool: 'issue_move',
      success: true,
      message: '{"state":"Done"}',
      input: JSON.stringify(call.arguments),
      output: '{"state":"Done"}',
    },
  ]);
});

test('R-10.5-q R-17.5-u an unknown tool is a failure with the names there are', async () => {
  const { call: ask, events } = caller(() => Promise.reject(new Error('must not be called')));
  expect(await ask({ name: 'format_disk', arguments: {} })).toMatchObject({
    result: { success: false, error: { code: 'unsupported_tool' } },
    text: expect.stringContaining('offered: issue_move'),
  });
  expect(events).toEqual([{ type: 'unsupported_tool_call', tool: 'format_disk' }]);
});

test('a tool that throws, returns nothing, or says too much is still answered', async () => {
  expect(await caller(() => Promise.reject(new Error('no net'))).call(call)).toMatchObject({
    result: { success: false },
  });
  const nothing = await caller(async () => ({ success: true, output: undefined })).call(call);
  expect(nothing.text).toBe('null');
  const long = await caller(async () => ({ success: true, output: 'x'.repeat(10_000) })).call(call);
  expect(long.text).toMatch(/^"x{199}… \(9802 characters more were cut\)$/);
});

test('a tool that never answers does not keep the agent waiting', async () => {
  const { call: ask } = caller(() => new Promise(() => {}), { timeoutMs: 5, maxResultChars: 100_000 });
  expect((await ask(call)).text).toContain('tool_timeout');
});

test('too many calls at once are refused', async () => {
  const { call: ask } = caller(() => new Promise(() => {}), { timeoutMs: 50, maxResultChars: 100_000 });
  const answers = await Promise.all(Array.from({ length: 17 }, () => ask(call)));
  expect(answers.filter(({ text }) => text.includes('too_many_calls'))).toHaveLength(1);
});
