import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { webhookAnswerSchema } from '../../../src/contract/webhooks.ts';
import { createApp } from '../../../src/server/app.ts';
import { ask, sendRaw } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';
import { delivery, type Fixture, openFixture, SECRET, settingsFor, sign } from './webhook-fixture.ts';

const HOUR = 3_600_000;

async function resultOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return webhookAnswerSchema.parse(await response.json()).result;
}

function flip(bytes: Buffer, bit: number): Buffer {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes;
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${errorEnvelopeSchema.parse(await response.json()).error.code}`;
}

/** A delivery as GitHub would send it: its result, or the status and code of its refusal. */
async function deliver(fixture: Fixture): Promise<string> {
  const { body, headers } = delivery('github');
  const response = await fixture.post('github', body, headers);
  return response.status === 200 ? resultOf(response) : codeOf(response);
}

describe('a webhook that is signed', () => {
  it.each(['github', 'gitea', 'linear'])('by %s makes the worker poll', async (kind) => {
    const fixture = await openFixture({ settings: settingsFor(kind) });
    const { body, headers } = delivery(kind);
    expect(await resultOf(await fixture.post(kind, body, headers))).toBe('queued');
    await expect.poll(fixture.polls).toBe(1);
    expect(fixture.receiver.status()).toMatchObject({
      received_total: 1,
      last: { result: 'queued', at: expect.any(String) },
      last_wake_at: expect.any(String),
    });
  });

  it.each([
    ['x-forgejo-signature', ''],
    ['x-gitea-signature', ''],
    ['x-hub-signature-256', 'sha256='],
  ])('by a forge in %s counts', async (header, prefix) => {
    const fixture = await openFixture({ settings: settingsFor('gitea') });
    const body = JSON.stringify({ header });
    const headers = { [header]: `${prefix}${sign(body).toUpperCase()}` };
    expect(await resultOf(await fixture.post('gitea', body, headers))).toBe('queued');
  });

  it('needs no token and no loopback name, which everything else still does', async () => {
    for (const token of [undefined, 'dummy-token']) {
      const { listener } = await openFixture(token === undefined ? {} : { token });
      const { body, headers } = delivery('github');
      const head = (line: string) => `${line} HTTP/1.1\r\nHost: worker.example\r\nConnection: close\r\n`;
      const fields = Object.entries({ ...headers, 'content-length': String(body.length) });
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const post = `${head('POST /api/v1/webhooks/github')}${lines}\r\n${body}`;
      expect(await sendRaw(listener.port, post)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result":"queued"/);
      const state = await sendRaw(listener.port, `${head('GET /api/v1/state')}\r\n`);
      expect(state).toMatch(token === undefined ? /^HTTP\/1\.1 421 / : /^HTTP\/1\.1 401 /);
    }
  });

  it('may be a form, and as large as GitHub sends them, without being kept', async () => {
    const fixture = await openFixture();
    const payload = JSON.stringify({ repository: { full_name: 'someone/else' } });
    const form = `payload=${encodeURIComponent(payload)}`;
    const formHeaders = {
      'x-hub-signature-256': `sha256=${sign(form)}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    expect(await resultOf(await fixture.post('github', form, formHeaders))).toBe('ignored');
    const huge = JSON.stringify({ text: 'x'.repeat(20 * 1024 * 1024) });
    const before = process.memoryUsage().arrayBuffers;
    const response = await fixture.post('github', huge, { 'x-hub-signature-256': `sha256=${sign(huge)}` });
    expect(await resultOf(response)).toBe('queued');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['github', { 'x-github-event': 'ping' }],
    ['github', { 'x-github-event': 'push' }],
    ['gitea', { 'x-gitea-event': 'repository' }],
  ])('but tells %s news of another kind wakes nobody: %j', async (kind, event) => {
    const fixture = await openFixture({ settings: settingsFor(kind) });
    const { body, headers } = delivery(kind);
    expect(await resultOf(await fixture.post(kind, body, { ...headers, ...event }))).toBe('ignored');
    const linear = await openFixture({ settings: settingsFor('linear') });
    const comment = JSON.stringify({ type: 'Comment', webhookTimestamp: Date.now() });
    const signed = { 'linear-signature': sign(comment), 'linear-event': 'Issue' };
    expect(await resultOf(await linear.post('linear', comment, signed))).toBe('ignored');
    expect([fixture.polls(), linear.polls()]).toEqual([0, 0]);
  });
});

