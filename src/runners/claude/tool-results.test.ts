import { expect, test } from 'vitest';
import { activityOf } from './activity.ts';
import { ToolResults } from './tool-results.ts';

const use = (id: string, name: string, input: object) => activityOf({ type: 'tool_use', id, name, input });
const answer = (id: string, content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
});

test('the answer of a tool is told with the call it belongs to, once', () => {
  const results = new ToolResults();
  results.expect(use('t1', 'Bash', { command: 'npm test' }));
  results.expect(use('t2', 'Grep', { pattern: 'TODO' }));
  expect(results.accept(answer('t1', 'Exit code 2\n1 failed', { is_error: true }))).toEqual([
    {
      type: 'activity',
      kind: 'command',
      text: 'npm test (failed)',
      call: { callId: 't1', output: 'Exit code 2\n1 failed', failed: true, exitCode: 2 },
    },
  ]);
  expect(results.accept(answer('t1', 'again'))).toEqual([]);
  expect(results.accept(answer('t2', [{ type: 'text', text: 'a.ts' }, { type: 'image' }]))).toMatchObject([
    {
      text: 'Grep: TODO (done)',
      call: { callId: 't2', output: 'a.ts', failed: false, input: expect.stringContaining('TODO') },
    },
  ]);
});

test('a command that succeeded ended with 0, also when its output tells of another code', () => {
  const results = new ToolResults();
  results.expect(use('t1', 'Bash', { command: 'cat log' }));
  expect(results.accept(answer('t1', 'Exit code 9'))).toMatchObject([{ call: { exitCode: 0 } }]);
});

test.each([
  {},
  { message: null },
  { message: { content: 'text' } },
  answer('unknown', 'x'),
  answer('', null),
])('nonsense and strangers tell nothing: %j', (message) => {
  const results = new ToolResults();
  results.expect(use('t1', 'Bash', { command: 'x' }));
  results.expect(activityOf({ type: 'text', text: 'hello' }));
  expect(results.accept(message)).toEqual([]);
});

test('calls that are never answered are forgotten from the oldest', () => {
  const results = new ToolResults();
  for (let index = 0; index < 500; index += 1)
    results.expect(use(`t${index}`, 'Bash', { command: `c${index}` }));
  expect(results.accept(answer('t0', 'x'))).toEqual([]);
  expect(results.accept(answer('t499', 'x'))).toMatchObject([{ text: 'c499 (done)' }]);
});
