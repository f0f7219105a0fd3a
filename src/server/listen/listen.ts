import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { App } from '../app.ts';
import { PROBE_HEADERS } from '../probes.ts';
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
  const answer = answerWith(options);
  const { silence, closeGrace, ...limits } = { ...LIMITS, ...options.limits };
  const server = createServer(limits, (request, response) => void answer(request, response));
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

/** What takes requests apart is loaded with the first one that is no probe. */
function answerWith({
  app,
  host,
  logger,
}: ListenOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const load = async () => (await import('./request-listener.ts')).createRequestListener(app, host);
  let handler: ReturnType<typeof load> | null = null;
  return async (request, response) => {
    if (answersProbe(app, request, response)) return;
    try {
      handler ??= load();
      await (await handler)(request, response);
    } catch (error) {
      handler = null;
      logger.error('request failed', { error: messageOf(error) });
      response.destroy();
    }
  };
}

function answersProbe(app: App, { method, url = '' }: IncomingMessage, response: ServerResponse): boolean {
  const answer = method === 'GET' || method === 'HEAD' ? app.probe(url) : null;
  if (answer === null) return false;
  response.writeHead(answer.status, { ...SECURITY_HEADERS, ...PROBE_HEADERS });
  response.end(answer.text);
  return true;
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

/** Wildcard addresses are where we listen, not where one can go. */
function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
