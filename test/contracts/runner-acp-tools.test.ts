import { describe, expect, onTestFinished, test } from 'vitest';
import { toolFailure } from '../../src/domain/tool.ts';
import { startMcpServer } from '../../src/runners/tools/mcp-http-server.ts';
import { TOOLS } from './runner-fixture.ts';

describe('the tools on loopback', () => {
  async function serve() {
    const server = await startMcpServer({
      tools: TOOLS,
      answerTool: async ({ name }) => ({
        result: name !== 'bad' ? { success: true, output: null } : toolFailure('bad', 'bad'),
        text: name,
      }),
    });
    onTestFinished(() => server.close());
    const post = (body: string, headers: Record<string, string> = { authorization: server.authorization }) =>
      fetch(server.url, { method: 'POST', headers, body });
    const call = async (method: string, params?: object): Promise<unknown> =>
      (await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }))).json();
    return { server, post, call };
  }

  test('answer as an MCP server', async () => {
    const { call, post } = await serve();
    expect(await call('initialize', { protocolVersion: '2025-06-18' })).toMatchObject({
      id: 0,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    });
    for (const protocolVersion of ['2099-01-01', 7, undefined]) {
      const result = { protocolVersion: '2025-11-25' };
      expect(await call('initialize', { protocolVersion })).toMatchObject({ result });
    }
    expect(await call('tools/list')).toMatchObject({
      result: { tools: [{ name: 'issue_move' }, { name: 'issue_comment' }] },
    });
    const content = [{ type: 'text', text: 'bad' }];
    expect(await call('tools/call', { name: 'bad' })).toMatchObject({ result: { content, isError: true } });
    expect(await call('tools/call', {})).toMatchObject({ error: { code: -32602 } });
    expect(await call('resources/list')).toMatchObject({ error: { code: -32601 } });
    expect((await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
  });

  test('are closed to whoever does not know the secret of the session, and to nonsense', async () => {
    const { server, post } = await serve();
    const other = await serve();
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await post(list, {})).status).toBe(401);
    expect((await post(list, { authorization: other.server.authorization })).status).toBe(401);
    expect((await post(list, { authorization: `${server.authorization}0` })).status).toBe(401);
    expect((await post('x'.repeat(5_000_000))).status).toBe(413);
    expect(await (await post('not json')).json()).toMatchObject({ error: { code: -32600 } });
    expect(await (await post('[]')).json()).toMatchObject({ error: { code: -32600 } });
    const headers = { authorization: server.authorization };
    expect((await fetch(server.url, { headers })).status).toBe(405);
    expect((await fetch(`${server.url}x`, { method: 'POST', headers })).status).toBe(404);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });
});
