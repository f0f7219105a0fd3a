import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, type ListenOptions, listen } from '../../../src/server/listen/listen.ts';
import type { WorkerPort } from '../../../src/server/worker-port.ts';
import { sendRaw } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function start(
  options: { source?: WorkerPort; limits?: ListenOptions['limits'] } = {},
): Promise<Listener> {
  const app = createApp(options.source ?? scriptedSource());
  const limits = options.limits ? { limits: options.limits } : {};
  const listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger, ...limits });
  open.push(listener);
  return listener;
}

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;
const GET_STATE = lines('GET /api/v1/state HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close');

describe('listen', () => {
  it('serves the contract over a real socket (R-18.2-a)', async () => {
    const source = scriptedSource();
    const { url, port } = await start({ source });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const client = createClient({ baseUrl: url, fetch });
    expect((await client.state()).running).toHaveLength(3);
    expect(await client.issue('owner/repo#1')).toBeNull();
    expect((await client.refresh()).coalesced).toBe(false);
    expect(source.refreshes()).toBe(1);
  });

  it('leaves the globals of the process alone', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await start();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it('names the port, who holds it and the fix when it is taken (R-13.7-d)', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const options = { app: createApp(scriptedSource()), host: '127.0.0.1', port, logger: silentLogger };
      const failure = await listen(options).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'server_bind_failed', context: { host: '127.0.0.1', port } });
      const { message, hint } = failure as { message: string; hint: string };
      expect(message).toContain(`127.0.0.1:${port}`);
      if (process.platform === 'linux') expect(message).toContain(`(pid ${process.pid})`);
      expect(hint).toContain('--port');
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it.each([
    ['192.0.2.1', 0, 'no address "192.0.2.1"'],
    ['127.0.0.1', 70_000, '0 to 65535'],
  ])('explains why %s:%d cannot be bound', async (host, port, text) => {
    const options = { app: createApp(scriptedSource()), host, port, logger: silentLogger };
    await expect(listen(options)).rejects.toMatchObject({
      code: 'server_bind_failed',
      message: expect.stringContaining(text),
    });
  });

  it('closes with idle keep-alive connections open, and twice', async () => {
    const listener = await start();
    await (await fetch(`${listener.url}/livez`)).text();
    await Promise.all([listener.close(), listener.close()]);
    await expect(fetch(`${listener.url}/livez`)).rejects.toThrow();
  });

  it('gives up on answers that outlast the grace', async () => {
    const listener = await start({ limits: { closeGrace: 50 } });
    // A request whose body never comes holds its connection.
    const request = [
      'POST /api/v1/refresh HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Length: 5',
      'X-AIOPS-Refresh: true',
    ];
    const stuck = sendRaw(listener.port, [lines(...request)]);
    await expect.poll(async () => (await fetch(`${listener.url}/livez`)).status).toBe(200);
    await listener.close();
    expect(await stuck).toBe('');
  });
});

describe('hostile clients', () => {
  it('cannot reach the worker under a foreign name', async () => {
    const { port } = await start();
    const answer = await sendRaw(
      port,
      lines('GET /api/v1/state HTTP/1.1', 'Host: evil.example', 'Connection: close'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toContain('"code":"misdirected_request"');
  });

  it('cannot hold a connection by sending headers slowly', async () => {
    const { port } = await start({ limits: { headersTimeout: 150, connectionsCheckingInterval: 50 } });
    expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')).toMatch(
      /^HTTP\/1\.1 408 |^$/,
    );
  });

  it('cannot hold one by sending a body slowly', async () => {
    const { port } = await start({
      limits: { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 50 },
    });
    const request = ['POST /api/v1/refresh HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: 100'];
    expect(await sendRaw(port, `${lines(...request)}{`)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it('get 431 for headers beyond 64 KiB', async () => {
    const { port } = await start();
    const answer = await sendRaw(
      port,
      lines('GET / HTTP/1.1', 'Host: 127.0.0.1', `X-Big: ${'a'.repeat(70_000)}`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('get 413 for a body beyond 1 MiB, announced or not', async () => {
    const source = scriptedSource();
    const { port } = await start({ source });
    const head = [
      'POST /api/v1/refresh HTTP/1.1',
      'Host: 127.0.0.1',
      'X-AIOPS-Refresh: true',
      'Connection: close',
    ];
    const announced = await sendRaw(port, lines(...head, 'Content-Length: 99999999'), /\}\}$/);
    expect(announced).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const chunked = [
      lines(...head, 'Transfer-Encoding: chunked'),
      ...Array<string>(20).fill(chunk),
      '0\r\n\r\n',
    ];
    expect(await sendRaw(port, chunked, /\}\}/)).toMatch(/^HTTP\/1\.1 413 /);
    expect(source.refreshes()).toBe(0);
  });

  it('cannot disturb the worker with malformed requests', async () => {
    const source = scriptedSource();
    const { port } = await start({
      source,
      limits: { headersTimeout: 300, connectionsCheckingInterval: 50 },
    });
    const close = 'Connection: close';
    const bad = [
      '\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      lines('GET / HTTP/1.1', close),
      lines('GET / HTTP/1.0'),
      lines('GET /api/v1/state HTTP/1.1', 'Host: 127.0.0.1', 'Host: evil.example', close),
      lines('GET /api/v1/state HTTP/1.1', 'Host: 127.0.0.1@evil.example', close),
      lines('GET /api/v1/state HTTP/1.1', 'Host: [::1', close),
      lines('GET \\..\\secret HTTP/1.1', 'Host: 127.0.0.1', close),
      lines('GET /../../etc/passwd HTTP/1.1', 'Host: 127.0.0.1', close),
      lines('GET * HTTP/1.1', 'Host: 127.0.0.1', close),
      lines('GET http://evil.example/api/v1/nope HTTP/1.1', 'Host: 127.0.0.1', close),
      lines('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443'),
      lines('TRACE /api/v1/state HTTP/1.1', 'Host: 127.0.0.1', close),
      lines(
        'POST /api/v1/refresh HTTP/1.1',
        'Host: 127.0.0.1',
        'Content-Length: 2',
        'Transfer-Encoding: chunked',
        close,
      ),
      lines('POST /api/v1/refresh HTTP/1.1', 'Host: 127.0.0.1', 'Content-Length: -1', close),
      `${lines('POST /api/v1/refresh HTTP/1.1', 'Host: 127.0.0.1', 'Transfer-Encoding: chunked', close)}zz\r\n`,
      lines('GET /%00 HTTP/1.1', 'Host: 127.0.0.1', close),
      lines('GET /nowhere HTTP/1.1', 'Host: 127.0.0.1', 'Upgrade: websocket', 'Connection: Upgrade, close'),
    ];
    const answers = bad.map(async (bytes) => ({ bytes, answer: await sendRaw(port, bytes) }));
    for (const { bytes, answer } of await Promise.all(answers)) {
      expect(answer, JSON.stringify(bytes)).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
      expect(answer).not.toContain('root:');
      expect(answer).not.toContain('    at ');
    }
    expect(source.refreshes()).toBe(0);
    expect(await sendRaw(port, GET_STATE)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
