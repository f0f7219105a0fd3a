import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { toolFailure } from '../../../src/domain/tool.ts';
import { startMcpServer } from '../../../src/runners/tools/mcp-http-server.ts';
import { TOOLS } from '../../contracts/runner-fixture.ts';

const folder = inject('mcpClient');

/** What this suite uses of the official client, which is installed outside of the repository. */
interface McpClient {
  connect(transport: object): Promise<void>;
  getServerVersion(): unknown;
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(call: object): Promise<{ content: unknown; isError?: boolean }>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}
interface McpLibrary {
  readonly Client: new (info: object) => McpClient;
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}

async function openClient(authorization: string | null) {
  const server = await startMcpServer({
    tools: TOOLS,
    answerTool: async ({ name, arguments: args }) => ({
      result: name !== 'format_disk' ? { success: true, output: null } : toolFailure('bad', 'bad'),
      text: JSON.stringify([name, args]),
    }),
  });
  onTestFinished(() => server.close());
  const library: McpLibrary = await import(pathToFileURL(join(folder ?? '', 'dist', 'index.mjs')).href);
  const headers = { Authorization: authorization ?? server.authorization };
  const transport = new library.StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
  });
  const client = new library.Client({ name: 'suite', version: '1' });
  onTestFinished(() => client.close());
  return { client, transport };
}

describe.runIf(folder !== null)('the tools on loopback, through the official MCP client', () => {
  test('are listed and called', async () => {
    const { client, transport } = await openClient(null);
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ name: 'aiops' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['issue_move', 'issue_comment']);
    const called = await client.callTool({ name: 'issue_move', arguments: { state: 'Human Review' } });
    expect(called).toMatchObject({
      content: [{ type: 'text', text: '["issue_move",{"state":"Human Review"}]' }],
      isError: false,
    });
    expect(await client.callTool({ name: 'format_disk', arguments: {} })).toMatchObject({ isError: true });
    await client.ping();
  });

  test('are closed to a client without the secret', async () => {
    const { client, transport } = await openClient('Bearer guess');
    await expect(client.connect(transport)).rejects.toThrow(/Authorization/);
  });
});
