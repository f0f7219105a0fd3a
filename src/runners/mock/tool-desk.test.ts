import { expect, test } from 'vitest';
import type { AgentEvent } from '../../domain/agent-event.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { createToolDesk } from './tool-desk.ts';

const tools = [{ name: 'issue_move', description: 'Moves the issue.', inputSchema: {} }];

test('a tool that was not offered is refused without a call', async () => {
  const events: AgentEvent[] = [];
  const answer = createToolDesk(
    { tools, callTool: () => Promise.reject(new Error('must not be called')) },
    (event) => events.push(event),
  );
  expect(await answer({ name: 'rm', arguments: {} })).toEqual({
    success: false,
    error: { code: 'unsupported_tool', message: 'there is no tool named rm; offered: issue_move' },
  });
  expect(events).toEqual([{ type: 'unsupported_tool_call', tool: 'rm' }]);
});

test('a runaway is held back, and calls are taken again once some are answered', async () => {
  const pending: ((result: ToolResult) => void)[] = [];
  const answer = createToolDesk(
    { tools, callTool: () => new Promise((resolve) => pending.push(resolve)) },
    () => {},
  );
  const call = (): Promise<ToolResult> => answer({ name: 'issue_move', arguments: {} });
  const first = Array.from({ length: 16 }, call);
  expect(await call()).toMatchObject({ success: false, error: { code: 'too_many_calls' } });
  for (const resolve of pending.splice(0)) resolve({ success: true, output: null });
  await Promise.all(first);
  const next = call();
  for (const resolve of pending) resolve({ success: true, output: 'again' });
  expect(await next).toEqual({ success: true, output: 'again' });
});

test('long results are cut in the event, not in the answer', async () => {
  const events: AgentEvent[] = [];
  const output = 'x'.repeat(5000);
  const answer = createToolDesk({ tools, callTool: async () => ({ success: true, output }) }, (event) =>
    events.push(event),
  );
  expect(await answer({ name: 'issue_move', arguments: {} })).toEqual({ success: true, output });
  expect(events).toMatchObject([{ type: 'tool_call', tool: 'issue_move', success: true }]);
  expect(JSON.stringify(events).length).toBeLessThan(500);
});
