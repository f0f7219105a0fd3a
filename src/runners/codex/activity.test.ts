import { expect, test } from 'vitest';
import { activityOfEnd, activityOfStart, changedPaths, planActivity } from './activity.ts';

const item = (type: string, fields: Record<string, unknown> = {}) => ({ type, id: 'i', ...fields });

test.each([
  [item('agentMessage', { text: ' Done. ' }), 'message', 'Done.'],
  [item('reasoning', { summary: ['First', 'then'], content: ['hidden'] }), 'reasoning', 'First\nthen'],
  [
    item('commandExecution', {
      command: "/bin/bash -lc 'git status'",
      status: 'completed',
      exitCode: 0,
      durationMs: 1240,
    }),
    'command',
    'git status (exit 0, 1.2 s)',
  ],
  [item('commandExecution', { command: 'rm x', status: 'declined' }), 'command', 'rm x (declined)'],
  [
    item('fileChange', { status: 'completed', changes: [{ path: 'a.ts' }, { path: 'b.ts' }] }),
    'file_change',
    'changed a.ts, b.ts',
  ],
  [item('dynamicToolCall', { tool: 'issue_move', status: 'completed' }), 'tool', 'issue_move (completed)'],
  [item('mcpToolCall', { server: 'db', tool: 'query', status: 'failed' }), 'tool', 'db.query (failed)'],
])('%j (R-17.6-f)', (given, kind, text) => {
  expect(activityOfEnd(given)).toMatchObject({ type: 'activity', kind, text });
});

test('a call tells what it was given and what came of it, and its beginning is known by the same id', () => {
  const command = item('commandExecution', {
    command: "bash -lc 'npm test'",
    exitCode: 1,
    durationMs: 50,
    aggregatedOutput: '1 failed\n',
  });
  expect(activityOfStart(command)?.call).toEqual({ callId: 'i' });
  expect(activityOfEnd(command)?.call).toEqual({
    callId: 'i',
    input: 'npm test',
    output: '1 failed\n',
    exitCode: 1,
    durationMs: 50,
    failed: true,
  });
  const tool = item('mcpToolCall', {
    server: 'db',
    tool: 'query',
    status: 'completed',
    arguments: { sql: 'select 1' },
    result: { content: [] },
  });
  expect(activityOfEnd(tool)?.call).toMatchObject({
    input: '{\n  "sql": "select 1"\n}',
    output: expect.stringContaining('content'),
    failed: false,
  });
  expect(activityOfEnd(item('agentMessage', { text: 'x' }))).not.toHaveProperty('call');
});

test('what a command printed is kept by its beginning and its end', () => {
  const output = activityOfEnd(
    item('commandExecution', { command: 'x', aggregatedOutput: `first${'x'.repeat(100_000)}last` }),
  )?.call?.output;
  expect(output?.length).toBeLessThan(6_100);
  expect(output).toMatch(/^first.*characters left out.*last$/s);
});

test.each([
  item('userMessage'),
  item('agentMessage', { text: '  ' }),
  item('agentMessage', { text: 7 }),
  item('invented'),
])('%j tells nothing', (given) => expect(activityOfEnd(given)).toBeNull());

test('only what can take long is told at its start', () => {
  expect(activityOfStart(item('commandExecution', { command: 'zsh -c "npm test"' }))).toMatchObject({
    text: 'npm test',
  });
  expect(activityOfStart(item('agentMessage', { text: 'x' }))).toBeNull();
});

test('texts are bounded', () => {
  const long = 'x'.repeat(100_000);
  for (const given of [item('agentMessage', { text: long }), item('commandExecution', { command: long })]) {
    expect(activityOfEnd(given)?.text.length).toBeLessThanOrEqual(2000);
  }
});

test('a plan is a list with marks', () => {
  const plan = [
    { step: 'Read', status: 'completed' },
    { step: 'Write', status: 'inProgress' },
    { step: 'Test', status: 'pending' },
  ];
  expect(planActivity(plan)?.text).toBe('[x] Read\n[>] Write\n[ ] Test');
  expect(planActivity([])).toBeNull();
});

test('hostile changes are read without harm', () => {
  expect(changedPaths(item('fileChange', { changes: [null, 7, {}, { path: 3 }, { path: 'a' }] }))).toEqual([
    '',
    'a',
  ]);
  expect(changedPaths(item('fileChange', { changes: 'x' }))).toEqual([]);
});
