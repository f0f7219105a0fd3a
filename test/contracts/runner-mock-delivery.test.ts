import { describe, expect, test } from 'vitest';
import type { ToolCall, ToolResult, ToolSpec } from '../../src/domain/tool.ts';
import { createMockRunner } from '../../src/runners/mock/runner.ts';
import type { SessionInput } from '../../src/runners/runner.ts';
import { ISSUE } from './runner-fixture.ts';
import { useMockRuns } from './runner-mock-runs.ts';

const ADDRESS = 'https://git.example/octo/app/pulls/9';
const REFUSED: ToolResult = { success: false, error: { code: 'invalid', message: 'no such state' } };

function tool(name: string): ToolSpec {
  return { name, description: name, inputSchema: { type: 'object' } };
}

describe('mock agent that delivers by the tools of its run', () => {
  const { fixture, runOnce, remoteHead } = useMockRuns();

  function offering(
    names: readonly string[],
    answers: (call: ToolCall) => ToolResult = () => ({ success: true, output: { url: ADDRESS } }),
  ): Partial<SessionInput> {
    return {
      tools: names.map(tool),
      async callTool(call) {
        fixture().toolCalls.push(call);
        return answers(call);
      },
    };
  }

  test('pushes with branch_push and opens its pull request with pull_request_open', async () => {
    const tools = offering(['branch_push', 'pull_request_open', 'pr_link', 'issue_comment', 'issue_move']);
    expect(await runOnce('push: tool\npull_request: true', tools)).toEqual({ kind: 'completed' });
    const title = `${ISSUE.identifier}: ${ISSUE.title}`;
    expect(fixture().toolCalls).toEqual([
      { name: 'branch_push', arguments: {} },
      { name: 'pull_request_open', arguments: { title, body: `For ${ISSUE.identifier}` } },
      { name: 'pr_link', arguments: { url: ADDRESS } },
      { name: 'issue_comment', arguments: { body: expect.stringContaining(ADDRESS) } },
      { name: 'issue_move', arguments: { state: 'Human Review' } },
    ]);
    expect(remoteHead()).toBe('');
  });

  test('a pull request that cannot be linked is no reason to keep it back', async () => {
    const answers = ({ name }: ToolCall): ToolResult =>
      name === 'pr_link' ? REFUSED : { success: true, output: { url: ADDRESS } };
    const tools = offering(['pull_request_open', 'pr_link', 'issue_move'], answers);
    expect(await runOnce('pull_request: true', tools)).toEqual({ kind: 'completed' });
    expect(fixture().toolCalls.map(({ name }) => name)).toEqual([
      'pull_request_open',
      'pr_link',
      'issue_move',
    ]);
  });

  test('pushes by git where nothing else is said or offered', async () => {
    expect(await runOnce('push: tool', offering(['issue_move']))).toEqual({ kind: 'completed' });
    expect(remoteHead()).not.toBe('');
    expect(await runOnce('turns: 1', offering(['branch_push', 'issue_move']))).toEqual({ kind: 'completed' });
    expect(fixture().toolCalls.map(({ name }) => name)).toEqual(['issue_move', 'issue_move']);
  });

  test('a refused push fails the turn in the words of the refusal', async () => {
    const tools = offering(['branch_push', 'issue_move'], () => REFUSED);
    expect(await runOnce('push: tool', tools)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('no such state'),
    });
  });

  test('hands over to the review that the tracker knows, unless the script names a state', async () => {
    const answers = ({ name, arguments: input }: ToolCall): ToolResult => {
      if (name === 'issue_get')
        return { success: true, output: { available_states: ['aiops/todo', 'aiops/human-review'] } };
      const { state } = input as { state?: string };
      return state === 'aiops/human-review' ? { success: true, output: {} } : REFUSED;
    };
    expect(await runOnce('turns: 1', offering(['issue_get', 'issue_move'], answers))).toEqual({
      kind: 'completed',
    });
    expect(fixture().toolCalls.at(-1)).toEqual({
      name: 'issue_move',
      arguments: { state: 'aiops/human-review' },
    });
    expect(await runOnce('state: Elsewhere', offering(['issue_get', 'issue_move'], answers))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Elsewhere'),
    });
  });
});

describe('mock agent with checks of the workflow', () => {
  const commands = ['test -d notes', 'exit 3', 'kill -KILL $$'];
  const { runOnce, said } = useMockRuns(() => createMockRunner({ verifyCommands: commands }));

  test('runs each in the workspace after its last step, and says how it ended', async () => {
    expect(await runOnce('turns: 1')).toEqual({ kind: 'completed' });
    expect(said()).toContain('Verified with `test -d notes`: exit code 0');
    expect(said()).toContain('Verified with `exit 3`: exit code 3');
    expect(said()).toContain('Verified with `kill -KILL $$`: ended by SIGKILL');
  });

  test('runs none before the last step', async () => {
    expect(await runOnce('turns: 2')).toEqual({ kind: 'completed' });
    expect(said()).not.toContain('Verified');
  });
});
