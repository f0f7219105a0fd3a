import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

export type MessageBlock =
  | { readonly say: string }
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> };

/** What the model does with a request: it answers (perhaps only later), refuses with a status, or never ends its answer. */
export type MessageReply =
  | { readonly blocks: readonly MessageBlock[]; readonly until?: Promise<void> }
  | { readonly status: number; readonly type: string; readonly message: string }
  | 'hang';

export interface MessageRequest {
  /** The conversation as JSON text. */
  readonly messages: string;
  readonly model: string;
  readonly tools: readonly string[];
}

export interface MessagesServer {
  readonly baseUrl: string;
  readonly requests: readonly MessageRequest[];
  /** Resolves when that many requests have come. */
  seen(count: number): Promise<void>;
  close(): Promise<void>;
}

const bodySchema = z.object({
  model: z.string(),
  messages: z.array(z.unknown()),
  tools: z.array(z.object({ name: z.string() })).catch([]),
});

/** Each answer costs the same, so that tests can count. */
const USAGE = { input_tokens: 1000, cache_read_input_tokens: 200, cache_creation_input_tokens: 100 };
export const TOKENS_PER_ANSWER = 1350;

/** A scripted Messages API on loopback. `number` counts the requests from 1. */
export async function startMessagesServer(
  script: (request: MessageRequest, number: number) => MessageReply,
): Promise<MessagesServer> {
  const requests: MessageRequest[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const body = bodySchema.safeParse(parse(text)).data;
      // Requests without tools are side work, such as titles.
      if (body === undefined || body.tools.length === 0)
        return void answer(response, 'x', { blocks: [{ say: 'ok' }] });
      const { model, messages, tools } = body;
      requests.push({ model, messages: JSON.stringify(messages), tools: tools.map(({ name }) => name) });
      const last = requests.at(-1);
      if (last !== undefined) void answer(response, `msg_${requests.length}`, script(last, requests.length));
      for (const watcher of watchers) watcher();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    seen: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`only ${requests.length} requests came`)), 60_000);
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function answer(response: ServerResponse, id: string, reply: MessageReply): Promise<void> {
  if (reply !== 'hang' && 'status' in reply) {
    const { status, type, message } = reply;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error: { type, message } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const message = { id, type: 'message', role: 'assistant', model: 'fake', content: [], stop_reason: null };
  send('message_start', { message: { ...message, usage: { ...USAGE, output_tokens: 1 } } });
  if (reply === 'hang') return;
  await reply.until;
  reply.blocks.forEach((block, index) => {
    const isText = 'say' in block;
    const opened = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${id}_${index}`, name: block.call, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.say }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: opened });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  const stop_reason = reply.blocks.some((block) => 'call' in block) ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason }, usage: { output_tokens: 50 } });
  send('message_stop', {});
  response.end();
}
