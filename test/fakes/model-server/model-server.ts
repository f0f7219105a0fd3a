import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One item of a scripted model's answer, as the Responses API names them. */
export type ModelItem =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
  /** A tool that takes raw text, such as code. */
  | { readonly custom: string; readonly input: string };

export type ModelReply =
  | { readonly items: readonly ModelItem[]; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly body: object; readonly headers?: Readonly<Record<string, string>> }
  /** The stream begins and fails with this error code. */
  | { readonly failed: string }
  /** The stream begins and never ends. */
  | 'hang';

export interface ModelRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** Everything the agent sent as input, as text. */
  readonly input: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly requests: readonly ModelRequest[];
  /** Resolves once so many requests have come. */
  seen(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A model behind the one endpoint Codex calls. `script` gets each request and its number, from 1. */
export async function startModelServer(
  script: (request: ModelRequest, number: number) => ModelReply,
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const body = JSON.parse(text);
      const received = { body, input: JSON.stringify(body.input), headers: request.headers };
      requests.push(received);
      reply(response, script(received, requests.length), requests.length);
      for (const watcher of watchers) watcher();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    seen: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (requests.length < count) return;
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
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function reply(response: ServerResponse, answer: ModelReply, number: number): void {
  const id = `resp_${number}`;
  if (answer !== 'hang' && 'status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
    return;
  }
  const headers = answer !== 'hang' && 'items' in answer ? answer.headers : {};
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send('response.created', { response: { id } });
  if (answer === 'hang') return;
  if ('failed' in answer) {
    send('response.failed', {
      response: { id, error: { code: answer.failed, message: 'the script says so' } },
    });
  } else {
    answer.items.forEach((item, index) => {
      send('response.output_item.done', { output_index: index, item: wireItem(item, `${id}_${index}`) });
    });
    send('response.completed', { response: { id, usage: USAGE } });
  }
  response.end();
}

/** Each answer costs the same, so that tests can count. */
const USAGE = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 200 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1050,
};

function wireItem(item: ModelItem, id: string): object {
  if ('say' in item) {
    return { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: item.say }] };
  }
  if ('custom' in item) {
    return {
      type: 'custom_tool_call',
      id,
      call_id: `call_${id}`,
      name: item.custom,
      input: item.input,
      namespace: 'functions',
    };
  }
  return {
    type: 'function_call',
    id,
    call_id: `call_${id}`,
    name: item.call,
    arguments: JSON.stringify(item.args),
  };
}
