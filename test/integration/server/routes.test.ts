import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { issueDetailSchema } from '../../../src/contract/issue-detail.ts';
import { refreshResultSchema } from '../../../src/contract/refresh.ts';
import { stateSnapshotSchema } from '../../../src/contract/state.ts';
import { createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { emptyState, richState, runningDetail, scriptedSource } from './state-fixture.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');

/** The envelope of an answer; fails when the answer is not one. */
async function errorOf(response: Response) {
  return errorEnvelopeSchema.strict().parse(await response.json()).error;
}

describe('GET /api/v1/state', () => {
  it.each([
    ['rich', richState(NOW)],
    ['empty', emptyState(NOW)],
  ])('serves a %s snapshot unchanged', async (_name, snapshot) => {
    const app = createApp(scriptedSource({ snapshot: () => snapshot }));
    const response = await ask(app, '/api/v1/state');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(stateSnapshotSchema.parse(await response.json())).toEqual(snapshot);
  });

  it('answers HEAD without a body', async () => {
    const response = await ask(createApp(scriptedSource()), '/api/v1/state', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('hides the cause of a failure from the client', async () => {
    const app = createApp(
      scriptedSource({
        snapshot: () => {
          throw new Error('dummy-secret in a stack');
        },
      }),
    );
    const response = await ask(app, '/api/v1/state');
    expect(response.status).toBe(500);
    const error = await errorOf(response);
    expect(error.code).toBe('internal_error');
    expect(JSON.stringify(error)).not.toContain('dummy-secret');
  });
});

describe('GET /api/v1/<issue>', () => {
  const detail = runningDetail(richState(NOW));

  it.each([
    ['/api/v1/DEMO-11', 'DEMO-11'],
    ['/api/v1/owner%2Frepo%2312', 'owner/repo#12'],
    ['/api/v1/issues/owner/repo%2312', 'owner/repo#12'],
    ['/api/v1/issues/state', 'state'],
    ['/api/v1/issues/refresh', 'refresh'],
    ['/api/v1/100%25', '100%'],
    ['/api/v1/a%252Fb', 'a%2Fb'],
    ['/api/v1/%C3%9Cber-1', 'Über-1'],
    ['/api/v1/STATE', 'STATE'],
  ])('%s asks for "%s"', async (path, wanted) => {
    const asked: string[] = [];
    const issue = (name: string) => {
      asked.push(name);
      return detail;
    };
    const response = await ask(createApp(scriptedSource({ issue })), path);
    expect(response.status).toBe(200);
    expect(issueDetailSchema.parse(await response.json())).toEqual(detail);
    expect(asked).toEqual([wanted]);
  });

  it('says which issue it does not know, in part when the name is long (R-13.7.2-h, R-13.7.2-m)', async () => {
    const app = createApp(scriptedSource());
    const response = await ask(app, `/api/v1/${'x'.repeat(5_000)}`);
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error.code).toBe('issue_not_found');
    expect(error.message.length).toBeLessThan(200);
  });

  it.each(['/api/v1/%', '/api/v1/%ZZ', '/api/v1/%E0%A4%A', '/api/v1/issues/%FF'])(
    'refuses broken encoding in %s',
    async (path) => {
      const response = await ask(createApp(scriptedSource()), path);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).code).toBe('invalid_request');
    },
  );

  it.each(['/api/v1/', '/api/v1/issues/', '/api/v1/unknown', '/api/v2/state', '/api', '/api/v1'])(
    'answers %s with a JSON 404 (R-13.7.2-m)',
    async (path) => {
      const response = await ask(createApp(scriptedSource()), path);
      expect(response.status).toBe(404);
      expect((await errorOf(response)).code).toMatch(/not_found$/);
    },
  );
});

