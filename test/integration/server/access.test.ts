import { describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './sample-state.ts';

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