describe('a webhook that is not', () => {
  const { body, headers } = delivery('github');
  const right = sign(body);
  it.each([
    ['has no signature', {}],
    ['has an empty one', { 'x-hub-signature-256': '' }],
    ['has a truncated one', { 'x-hub-signature-256': `sha256=${right.slice(0, -2)}` }],
    ['has a longer one', { 'x-hub-signature-256': `sha256=${right}00` }],
    ['has one without its algorithm', { 'x-hub-signature-256': right }],
    ['has one of SHA-1', { 'x-hub-signature-256': `sha1=${sign(body, SECRET, 'sha1')}` }],
    ['has the old header of SHA-1', { 'x-hub-signature': `sha1=${sign(body, SECRET, 'sha1')}` }],
    ['has one of SHA-512', { 'x-hub-signature-256': `sha512=${sign(body, SECRET, 'sha512')}` }],
    ['was signed with another secret', { 'x-hub-signature-256': `sha256=${sign(body, 'dummy-other')}` }],
    ['was changed on the way', { 'x-hub-signature-256': `sha256=${sign(`${body} `)}` }],
    ['carries two', { 'x-hub-signature-256': `sha256=${right}, sha256=${right}` }],
    ["uses another tracker's header", { 'x-gitea-signature': right }],
    ['sends the secret itself', { 'x-hub-signature-256': `sha256=${SECRET}` }],
  ])('is refused when it %s', async (_what, signature) => {
    const fixture = await openFixture();
    const { 'x-hub-signature-256': _right, ...rest } = headers;
    const response = await fixture.post('github', body, { ...rest, ...signature });
    const text = await response.clone().text();
    expect(await codeOf(response)).toBe('401 webhook_signature');
    expect(response.headers.get('www-authenticate')).toBeNull();
    for (const shown of [text, fixture.log()])
      for (const secret of [SECRET, right, 'Octo/App']) expect(shown).not.toContain(secret);
    expect(fixture.polls()).toBe(0);
    expect(fixture.receiver.status()?.last?.result).toMatch(/^(unsigned|bad_signature)$/);
  });

  it('is refused when a single bit of it or of its signature is another', async () => {
    const fixture = await openFixture();
    const app = createApp(scriptedSource(), { webhooks: fixture.receiver });
    const accepted: number[] = [];
    const signatures = Array.from({ length: 256 }, (_, bit) => [
      body,
      flip(Buffer.from(right, 'hex'), bit).toString('hex'),
    ]);
    const bodies = Array.from({ length: body.length }, (_, at) => [
      flip(Buffer.from(body), at * 8).toString('latin1'),
      right,
    ]);
    for (const [n, [sent = '', signature = '']] of [...signatures, ...bodies].entries()) {
      const response = await ask(app, '/api/v1/webhooks/github', {
        method: 'POST',
        body: sent,
        headers: { ...headers, 'x-hub-signature-256': `sha256=${signature}` },
        peer: `10.0.${n >> 8}.${n & 255}`,
      });
      if (response.status !== 401) accepted.push(n);
    }
    expect(accepted).toEqual([]);
    expect(fixture.receiver.counts.get('bad_signature')).toBe(256 + body.length);
  });

  it('is not even looked at after many wrong ones, and tokens of that address still are', async () => {
    let now = Date.now();
    const fixture = await openFixture({ token: 'dummy-token', now: () => now });
    const wrong = { 'x-hub-signature-256': `sha256=${sign('something else')}` };
    const codes = new Set<string>();
    for (let n = 0; n < 20; n += 1) codes.add(await codeOf(await fixture.post('github', body, wrong)));
    expect([...codes]).toEqual(['401 webhook_signature']);
    const refused = await fixture.post('github', body, headers);
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(await codeOf(refused)).toBe('429 too_many_failures');
    const state = await fetch(`${fixture.listener.url}/api/v1/state`, {
      headers: { authorization: 'Bearer dummy-token' },
    });
    expect(state.status).toBe(200);
    now += 3_001;
    expect(await resultOf(await fixture.post('github', body, headers))).toBe('queued');
  });

  it('is refused when a page of another site sends it', async () => {
    const fixture = await openFixture();
    const response = await fixture.post('github', body, { ...headers, origin: 'https://evil.example' });
    expect(await codeOf(response)).toBe('403 forbidden');
    expect(fixture.polls()).toBe(0);
  });
});