describe('POST /api/v1/refresh', () => {
  const refresh = (body: string | undefined, headers: Record<string, string> = {}) => {
    const source = scriptedSource();
    const app = createApp(source, { now: () => NOW });
    const options = { method: 'POST', headers, ...(body !== undefined && { body }) };
    return { source, response: ask(app, '/api/v1/refresh', options), app };
  };
  const ACT = { 'X-AIOPS-Refresh': 'TRUE' };

  it.each([undefined, '', '{}', ' { } \n'])('takes the body %j (R-13.7.2-i)', async (body) => {
    const { source, response } = refresh(body, ACT);
    expect((await response).status).toBe(202);
    expect(refreshResultSchema.parse(await (await response).json())).toEqual({
      queued: true,
      coalesced: false,
      requested_at: '2026-07-01T09:30:00.000Z',
      operations: ['poll', 'reconcile'],
    });
    expect(source.refreshes()).toBe(1);
  });

  it('says when a request joined an earlier one (R-13.7.2-i)', async () => {
    const { response, app } = refresh(undefined, ACT);
    await response;
    const second = await ask(app, '/api/v1/refresh', { method: 'POST', headers: ACT });
    expect(refreshResultSchema.parse(await second.json()).coalesced).toBe(true);
  });

  it.each([
    ['[]', {}, 400, 'invalid_refresh_body'],
    ['a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, 400, 'invalid_refresh_body'],
    ['{"a":1}', ACT, 400, 'invalid_refresh_body'],
    ['{}{}', ACT, 400, 'invalid_refresh_body'],
    ['null', ACT, 400, 'invalid_refresh_body'],
    ['{', ACT, 400, 'invalid_refresh_body'],
    [`{${' '.repeat(1024 * 1024)}}`, ACT, 413, 'refresh_body_too_large'],
    ['{}', {}, 403, 'refresh_header_required'],
    ['{}', { 'X-AIOPS-Refresh': 'yes' }, 403, 'refresh_header_required'],
    ['{}', { ...ACT, Origin: 'https://evil.example' }, 403, 'forbidden'],
    ['{}', { ...ACT, Origin: 'http://127.0.0.1:9999' }, 403, 'forbidden'],
    ['{}', { ...ACT, Origin: 'null' }, 403, 'forbidden'],
    ['{}', { ...ACT, 'Sec-Fetch-Site': 'cross-site' }, 403, 'forbidden'],
    ['{}', { ...ACT, 'Sec-Fetch-Site': 'same-site' }, 403, 'forbidden'],
  ])('refuses body %.12j with %j', async (body, headers, status, code) => {
    const { source, response } = refresh(body, headers as Record<string, string>);
    expect((await response).status).toBe(status);
    expect((await errorOf(await response)).code).toBe(code);
    expect(source.refreshes()).toBe(0);
  });

  it('takes it from the page the worker serves', async () => {
    const { source, response } = refresh('{}', {
      ...ACT,
      Origin: 'http://127.0.0.1:4000',
      'Sec-Fetch-Site': 'same-origin',
    });
    expect((await response).status).toBe(202);
    expect(source.refreshes()).toBe(1);
  });
});

describe('probes', () => {
  it('are open to everyone, whatever the host, the peer or the token', async () => {
    const app = createApp(scriptedSource(), { token: 'dummy-token' });
    for (const path of ['/livez', '/readyz']) {
      const response = await ask(app, path, { host: 'evil.example', peer: '203.0.113.9' });
      expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    }
  });

  it('say why the worker is not ready', async () => {
    const readiness = () => ({ ready: false, reason: 'waiting for the first poll' });
    const response = await ask(createApp(scriptedSource({ readiness })), '/readyz');
    expect([response.status, await response.text()]).toEqual([503, 'waiting for the first poll\n']);
  });
});

describe('methods', () => {
  const paths: [string, string, string][] = [
    ['POST', '/api/v1/state', 'GET, HEAD'],
    ['DELETE', '/api/v1/DEMO-1', 'GET, HEAD'],
    ['PUT', '/api/v1/issues/DEMO-1', 'GET, HEAD'],
    ['GET', '/api/v1/refresh', 'POST'],
    ['HEAD', '/api/v1/refresh', 'POST'],
    ['OPTIONS', '/api/v1/refresh', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
    ['PATCH', '/readyz', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['POST', '/assets/x.js', 'GET, HEAD'],
  ];
  it.each(paths)('%s %s is refused with Allow: %s (R-13.7.2-k, R-13.7.2-l)', async (method, path, allow) => {
    const response = await ask(createApp(scriptedSource()), path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    if (path.startsWith('/api/') && method !== 'HEAD') {
      expect((await errorOf(response)).code).toBe('method_not_allowed');
    }
  });
});

describe('every answer', () => {
  it.each(['/', '/livez', '/api/v1/state', '/api/v1/nope', '/assets/nope.js', '/nowhere'])(
    'from %s carries the security headers and no CORS',
    async (path) => {
      const response = await ask(createApp(scriptedSource()), path, {
        headers: { Origin: 'https://evil.example' },
      });
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('of a refused request carries them too', async () => {
    const response = await ask(createApp(scriptedSource()), API_ROUTES.state.path, { host: 'evil.example' });
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
