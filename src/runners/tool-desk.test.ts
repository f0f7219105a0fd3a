import { expect, test } from 'vitest';
import type { AgentEvent } from '../domain/agent-event.ts';
import { systemClock } from '../domain/clock.ts';
import type { ToolResult } from '../domain/tool.ts';
import { createToolDesk } from './tool-desk.ts';

function desk(callTool: () => Promise<ToolResult>, limits = { timeoutMs: 10_000, maxResultChars: 200 }) {
  const events: AgentEvent[] = [];
  const tools = [{ name: 'issue_move', description: '', inputSchema: {} }];
  return {
    events,
    call: createToolDesk({ tools, callTool }, (event) => events.push(event), systemClock, limits),
  };
}

const call = { name: 'issue_move', arguments: {} };

test('R-10.5-d a call of an offered tool is answered and reported', async () => {
  const { call: ask, events } = desk(async () => ({ success: true, output: { state: 'Done' } }));
  expect(await ask(call)).toEqual({
    contentItems: [{ type: 'inputText', text: '{"state":"Done"}' }],
    success: true,
  });
  expect(events).toEqual([
    { type: 'tool_call', tool: 'issue_move', success: true, message: '{"state":"Done"}' },
  ]);
});

test('R-10.5-q R-17.5-u an unknown tool is a failure with the names there are', async () => {
  const { call: ask, events } = desk(() => Promise.reject(new Error('must not be called')));
  expect(await ask({ name: 'format_disk', arguments: {} })).toMatchObject({
    success: false,
    contentItems: [{ text: expect.stringContaining('offered: issue_move') }],
  });
  expect(events).toEqual([{ type: 'unsupported_tool_call', tool: 'format_disk' }]);
});

test('a tool that throws, returns nothing, or says too much is still answered', async () => {
  expect(await desk(() => Promise.reject(new Error('no net'))).call(call)).toMatchObject({ success: false });
  const nothing = await desk(async () => ({ success: true, output: undefined })).call(call);
  expect(nothing.contentItems[0].text).toBe('null');
  const long = await desk(async () => ({ success: true, output: 'x'.repeat(10_000) })).call(call);
  expect(long.contentItems[0].text).toMatch(/^"x{199}… \(9802 characters more were cut\)$/);
});

test('a tool that never answers does not keep the agent waiting', async () => {
  const { call: ask } = desk(() => new Promise(() => {}), { timeoutMs: 5, maxResultChars: 100_000 });
  expect((await ask(call)).contentItems[0].text).toContain('tool_timeout');
});

test('too many calls at once are refused', async () => {
  const { call: ask } = desk(() => new Promise(() => {}), { timeoutMs: 50, maxResultChars: 100_000 });
  const answers = await Promise.all(Array.from({ length: 17 }, () => ask(call)));
  expect(answers.filter(({ contentItems }) => contentItems[0].text.includes('too_many_calls'))).toHaveLength(
    1,
  );
});
