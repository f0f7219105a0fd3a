import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { type ApiHttp, type ApiHttpOptions, createApiHttp } from '../../../src/http/request/api-http.ts';
import { silentLogger } from '../../../src/observability/logger.ts';

export const TOKEN = 'dummy-token-0123456789';
export const never = new AbortController().signal;

export interface LoopbackApi {
  readonly url: string;
  /** Method, path and `If-None-Match` of each request, in order. */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

/** A server whose answers a test writes itself. */
export async function startApi(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<LoopbackApi> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const condition = request.headers['if-none-match'];
    seen.push([request.method, request.url, ...(condition === undefined ? [] : [condition])].join(' '));
    answer(request, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function httpFor(api: LoopbackApi, options: Partial<ApiHttpOptions> = {}): ApiHttp {
  return createApiHttp({
    provider: 'Example',
    baseUrl: api.url,
    authorization: new Secret(`Bearer ${TOKEN}`),
    clock: systemClock,
    logger: silentLogger,
    governor: createGovernor({ clock: systemClock }),
    ...options,
  });
}
