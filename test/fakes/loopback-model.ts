import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A scripted model on loopback that keeps what it was asked. */
export interface LoopbackModel<Request> {
  readonly baseUrl: string;
  readonly requests: readonly Request[];
  /** Resolves once so many requests have come. */
  seen(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface LoopbackModelParts<Request> {
  /** What is asked with this body; null for side work of the agent, which is answered but not kept. */
  read(body: unknown, headers: IncomingMessage['headers']): Request | null;
  /** `number` counts the requests from 1. */
  answer(response: ServerResponse, request: Request, number: number): void;
  answerSideWork?(response: ServerResponse): void;
}

const WAIT_MS = 60_000;

export async function startLoopbackModel<Request>(
  parts: LoopbackModelParts<Request>,
): Promise<LoopbackModel<Request>> {
  const requests: Request[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((message, response) => {
    void readJson(message).then((body) => {
      const request = parts.read(body, message.headers);
      if (request === null) return parts.answerSideWork?.(response);
      requests.push(request);
      parts.answer(response, request, requests.length);
      for (const watcher of watchers) watcher();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    seen: (count) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (requests.length < count) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve();
        };
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`only ${requests.length} of ${count} requests came within ${WAIT_MS} ms`));
        }, WAIT_MS);
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

/** Null for a body that is no JSON. */
async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Begins a stream of events; answers what sends the next one. */
export function beginEvents(
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): (type: string, fields: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  return (type, fields) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}
