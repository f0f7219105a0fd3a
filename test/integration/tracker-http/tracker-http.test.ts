import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { httpFor, type LoopbackApi, never, sendJson, startApi, TOKEN } from './fixture.ts';

const running: LoopbackApi[] = [];
afterEach(async () => {
  for (const api of running.splice(0)) await api.stop();
});

async function api(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<LoopbackApi> {
  const started = await startApi(answer);
  running.push(started);
  return started;
}

const read = { path: '/issues?page=1', purpose: 'poll', signal: never } as const;

describe('an answer', () => {
  it('comes with its status, headers and JSON; the request carries the credential', async () => {
    const server = await api((request, response) =>
      sendJson(response, { got: request.headers.authorization }, 200, { link: '<x>; rel="next"' }),
    );
    const answer = await httpFor(server).request(read);
    expect(answer).toMatchObject({ status: 200, json: { got: `Bearer ${TOKEN}` }, notModified: false });
    expect(answer.headers.get('link')).toBe('<x>; rel="next"');
    expect(server.seen).toEqual(['GET /api/issues?page=1']);
  });

  it('without a body is null; a status that was expected is no error', async () => {
    const server = await api((_request, response, count) =>
      count === 1 ? response.writeHead(204).end() : sendJson(response, { message: 'Gone' }, 404),
    );
    const http = httpFor(server);
    expect(await http.request({ ...read, method: 'DELETE' })).toMatchObject({ status: 204, json: null });
    expect(await http.request({ ...read, expected: [404] })).toMatchObject({
      status: 404,
      json: { message: 'Gone' },
    });
  });

  it.each([
    ['an HTML page', { 'content-type': 'text/html' }, '<html>hello</html>', 'text/html'],
    ['no type at all', {}, '{}', 'not JSON'],
    ['truncated JSON', { 'content-type': 'application/json' }, '{"issues": [{"id": 1', 'broken JSON'],
    ['a word', { 'content-type': 'application/problem+json' }, 'oops', 'broken JSON'],
  ])('that is %s is a tracker_response', async (_name, headers, body, text) => {
    const server = await api((_request, response) => response.writeHead(200, headers).end(body));
    await expect(httpFor(server).request(read)).rejects.toMatchObject({
      code: 'tracker_response',
      message: expect.stringContaining(text),
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['announced', { 'content-length': '5000' }],
    ['not announced', {}],
  ])('larger than allowed, %s, is not read to its end', async (_name, headers) => {
    const server = await api((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.write(`"${'x'.repeat(4000)}`);
    });
    await expect(httpFor(server, { maxBytes: 2000 }).request(read)).rejects.toMatchObject({
      code: 'tracker_response',
      message: expect.stringContaining('larger than 2000 bytes'),
    });
  });
});

describe('an error', () => {
  it('status says what the provider said, without the credential', async () => {
    const server = await api((_request, response) =>
      sendJson(response, { message: `bad key ${TOKEN} here` }, 401),
    );
    const error = await httpFor(server)
      .request({ ...read, path: `/issues?token=${TOKEN}` })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'tracker_status',
      message: expect.stringContaining('(GET /api/issues) answered with status 401: bad key'),
      hint: expect.stringContaining('tracker.api_key'),
      context: { status: 401 },
    });
    expect(inspect(error, { depth: 10 })).not.toContain(TOKEN);
  });

  it('is never a redirect followed elsewhere', async () => {
    const server = await api((_request, response) =>
      response.writeHead(301, { location: 'http://127.0.0.1:1/steal' }).end(),
    );
    await expect(httpFor(server).request(read)).rejects.toMatchObject({ context: { status: 301 } });
    const moved = await httpFor(server).request({ ...read, expected: [301] });
    expect(moved.headers.get('location')).toContain('/steal');
  });

  it.each([
    'http://127.0.0.1:1/api/issues',
    'https://example.com/api',
    'http://x@127.0.0.1/api',
    '/../admin',
  ])('stops the credential from going to %s', async (path) => {
    const server = await api((_request, response) => sendJson(response, {}));
    await expect(httpFor(server).request({ ...read, path })).rejects.toMatchObject({
      code: 'tracker_response',
      message: expect.stringContaining('outside its API'),
    });
    expect(server.seen).toEqual([]);
  });

  it('of a passing kind is tried once more for a GET, never for a write', async () => {
    const server = await api((_request, response, count) =>
      count % 2 === 1 ? sendJson(response, {}, 502) : sendJson(response, { fine: true }),
    );
    expect((await httpFor(server).request(read)).json).toEqual({ fine: true });
    await expect(httpFor(server).request({ ...read, method: 'POST', body: {} })).rejects.toMatchObject({
      code: 'tracker_status',
    });
    expect(server.seen).toHaveLength(3);
  });

  it('that stays is reported after two attempts', async () => {
    const server = await api((request) => request.socket.destroy());
    await expect(httpFor(server).request(read)).rejects.toMatchObject({
      code: 'tracker_request',
      message: expect.stringContaining('could not be reached'),
    });
    expect(server.seen).toHaveLength(2);
  });

  it('ends a request without an answer, and one that stops in the middle of its body', async () => {
    const server = await api((_request, response, count) => {
      if (count === 2) response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":');
    });
    // Long enough for a request to reach the server on a busy machine.
    const http = httpFor(server, { timeoutMs: 1_000 });
    for (let round = 0; round < 2; round += 1) {
      await expect(http.request(read)).rejects.toMatchObject({
        code: 'tracker_request',
        message: expect.stringContaining('did not answer within'),
      });
    }
    expect(server.seen).toHaveLength(2);
  });

  it('ends a request whose caller gave up', async () => {
    const caller = new AbortController();
    const server = await api(() => caller.abort());
    await expect(httpFor(server).request({ ...read, signal: caller.signal })).rejects.toMatchObject({
      code: 'tracker_request',
      message: expect.stringContaining('cancelled'),
    });
    expect(server.seen).toHaveLength(1);
  });

  it('refuses a credential that no header can carry, without quoting it', async () => {
    const server = await api((_request, response) => sendJson(response, {}));
    for (const value of ['', 'Bearer dummy\nkey', 'Bearer dummy-ключ', ' dummy']) {
      let error: unknown = null;
      try {
        httpFor(server, { authorization: new Secret(value) });
      } catch (reason) {
        error = reason;
      }
      expect(error).toMatchObject({ code: 'missing_tracker_secret' });
      expect(inspect(error)).not.toContain('dummy');
    }
  });
});

describe('a rate limit', () => {
  it.each([
    ['429', 429, { 'retry-after': '7' }, {}, 7_000],
    ['403 with nothing left', 403, { 'x-ratelimit-remaining': '0', 'retry-after': '9' }, {}, 9_000],
    ['403 of the secondary kind', 403, {}, { message: 'You have exceeded a secondary rate limit' }, 60_000],
    [
      '400 RATELIMITED',
      400,
      {},
      { errors: [{ message: 'slow', extensions: { code: 'RATELIMITED' } }] },
      60_000,
    ],
    [
      '200 RATE_LIMITED',
      200,
      {},
      { data: null, errors: [{ type: 'RATE_LIMITED', message: 'slow' }] },
      60_000,
    ],
  ])(
    'in the form of %s pauses everything that uses the token',
    async (_name, status, headers, body, wait) => {
      const server = await api((_request, response) => sendJson(response, body, status, headers));
      const governor = createGovernor({ clock: systemClock });
      const http = httpFor(server, { governor });
      await expect(http.request(read)).rejects.toMatchObject({
        code: 'tracker_rate_limited',
        context: { retryAfterMs: wait },
      });
      await expect(
        httpFor(server, { governor }).request({ ...read, purpose: 'refresh' }),
      ).rejects.toMatchObject({
        code: 'tracker_rate_limited',
      });
      expect(server.seen).toHaveLength(1);
      expect(governor.read().pausedUntil).toBeGreaterThan(systemClock.now());
    },
  );

  it('is not seen in an ordinary 403, nor in an issue that speaks of one', async () => {
    const server = await api((_request, response, count) =>
      count === 1
        ? sendJson(response, { message: 'Must have push access' }, 403)
        : sendJson(response, { title: 'RATELIMITED', errors: ['RATE_LIMITED'] }),
    );
    const http = httpFor(server);
    await expect(http.request(read)).rejects.toMatchObject({ code: 'tracker_status' });
    expect((await http.request(read)).status).toBe(200);
  });
});

describe('conditional requests', () => {
  it('send the last ETag and get the last answer back for a 304, counted', async () => {
    const server = await api((request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else sendJson(response, { version: 1 }, 200, { etag: '"v1"', link: '<n>' });
    });
    const http = httpFor(server);
    await http.request(read);
    const again = await http.request(read);
    expect(again).toMatchObject({ status: 200, json: { version: 1 }, notModified: true });
    expect(again.headers.get('link')).toBe('<n>');
    await http.request({ ...read, headers: { accept: 'application/vnd.other+json' } });
    expect(server.seen).toEqual([
      'GET /api/issues?page=1',
      'GET /api/issues?page=1 "v1"',
      'GET /api/issues?page=1',
    ]);
    expect(http.governor.read()).toMatchObject({ requests: 3, notModified: 1 });
  });

  it('ignore a 304 that nobody asked for', async () => {
    const server = await api((_request, response) => response.writeHead(304).end());
    await expect(httpFor(server).request(read)).rejects.toMatchObject({ code: 'tracker_status' });
  });
});
