import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { App } from '../app.ts';
import { errorResponse } from '../error-response.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import { explainBindError } from './bind-error.ts';

/** Slow or endless clients are cut off; none of them can hold the worker. Times are in milliseconds. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 30_000,
  /** How often the timeouts above are looked at. */
  connectionsCheckingInterval: 1_000,
  /** A connection on which nothing moved for so long during a request is given up. */
  silence: 10_000,
  /** How long `close` waits for answers under way. */
  closeGrace: 10_000,
  maxHeaderSize: 64 * 1024,
};

export interface ListenOptions {
  readonly app: App;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly logger: Logger;
  readonly limits?: Partial<typeof LIMITS>;
}

export interface Listener {
  /** An address a browser on this machine can open. */
  readonly url: string;
  readonly port: number;
  /** Takes no new connection, lets answers under way finish, then closes. Safe to call twice. */
  close(): Promise<void>;
}

/** Opens the socket. Rejects with `server_bind_failed`, which says what holds the port and what to do. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const handler = getRequestListener((request, env) => options.app.fetch(request, env), {
    hostname: options.host,
    overrideGlobalObjects: false,
    errorHandler: (error) => malformed(error),
  });
  const { silence, closeGrace, ...limits } = { ...LIMITS, ...options.limits };
  const server = createServer(limits, (request, response) => void handler(request, response));
  server.timeout = silence;
  await bind(server, options);

  const { port } = server.address() as AddressInfo;
  const url = `http://${displayHost(options.host)}:${port}`;
  options.logger.info('listening', { url });
  let closing: Promise<void> | null = null;
  return {
    url,
    port,
    close: () => {
      closing ??= closeServer(server, closeGrace);
      options.app.endStreams();
      return closing;
    },
  };
}

async function bind(server: Server, { host, port, logger }: ListenOptions): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw await explainBindError(error, host, port);
  }
  server.on('error', (error) => logger.warn('listener error', { error: error.message }));
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection whose answer has just ended would otherwise be kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), 25);
    server.close(() => {
      clearTimeout(force);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function malformed(cause: unknown): Response {
  const error = new AppError('invalid_request', 'this is not a request the worker can read', { cause });
  return errorResponse(error, '/', SECURITY_HEADERS);
}

/** Wildcard addresses are where we listen, not where one can go. */
function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
