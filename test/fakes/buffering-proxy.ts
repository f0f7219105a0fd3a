import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that passes everything on, except what would be streamed: that is swallowed, refused, or let through. */
export interface BufferingProxy {
  readonly url: string;
  /** `hold`: the answer never gets through. `refuse`: 404. `pass`: as if there were no proxy. */
  streams: 'hold' | 'refuse' | 'pass';
  /** Ends the connections that stand, as a proxy does that is restarted. */
  cut(): void;
  close(): Promise<void>;
}

export async function startBufferingProxy(
  target: () => string,
  streams: BufferingProxy['streams'],
): Promise<BufferingProxy> {
  const server = createServer((incoming, outgoing) => {
    const isStream = incoming.url?.startsWith('/api/v1/events') === true;
    if (isStream && proxy.streams === 'refuse') {
      outgoing.writeHead(404).end('no such page');
      return;
    }
    const { hostname, port } = new URL(target());
    const { method, url: path } = incoming;
    const onward = request(
      { hostname, port, method, path, headers: { ...incoming.headers, host: `${hostname}:${port}` } },
      (answer) => {
        if (isStream && proxy.streams === 'hold') {
          answer.resume();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const url = await bind(server);
  const proxy: BufferingProxy = {
    url,
    streams,
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function bind(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}
