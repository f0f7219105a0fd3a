import { describe, expect, test } from 'vitest';
import type { ToolCall, ToolResult, ToolSpec } from '../../src/domain/tool.ts';
import type { SessionInput } from '../../src/runners/runner.ts';
import { ISSUE } from './runner-fixture.ts';
import { useMockRuns } from './runner-mock-runs.ts';

const SCRIPT = 'pull_request: true';
const ADDRESS = 'https://git.example/octo/app/pulls/9';

function tool(name: string): ToolSpec {
  return { name, description: name, inputSchema: { type: 'object' } };
}

describe('mock agent with a pull request', () => {
  const { fixture, runOnce, said } = useMockRuns();

  /** A forge with these open pull requests; what it does not expect it refuses. */
  function forge(api: string, open: readonly unknown[], answer?: ToolResult): Partial<SessionInput> {
    fixture().git('config', `url.${fixture().remote}.insteadOf`, 'https://git.example/octo/app.git');
    fixture().git('remote', 'set-url', 'origin', 'https://git.example/octo/app.git');
    return {
      tools: [api, 'pr_link', 'issue_comment', 'issue_move'].map(tool),
      async callTool(call: ToolCall): Promise<ToolResult> {
        fixture().toolCalls.push(call);
        const { method } = call.arguments as { method?: string };
        if (method === 'POST' && answer !== undefined) return answer;
        if (method === 'GET') return { success: true, output: { status: 200, body: open } };
        return { success: true, output: { status: 201, body: { number: 9, html_url: ADDRESS } } };
      },
    };
  }

  test.each(['gitea_api', 'github_api'])('opens one with %s, links it, then hands over', async (api) => {
    expect(await runOnce(SCRIPT, forge(api, []))).toEqual({ kind: 'completed' });
    const path = '/repos/octo/app/pulls';
    const body = {
      title: `${ISSUE.identifier}: ${ISSUE.title}`,
      head: fixture().branch,
      base: 'main',
      body: `For ${ISSUE.identifier}`,
    };
    expect(fixture().toolCalls).toEqual([
      { name: api, arguments: { method: 'GET', path, params: { state: 'open' } } },
      { name: api, arguments: { method: 'POST', path, body } },
      { name: 'pr_link', arguments: { url: ADDRESS } },
      { name: 'issue_comment', arguments: { body: expect.stringContaining(ADDRESS) } },
      { name: 'issue_move', arguments: { state: 'Human Review' } },
    ]);
  });

  test('opens it with pull_request_open where that is offered, and asks no API', async () => {
    const api = forge('gitea_api', []);
    const tools = [...(api.tools ?? []), tool('branch_push'), tool('pull_request_open')];
    const callTool = async (call: ToolCall): Promise<ToolResult> => {
      fixture().toolCalls.push(call);
      return { success: true, output: { number: 9, url: ADDRESS, existing: false } };
    };
    expect(await runOnce(SCRIPT, { ...api, tools, callTool })).toEqual({ kind: 'completed' });
    expect(fixture().toolCalls).toEqual([
      {
        name: 'pull_request_open',
        arguments: { title: `${ISSUE.identifier}: ${ISSUE.title}`, body: `For ${ISSUE.identifier}` },
      },
      { name: 'pr_link', arguments: { url: ADDRESS } },
      { name: 'issue_comment', arguments: { body: expect.stringContaining(ADDRESS) } },
      { name: 'issue_move', arguments: { state: 'Human Review' } },
    ]);
  });

  test.each([
    ['refuses', { success: false, error: { code: 'no_commits', message: 'nothing new' } }, 'nothing new'],
    ['forgets the address', { success: true, output: { number: 9 } }, 'did not say where'],
  ] satisfies readonly (readonly [string, ToolResult, string])[])(
    'does not hand over when pull_request_open %s',
    async (_what, answer, message) => {
      const tools = [tool('pull_request_open'), tool('issue_move')];
      const callTool = async (call: ToolCall): Promise<ToolResult> => {
        fixture().toolCalls.push(call);
        return answer;
      };
      expect(await runOnce(SCRIPT, { ...forge('gitea_api', []), tools, callTool })).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining(message),
      });
      expect(fixture().toolCalls.map(({ name }) => name)).toEqual(['pull_request_open']);
    },
  );

  test('uses the one that an earlier run opened for the branch', async () => {
    const open = [
      { html_url: 'https://x/1', head: { ref: 'other' } },
      null,
      { html_url: ADDRESS, head: { ref: fixture().branch } },
    ];
    expect(await runOnce(SCRIPT, forge('gitea_api', open))).toEqual({ kind: 'completed' });
    const methods = fixture().toolCalls.map((call) => (call.arguments as { method?: string }).method);
    expect(methods).not.toContain('POST');
    expect(fixture().toolCalls[1]).toEqual({ name: 'pr_link', arguments: { url: ADDRESS } });
  });

  test('does not hand over what the forge refuses', async () => {
    const refusal: ToolResult = { success: false, error: { code: 'not_allowed', message: 'not yours' } };
    expect(await runOnce(SCRIPT, forge('gitea_api', [], refusal))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('not yours'),
    });
    expect(fixture().toolCalls.map(({ name }) => name)).toEqual(['gitea_api', 'gitea_api']);
  });

  test('says so when there is nothing to open one with, and hands over', async () => {
    expect(await runOnce(SCRIPT)).toEqual({ kind: 'completed' });
    expect(said()).toContain('there will be none');
    expect(fixture().toolCalls.map(({ name }) => name)).toEqual(['issue_comment', 'issue_move']);
  });
});