describe('replays', () => {
  it('are acknowledged and wake nobody, whatever their headers say', async () => {
    const fixture = await openFixture();
    const { body, headers } = delivery('github');
    expect(await resultOf(await fixture.post('github', body, headers))).toBe('queued');
    await expect.poll(fixture.polls).toBe(1);
    expect(await resultOf(await fixture.post('github', body, headers))).toBe('replayed');
    const renamed = { ...headers, 'x-github-delivery': 'another-id' };
    expect(await resultOf(await fixture.post('github', body, renamed))).toBe('replayed');
    const next = delivery('github');
    const reused = { ...next.headers, 'x-github-delivery': headers['x-github-delivery'] ?? '' };
    expect(await resultOf(await fixture.post('github', next.body, reused))).toBe('replayed');
    expect(fixture.receiver.counts.get('replayed')).toBe(3);
  });

  it.each([
    ['an hour ago', { webhookTimestamp: Date.now() - 3_600_000 }],
    ['61 seconds ago', { webhookTimestamp: Date.now() - 61_000 }],
    ['in the future', { webhookTimestamp: Date.now() + 120_000 }],
    ['at no time', {}],
    ['at a time that is text', { webhookTimestamp: String(Date.now()) }],
  ])('of Linear are refused: sent %s', async (_when, time) => {
    const fixture = await openFixture({ settings: settingsFor('linear') });
    const body = JSON.stringify({ type: 'Issue', ...time });
    const response = await fixture.post('linear', body, { 'linear-signature': sign(body) });
    expect(await codeOf(response)).toBe('400 webhook_stale');
    expect([fixture.polls(), fixture.receiver.status()?.last?.result]).toEqual([0, 'stale']);
  });
});

