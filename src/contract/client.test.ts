import { describe, expect, it } from 'vitest';
import { issuePath } from './api.ts';
import { ApiError, createClient, type FetchLike } from './client.ts';

type Call = { url: string; method: string; headers: Record<string, string> };

function clientAnswering(status: number, body: unknown, token?: string) {
  const calls: Call[] = [];
  const fetch: FetchLike = async (url, init) => {
    calls.push({ url, method: init.method, headers: init.headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { ok: status < 400, status, text: async () => text };
  };
  const base = { baseUrl: 'http://127.0.0.1:4000/', fetch };
  return { calls, client: createClient(token === undefined ? base : { ...base, token }) };
}

const REFRESHED = {
  queued: true,
  coalesced: false,
  requested_at: '2026-07-01T09:30:00.000Z',
  operations: ['poll', 'reconcile'],
};

describe('createClient', () => {
  it('sends the action header only with actions, and the token with everything', async () => {
    const { calls, client } = clientAnswering(202, REFRESHED, 'dummy-token');
    await expect(client.refresh()).resolves.toEqual(REFRESHED);
    await expect(client.state()).rejects.toThrow(ApiError);
    expect(calls.map((call) => [call.method, call.url])).toEqual([
      ['POST', 'http://127.0.0.1:4000/api/v1/refresh'],
      ['GET', 'http://127.0.0.1:4000/api/v1/state'],
    ]);
    expect(calls[0]?.headers).toMatchObject({
      'x-aiops-refresh': 'true',
      authorization: 'Bearer dummy-token',
    });
    expect(calls[1]?.headers).not.toHaveProperty('x-aiops-refresh');
  });

  it('answers null for an unknown issue', async () => {
    const { client } = clientAnswering(404, { error: { code: 'issue_not_found', message: 'no' } });
    await expect(client.issue('ENG-1')).resolves.toBeNull();
  });

  it('does not take a 404 of some other server for an unknown issue', async () => {
    const { client } = clientAnswering(404, '<h1>not found</h1>');
    await expect(client.issue('ENG-1')).rejects.toMatchObject({ code: 'unexpected_answer', status: 404 });
  });

  it('passes the code and message of a failure on', async () => {
    const { client } = clientAnswering(401, { error: { code: 'unauthorized', message: 'asks for a token' } });
    await expect(client.state()).rejects.toMatchObject({
      code: 'unauthorized',
      status: 401,
      message: 'asks for a token',
    });
  });

  it.each([['not json'], [{}], [{ ...REFRESHED, requested_at: 'yesterday' }]])(
    'refuses an answer that is not the contract: %j',
    async (body) => {
      const { client } = clientAnswering(202, body);
      await expect(client.refresh()).rejects.toMatchObject({ code: 'unexpected_answer' });
    },
  );

  it('tells an unreachable worker from a call that was given up', async () => {
    const failing: FetchLike = async () => {
      throw new TypeError('fetch failed');
    };
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', fetch: failing });
    await expect(client.state()).rejects.toMatchObject({ code: 'unreachable', status: null });
    await expect(client.state(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted', status: null });
  });
});

describe('issuePath', () => {
  it.each([
    ['ENG-1', '/api/v1/ENG-1'],
    ['owner/repo#12', '/api/v1/owner%2Frepo%2312'],
    ['50%', '/api/v1/50%25'],
    ['$&', '/api/v1/%24%26'],
    ['state', '/api/v1/issues/state'],
    ['Refresh', '/api/v1/issues/Refresh'],
  ])('%s is at %s', (name, path) => expect(issuePath(name)).toBe(path));
});
