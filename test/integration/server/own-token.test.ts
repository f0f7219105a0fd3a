import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { linkSchema, sessionSchema, workerIdentitySchema } from '../../../src/contract/worker.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

const OWN = 'own-token-of-the-worker';
const ACT = { 'X-AIOPS-Refresh': 'true' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (headers: Record<string, string> = {}, body = '{}') => ({
  method: 'POST',
  headers: { ...ACT, ...headers },
  body,
});

async function codeOf(response: Response): Promise<string> {
  return errorEnvelopeSchema.parse(await response.json()).error.code;
}

async function newCode(app: App): Promise<string> {
  const response = await ask(app, API_ROUTES.link.path, post(bearer(OWN)));
  return linkSchema.parse(await response.json()).code;
}

const exchange = (app: App, code: string) =>
  ask(app, API_ROUTES.session.path, post({}, JSON.stringify({ code })));

describe('on this machine, without a token of the user', () => {
  const app = createApp(scriptedSource(), { ownToken: OWN });

  it.each(['/api/v1/state', '/api/v1/worker', '/api/v1/runs', '/', '/metrics', '/livez'])(
    'reading is open: %s',
    async (path) => {
      expect((await ask(app, path)).status).not.toBe(401);
      // An old token, such as a page has kept, takes nothing away.
      expect((await ask(app, path, { headers: bearer('old') })).status).not.toBe(401);
    },
  );

  it('asking for a poll is open, as the Go worker has it', async () => {
    expect((await ask(app, '/api/v1/refresh', { method: 'POST', headers: ACT })).status).toBe(202);
  });

  it.each(['/api/v1/actions/pause', '/api/v1/actions/stop', '/api/v1/link'])(
    'acting takes the token of the worker: %s',
    async (path) => {
      for (const headers of [{}, bearer('wrong'), bearer(''), { authorization: OWN }]) {
        const response = await ask(app, path, post(headers));
        expect(response.status).toBe(401);
        // No browser opens a dialog for it.
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
        expect(await codeOf(response)).toBe('operator_token_required');
      }
    },
  );

  it('no other spelling of the address leads around it', async () => {
    for (const path of ['/api/v1/%61ctions/pause', '/api/v1//actions/pause', '/api/v1/actions/./pause'])
      expect([401, 404, 405]).toContain((await ask(app, path, post())).status);
  });

  it('whoever has the token acts, however often others guess', async () => {
    for (let guess = 0; guess < 50; guess += 1)
      await ask(app, '/api/v1/actions/pause', post(bearer(`guess-${guess}`)));
    expect((await ask(app, '/api/v1/actions/pause', post(bearer(OWN)))).status).toBe(200);
    const basic = { authorization: `Basic ${Buffer.from(`aiops:${OWN}`).toString('base64')}` };
    expect((await ask(app, '/api/v1/actions/pause', post(basic))).status).toBe(200);
  });

  it('a foreign page with the token still may not act', async () => {
    const headers = { ...bearer(OWN), origin: 'https://evil.example' };
    expect((await ask(app, '/api/v1/actions/pause', post(headers))).status).toBe(403);
    expect((await ask(app, '/api/v1/actions/pause', { ...post(bearer(OWN)), peer: '10.0.0.1' })).status).toBe(
      403,
    );
  });

  it('without any token nobody acts', async () => {
    const closed = createApp(scriptedSource());
    expect((await ask(closed, '/api/v1/actions/pause', post(bearer('')))).status).toBe(401);
    expect((await ask(closed, API_ROUTES.session.path, post({}, '{"code":"x"}'))).status).toBe(403);
  });

  it('the worker says who it is, and whether the one who asks may act', async () => {
    const read = async (headers: Record<string, string>) =>
      workerIdentitySchema.parse(await (await ask(app, '/api/v1/worker', { headers })).json());
    expect(await read({})).toMatchObject({ instance: 'sample', may_act: false });
    expect(await read(bearer('old'))).toMatchObject({ may_act: false });
    expect(await read(bearer(OWN))).toMatchObject({ workflow_path: '/flows/WORKFLOW.md', may_act: true });
  });
});

describe('a code for a browser', () => {
  it('is good for the token once', async () => {
    const app = createApp(scriptedSource(), { ownToken: OWN });
    const code = await newCode(app);
    expect(sessionSchema.parse(await (await exchange(app, code)).json())).toEqual({ token: OWN });
    const again = await exchange(app, code);
    expect([again.status, await codeOf(again)]).toEqual([403, 'forbidden']);
    expect((await exchange(app, 'made-up')).status).toBe(403);
  });

  it('is good for a minute', async () => {
    let now = 0;
    const app = createApp(scriptedSource(), { ownToken: OWN, now: () => now });
    const [early, late] = [await newCode(app), await newCode(app)];
    now = 60_000;
    expect((await exchange(app, early)).status).toBe(200);
    now = 60_001;
    expect((await exchange(app, late)).status).toBe(403);
  });

  it.each(['', '{}', '[]', '{"code": 7}', '{"code": ""}', 'x'.repeat(5000), '"'])(
    'is refused when the body is %.12j',
    async (body) => {
      const app = createApp(scriptedSource(), { ownToken: OWN });
      const response = await ask(app, API_ROUTES.session.path, post({}, body));
      expect([response.status, await codeOf(response)]).toEqual([400, 'invalid_action_body']);
    },
  );

  it('is exchanged only by the page itself', async () => {
    const app = createApp(scriptedSource(), { ownToken: OWN });
    const code = await newCode(app);
    const body = JSON.stringify({ code });
    const foreign = await ask(app, API_ROUTES.session.path, post({ origin: 'https://evil.example' }, body));
    expect(foreign.status).toBe(403);
    const plain = await ask(app, API_ROUTES.session.path, { method: 'POST', body });
    expect([plain.status, await codeOf(plain)]).toEqual([403, 'action_header_required']);
    expect((await exchange(app, code)).status).toBe(200);
  });
});

describe('server.require_token: all', () => {
  const app = createApp(scriptedSource(), { ownToken: OWN, requireToken: 'all' });

  it.each([
    '/api/v1/state',
    '/api/v1/worker',
    '/api/v1/events',
    '/metrics',
    '/api/v1/openapi.json',
    '/x',
    '//',
  ])('keeps %s for whoever has the token', async (path) => {
    expect((await ask(app, path)).status).toBe(401);
    expect((await ask(app, path, { headers: bearer('wrong') })).status).toBe(401);
    expect((await ask(app, path, { headers: bearer(OWN) })).status).not.toBe(401);
  });

  it('keeps asking for a poll, too', async () => {
    expect((await ask(app, '/api/v1/refresh', { method: 'POST', headers: ACT })).status).toBe(401);
    const headers = { ...ACT, ...bearer(OWN) };
    expect((await ask(app, '/api/v1/refresh', { method: 'POST', headers })).status).toBe(202);
  });

  it('leaves open the bare page and the exchange of a code, by which it gets the token', async () => {
    for (const path of ['/', '/history', '/runs/run-1']) expect((await ask(app, path)).status).not.toBe(401);
    expect((await ask(app, '/runs/run-1/more')).status).toBe(401);
    expect((await ask(app, '/assets/none.js')).status).toBe(404);
    expect((await exchange(app, await newCode(app))).status).toBe(200);
  });
});

describe('beside a token of the user', () => {
  const app = createApp(scriptedSource(), { token: 'users-token', readOnlyToken: 'looks', ownToken: OWN });

  it('the own token opens what the other does, and reading takes a token as before', async () => {
    expect((await ask(app, '/api/v1/state')).status).toBe(401);
    for (const token of ['users-token', OWN]) {
      expect((await ask(app, '/api/v1/state', { headers: bearer(token) })).status).toBe(200);
      expect((await ask(app, '/api/v1/actions/pause', post(bearer(token)))).status).toBe(200);
    }
    expect((await ask(app, '/api/v1/actions/pause', post(bearer('looks')))).status).toBe(403);
  });

  it('others who guess cannot lock out the commands of the worker', async () => {
    for (let guess = 0; guess < 30; guess += 1)
      await ask(app, '/api/v1/state', { headers: bearer(`guess-${guess}`) });
    expect((await ask(app, '/api/v1/state', { headers: bearer('users-token') })).status).toBe(429);
    expect((await ask(app, '/api/v1/actions/pause', post(bearer(OWN)))).status).toBe(200);
  });
});