describe('the route', () => {
  it('is not there without a secret, nor for another kind of tracker', async () => {
    const { body, headers } = delivery('github');
    const none = await openFixture({ settings: null });
    const other = await openFixture({ settings: settingsFor('gitea') });
    const local = await openFixture({ settings: settingsFor('local') });
    expect(await codeOf(await none.post('github', body, headers))).toBe('404 not_found');
    expect(await codeOf(await other.post('github', body, headers))).toBe('404 not_found');
    expect(await codeOf(await local.post('local', body, headers))).toBe('404 not_found');
    for (const kind of ['', 'constructor', '__proto__', 'gitea/x', 'gitea%2F', 'GITEA'])
      expect(await codeOf(await other.post(kind, body, headers))).toMatch(/^40[45] /);
    expect(none.receiver.status()).toBeNull();
    expect([none.polls(), other.polls(), local.polls()]).toEqual([0, 0, 0]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('takes no %s', async (method) => {
    const { listener } = await openFixture();
    const response = await fetch(`${listener.url}/api/v1/webhooks/github`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('wakes once for a burst', async () => {
    const fixture = await openFixture();
    const burst = Array.from({ length: 50 }, () => delivery('github'));
    const results = await Promise.all(
      burst.map(async ({ body, headers }) => resultOf(await fixture.post('github', body, headers))),
    );
    await expect.poll(fixture.polls).toBe(1);
    const { body, headers } = delivery('github');
    expect(await resultOf(await fixture.post('github', body, headers))).toMatch(/queued|coalesced/);
    expect(results.filter((result) => result === 'queued').length).toBeLessThanOrEqual(2);
    expect(fixture.polls()).toBe(1);
    expect(fixture.receiver.status()?.received_total).toBe(51);
  });

  it('keeps off a tracker that wants to be left alone', async () => {
    const fixture = await openFixture({ notBefore: () => Date.now() + 3_600_000 });
    const { body, headers } = delivery('github');
    expect(await resultOf(await fixture.post('github', body, headers))).toBe('queued');
    expect(await resultOf(await fixture.post('github', ...again()))).toBe('coalesced');
    expect(fixture.polls()).toBe(0);
    function again(): [string, Record<string, string>] {
      const next = delivery('github');
      return [next.body, next.headers];
    }
  });

  it('takes no body without end, announced or not', async () => {
    const { listener, receiver, polls } = await openFixture();
    const head = [
      'POST /api/v1/webhooks/github HTTP/1.1',
      'Host: worker.example',
      'Connection: close',
      `X-Hub-Signature-256: sha256=${sign('x')}`,
    ].join('\r\n');
    const announced = `${head}\r\nContent-Length: 30000000\r\n\r\n`;
    expect(await sendRaw(listener.port, announced, /\}\}$/)).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const endless = [`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`, ...Array<string>(27).fill(chunk)];
    expect(await sendRaw(listener.port, endless, /\}\}/)).toMatch(/^HTTP\/1\.1 413 /);
    expect([polls(), receiver.counts.get('too_large')]).toEqual([0, 2]);
  });

  it('waits for no body that comes too slowly, and outlives one that breaks off', async () => {
    const limits = { headersTimeout: 150, requestTimeout: 200, connectionsCheckingInterval: 50 };
    const fixture = await openFixture({ limits });
    const head = [
      'POST /api/v1/webhooks/github HTTP/1.1',
      'Host: worker.example',
      `X-Hub-Signature-256: sha256=${sign('x')}`,
      'Transfer-Encoding: chunked',
    ].join('\r\n');
    expect(await sendRaw(fixture.listener.port, `${head}\r\n\r\n1\r\nx\r\n`)).toMatch(/^HTTP\/1\.1 408 |^$/);
    await expect.poll(() => fixture.receiver.counts.get('broken_off')).toBe(1);
    expect(fixture.log()).not.toContain('request failed');
    // The limits may be too short for this one, too, while the machine is busy.
    await expect.poll(() => deliver(fixture)).toBe('queued');
  });

  it('reads few bodies at once, and recovers', async () => {
    const fixture = await openFixture({ limits: { headersTimeout: HOUR, requestTimeout: HOUR } });
    const stuck = [
      'POST /api/v1/webhooks/github HTTP/1.1',
      'Host: worker.example',
      `X-Hub-Signature-256: sha256=${sign('x')}`,
      'Content-Length: 100',
    ].join('\r\n');
    const senders = Array.from({ length: 40 }, () => {
      const socket = connect(fixture.listener.port, '127.0.0.1').on('error', () => {});
      socket.write(`${stuck}\r\n\r\nx`);
      return socket;
    });
    onTestFinished(() => senders.forEach((socket) => void socket.destroy()));
    await expect.poll(() => fixture.receiver.counts.get('busy') ?? 0).toBe(8);
    expect(await deliver(fixture)).toMatch(/ webhook_busy$/);
    for (const socket of senders) socket.destroy();
    await expect.poll(() => deliver(fixture)).toBe('queued');
  });
});
