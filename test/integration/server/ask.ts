import { connect } from 'node:net';
import type { App } from '../../../src/server/app.ts';

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Null: the peer is unknown. */
  readonly peer?: string | null;
  readonly host?: string;
}

/** Asks the app as a client on this machine would, unless told otherwise. */
export async function ask(app: App, path: string, options: AskOptions = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, peer = '127.0.0.1', host = '127.0.0.1:4000' } = options;
  const request = new Request(`http://127.0.0.1:4000${path}`, {
    method,
    headers: { host, ...headers },
    ...(body !== undefined && { body }),
  });
  const env = peer === null ? {} : { incoming: { socket: { remoteAddress: peer } } };
  return await app.fetch(request, env);
}

/** Sends bytes as they are and returns all that comes back until the server closes, or `until` matches. */
export function sendRaw(port: number, bytes: string | readonly string[], until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (): void => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(received);
    };
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end after a minute; received: ${received.slice(0, 200)}`));
    }, 60_000);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (until?.test(received)) finish();
    });
    socket.on('close', finish);
    // A server that has answered may reset the connection while we still write.
    socket.on('error', () => {});
    for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1');
  });
}
