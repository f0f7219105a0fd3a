import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseForeignJson } from '../../domain/nesting.ts';
import { createMcpHandler, type McpHandler, type McpTools } from './mcp-handler.ts';

export interface McpServer {
  readonly url: string;
  /** The value of the Authorization header, of this session alone. */
  readonly authorization: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The tools of one session on a loopback port, for agents that take tools only from MCP servers. */
export async function startMcpServer(tools: McpTools): Promise<McpServer> {
  const handle = createMcpHandler(tools);
  const authorization = `Bearer ${randomBytes(32).toString('hex')}`;
  const server = createServer((request, response) => {
    void answer(request, response, authorization, handle).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    authorization,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  authorization: string,
  handle: McpHandler,
): Promise<void> {
  if (!isSame(request.headers.authorization ?? '', authorization))
    return end(response, 401, 'this server wants the Authorization header of its session');
  if (request.url !== '/mcp') return end(response, 404, 'this server has only /mcp');
  // There is no stream to listen to: every answer comes with its request.
  if (request.method !== 'POST') return end(response, 405, 'this server takes only POST');
  const body = await readBody(request);
  if (body === null) return end(response, 413, `a message may have ${MAX_BODY_BYTES} bytes`);
  const result = await handle(parse(body));
  if (result === null) return end(response, 202, '');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(result));
}

function end(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { connection: 'close', 'content-type': 'text/plain' });
  response.end(why);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // The rest is read and dropped, so that the client reads the answer.
    if (bytes <= MAX_BODY_BYTES) chunks.push(part);
  }
  return bytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return null;
  }
}
