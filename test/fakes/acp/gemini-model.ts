import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One part of a scripted model's answer, as the Gemini API names them. */
export type GeminiPart =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

export type GeminiReply =
  | { readonly parts: readonly GeminiPart[] }
  | { readonly status: number; readonly body: object }
  /** The stream begins and never ends. */
  | 'hang';

export interface GeminiRequest {
  /** The whole conversation, as text. */
  readonly contents: string;
  /** Names of the tools the model may call. */
  readonly tools: readonly string[];
}

export interface GeminiModel {
  readonly baseUrl: string;
  readonly requests: readonly GeminiRequest[];
  /** Resolves once so many requests have come. */
  seen(count: number): Promise<void>;
  close(): Promise<void>;
}

export const TOKENS_PER_ANSWER = 1050;
const USAGE = { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: TOKENS_PER_ANSWER };

/** A model behind the endpoint Gemini's programs call. `script` gets each request that offers tools, and its number from 1. */
export async function startGeminiModel(
  script: (request: GeminiRequest, number: number) => GeminiReply,
): Promise<GeminiModel> {
  const requests: GeminiRequest[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const tools = toolNames(body);
      // What asks without tools is bookkeeping of the program, such as a summary.
      if (tools.length === 0) return reply(response, { parts: [{ say: '{}' }] });
      const received = { contents: JSON.stringify(body['contents']), tools };
      requests.push(received);
      reply(response, script(received, requests.length));
      for (const watcher of watchers) watcher();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

function toolNames(body: Readonly<Record<string, unknown>>): string[] {
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  return tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }: { name: string }) => name),
  );
}

function reply(response: ServerResponse, answer: GeminiReply): void {
  if (answer !== 'hang' && 'status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (answer === 'hang') return;
  const parts = answer.parts.map((part) =>
    'say' in part ? { text: part.say } : { functionCall: { name: part.call, args: part.args } },
  );
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
  response.end(`data: ${JSON.stringify({ candidates, usageMetadata: USAGE })}\r\n\r\n`);
}
