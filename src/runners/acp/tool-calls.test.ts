import { expect, test } from 'vitest';
import { toolCallSchema } from './protocol.ts';
import { createToolCalls } from './tool-calls.ts';

const call = (toolCallId: string, fields: object = {}) => toolCallSchema.parse({ toolCallId, ...fields });

test('a call is told once, by the title it begins with, and again when it fails', () => {
  const calls = createToolCalls();
  expect(calls.accept(call('1', { title: 'bash', kind: 'execute', status: 'pending' }))).toBeNull();
  const begun = { kind: 'command', text: 'make' };
  expect(calls.accept(call('1', { title: 'make', status: 'in_progress' }))).toMatchObject(begun);
  expect(calls.accept(call('1', { title: 'make', status: 'in_progress' }))).toBeNull();
  expect(calls.accept(call('1', { status: 'failed' }))).toMatchObject({
    kind: 'command',
    text: 'make (failed)',
    call: { callId: '1', failed: true },
  });
  expect(calls.accept(call('1', { status: 'failed' }))).toBeNull();
  expect(calls.accept(call('2', { status: 'completed' }))).toBeNull();
  const edited = { kind: 'file_change', text: 'Edit a' };
  expect(calls.accept(call('3', { title: 'Edit a', kind: 'edit', status: 'completed' }))).toMatchObject(
    edited,
  );
  expect(calls.accept(call('4', { title: 'Edit b', kind: 'edit' }))).toBeNull();
  expect(calls.clear()).toEqual([{ kind: 'file_change', text: 'Edit b' }]);
  expect(calls.clear()).toEqual([]);
});

test('what runs is known from its status or from the permission, until it ends', () => {
  const calls = createToolCalls();
  calls.accept(call('1', { title: 'make' }));
  expect(calls.running()).toBeNull();
  expect(calls.granted(call('1', { status: 'pending' }))).toMatchObject({ kind: 'tool', text: 'make' });
  expect(calls.running()).toBe('make');
  calls.accept(call('1', { status: 'completed' }));
  expect(calls.running()).toBeNull();
  expect(calls.granted(call('2', { title: 'rm', kind: 'delete' }))).toMatchObject({
    kind: 'file_change',
    text: 'rm',
  });
  expect(calls.running()).toBe('rm');
  calls.clear();
  expect(calls.running()).toBeNull();
});

test('an answer is told with what the call was given', () => {
  const calls = createToolCalls();
  calls.accept(call('1', { title: 'query', status: 'in_progress', rawInput: { sql: 'select 1' } }));
  expect(calls.accept(call('1', { status: 'completed', rawOutput: { rows: 1 } }))).toEqual({
    kind: 'tool',
    text: 'query',
    call: { callId: '1', input: '{\n  "sql": "select 1"\n}', failed: false, output: '{\n  "rows": 1\n}' },
  });
  expect(calls.accept(call('1', { status: 'completed', rawOutput: { rows: 1 } }))).toBeNull();
});

test('nonsense is no call, and a flood of calls is forgotten from its beginning', () => {
  const calls = createToolCalls();
  expect(calls.accept(call('1', { title: 7, kind: [], status: {} }))).toBeNull();
  for (let index = 0; index < 10_000; index += 1)
    calls.accept(call(`${index}`, { title: `call ${index}`, status: 'in_progress' }));
  expect(calls.running()).toBe('call 9500');
});
