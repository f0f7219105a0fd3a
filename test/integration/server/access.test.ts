import { describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

const TOKEN = 'dummy-token';
const ACT = { 'X-AIOPS-Refresh': 'true' };
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('without a token', () => {
  it.each([
    ['127.0.0.1:4000', '127.0.0.1'],
    ['localhost:4000', '::1'],
    ['[::1]:4000', '::ffff:127.0.0.1'],
  ])('serves Host %s from %s', async (host, peer) => {
    const response = await ask(createApp(scriptedSource()), '/api/v1/state', { host, peer });
    expect(response.status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '192.168.1.2:4000',
    '0.0.0.0:4000',
  ])('refuses Host %s, as DNS rebinding would send it', async (host) => {
    const source = scriptedSource();
    const app = createApp(source);
    for (const path of ['/', '/api/v1/state', '/assets/x.js', '/api/v1/DEMO-1']) {
      expect((await ask(app, path, { host })).status).toBe(421);
    }
    const headers = { ...ACT, Origin: `http://${host}` };
    expect((await ask(app, '/api/v1/refresh', { method: 'POST', host, headers })).status).toBe(421);
    expect(source.refreshes()).toBe(0);
  });

  it.each(['192.168.1.5', '::ffff:10.0.0.1', 'fe80::1', null])('refuses the peer %s', async (peer) => {
    const source = scriptedSource();
    const response = await ask(createApp(source), '/api/v1/refresh', { method: 'POST', headers: ACT, peer });
    expect(response.status).toBe(403);
    const { error } = errorEnvelopeSchema.parse(await response.json());
    expect(error.code).toBe('forbidden');
    expect(error.hint).toContain('AIOPS_STATE_API_TOKEN');
    expect(source.refreshes()).toBe(0);
  });

  it('treats a blank token as none', async () => {
    const app = createApp(scriptedSource(), { token: '  ' });
    expect((await ask(app, '/api/v1/state')).status).toBe(200);
    expect((await ask(app, '/api/v1/state', { peer: '10.0.0.1' })).status).toBe(403);
  });
});

describe('with a token', () => {
  const app = createApp(scriptedSource(), { token: ` ${TOKEN}\n` });
  const remote = { host: 'worker.example', peer: '203.0.113.9' };

  it.each([{ authorization: `Bearer ${TOKEN}` }, basic(`aiops:${TOKEN}`)])(
    'serves whoever sends it: %j',
    async (headers) => {
      expect((await ask(app, '/api/v1/state', { ...remote, headers })).status).toBe(200);
      const refresh = { ...remote, method: 'POST', headers: { ...headers, ...ACT } };
      expect((await ask(app, '/api/v1/refresh', refresh)).status).toBe(202);
    },
  );

  it.each([
    {},
    { authorization: 'Bearer' },
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${TOKEN}0` },
    basic(`root:${TOKEN}`),
    basic('aiops:wrong'),
  ])('asks everyone else for it, this machine included: %j', async (headers) => {
    for (const path of ['/', '/api/v1/state', '/assets/x.js', '/nowhere']) {
      const response = await ask(app, path, { headers: headers as Record<string, string> });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="aiops state API", charset="UTF-8"');
      expect(await response.text()).not.toContain(TOKEN);
    }
  });

  it('still refuses an action from another origin', async () => {
    const headers = { ...basic(`aiops:${TOKEN}`), ...ACT, Origin: 'https://evil.example' };
    const response = await ask(app, '/api/v1/refresh', { ...remote, method: 'POST', headers });
    expect(response.status).toBe(403);
  });
});

describe('a read-only token', () => {
  const READ = 'dummy-read-token';
  const reader = { authorization: `Bearer ${READ}` };
  const source = scriptedSource();
  const app = createApp(source, { token: TOKEN, readOnlyToken: READ });

  it('may look at everything', async () => {
    for (const path of [
      '/api/v1/state',
      '/api/v1/runs',
      '/api/v1/history',
      '/metrics',
      '/api/v1/openapi.json',
    ])
      expect((await ask(app, path, { headers: reader })).status).toBe(200);
    expect((await ask(app, '/api/v1/state', { method: 'HEAD', headers: reader })).status).toBe(200);
  });

  it.each(['/api/v1/refresh', '/api/v1/actions/pause'])('may not act: %s', async (path) => {
    const response = await ask(app, path, { method: 'POST', headers: { ...reader, ...ACT } });
    expect(response.status).toBe(403);
    expect(errorEnvelopeSchema.parse(await response.json()).error.code).toBe('read_only_token');
    expect(source.refreshes()).toBe(0);
  });

  it('closes the surface also when it is the only token', async () => {
    const only = createApp(scriptedSource(), { readOnlyToken: READ });
    expect((await ask(only, '/api/v1/state')).status).toBe(401);
    expect((await ask(only, '/api/v1/state', { headers: reader })).status).toBe(200);
  });
});

describe('guessing', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('is slowed down per address, and forgiven with time', async () => {
    let now = 1_000_000;
    const app = createApp(scriptedSource(), { token: TOKEN, now: () => now });
    const guess = async (token: string, peer: string) =>
      (await ask(app, '/api/v1/state', { headers: bearer(token), peer })).status;
    for (let n = 0; n < 20; n += 1) expect(await guess(`wrong-${n}`, '203.0.113.9')).toBe(401);
    expect(await guess('wrong', '203.0.113.9')).toBe(429);
    // The right token is not even looked at, or guessing could go on.
    const limited = await ask(app, '/api/v1/state', { headers: bearer(TOKEN), peer: '203.0.113.9' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await guess(TOKEN, '203.0.113.10')).toBe(200);
    now += 3_001;
    expect(await guess(TOKEN, '203.0.113.9')).toBe(200);
  });

  it('is not what a browser does that has not been asked for a password yet', async () => {
    const app = createApp(scriptedSource(), { token: TOKEN });
    for (let n = 0; n < 50; n += 1) expect((await ask(app, '/')).status).toBe(401);
    expect((await ask(app, '/api/v1/state', { headers: bearer(TOKEN) })).status).toBe(200);
  });
});
