import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

const FRIEND = 'http://127.0.0.1:4001';
const TOKEN = 'dummy-own-token';
const ALLOWED = 'access-control-allow-origin';
const ACT = { 'x-aiops-refresh': 'true', authorization: `Bearer ${TOKEN}` };

describe('pages of other workers', () => {
  const app = createApp(scriptedSource(), { ownToken: TOKEN, allowedOrigins: () => [FRIEND] });

  it('read the state when their origin is named, and the page may ask them', async () => {
    const response = await ask(app, '/api/v1/state', { headers: { origin: FRIEND } });
    expect(response.status).toBe(200);
    expect(response.headers.get(ALLOWED)).toBe(FRIEND);
    expect(response.headers.get('vary')).toContain('origin');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain(`connect-src 'self' ${FRIEND};`);
  });

  it.each(['http://127.0.0.1:4002', 'https://127.0.0.1:4001', `${FRIEND}.evil.example`, 'null', ''])(
    'read nothing from elsewhere: %s',
    async (origin) => {
      const response = await ask(app, '/api/v1/state', { headers: { origin } });
      expect(response.headers.get(ALLOWED)).toBeNull();
    },
  );

  it.each([
    '/api/v1/worker',
    '/api/v1/runs',
    '/api/v1/events',
    '/api/v1/tracker/issues',
    '/api/v1/state/x',
    '/',
  ])('read nothing else: %s', async (path) => {
    const response = await ask(app, path, { headers: { origin: FRIEND } });
    expect(response.headers.get(ALLOWED)).toBeNull();
    await response.body?.cancel();
  });

  it('do not act, and get no leave to send what acting takes', async () => {
    const acted = await ask(app, '/api/v1/actions/pause', {
      method: 'POST',
      headers: { ...ACT, origin: FRIEND },
      body: '{}',
    });
    expect(acted.status).toBe(403);
    const asked = await ask(app, '/api/v1/state', {
      method: 'OPTIONS',
      headers: { origin: FRIEND, 'access-control-request-headers': 'authorization' },
    });
    expect(asked.status).toBe(405);
    expect(asked.headers.get('access-control-allow-headers')).toBeNull();
  });

  it('get no further than anybody else where a token is asked for', async () => {
    const closed = createApp(scriptedSource(), { token: 'dummy-token', allowedOrigins: () => [FRIEND] });
    expect((await ask(closed, '/api/v1/state', { headers: { origin: FRIEND } })).status).toBe(401);
    const rebound = await ask(app, '/api/v1/state', { headers: { origin: FRIEND }, host: 'evil.example' });
    expect(rebound.status).toBe(421);
  });

  it('are nobody by default', async () => {
    const response = await ask(createApp(scriptedSource()), '/api/v1/state', { headers: { origin: FRIEND } });
    expect(response.headers.get(ALLOWED)).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'self';");
  });
});
