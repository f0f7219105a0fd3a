import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../fakes/forge/server.ts';
import { BRANCH, FORGES, type ForgeFixture } from './forge-fixture.ts';

let fixture: ForgeFixture | null = null;
afterEach(async () => {
  await fixture?.fake.finish();
  fixture = null;
});

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});
/** Longer than a tool call waits by itself. */
const LIMITED = { 'retry-after': '600' };
const FAULTS: readonly (readonly [string, Fault, RegExp])[] = [
  ['401', answer(401, { message: 'Bad credentials' }), /^forge_status$/],
  ['403', answer(403, { message: 'Resource not accessible' }), /^forge_(?:status|refused)$/],
  ['404', answer(404, { message: 'Not Found' }), /^(?:forge_status|forge_refused|branch_not_pushed)$/],
  ['409', answer(409, { message: 'Conflict' }), /^(?:forge_status|pull_request_exists)$/],
  ['422', answer(422, { message: 'Validation Failed', errors: ['strange'] }), /^forge_(?:status|refused)$/],
  ['429', answer(429, { message: 'slow down' }, LIMITED), /^forge_rate_limited$/],
  [
    'a secondary limit',
    answer(403, { message: 'You have exceeded a secondary rate limit' }, LIMITED),
    /^forge_rate_limited$/,
  ],
  ['500', answer(500, { message: 'oh' }), /^forge_status$/],
  [
    '502 as a page',
    answer(502, '<html>bad gateway</html>', { 'content-type': 'text/html' }),
    /^forge_status$/,
  ],
  ['a page instead of JSON', answer(200, '<html>', { 'content-type': 'text/html' }), /^forge_response$/],
  ['another shape', answer(201, { hello: 'world' }), /^forge_response$/],
  ['broken JSON', answer(200, '{"number":'), /^forge_response$/],
  ['a cut connection', { kind: 'reset' }, /^forge_request$/],
];

describe.each(FORGES)('a failing $name', ({ open }) => {
  it.each(FAULTS)(
    'is a result for the agent when it answers a search with %s',
    async (_what, fault, code) => {
      fixture = await open();
      fixture.fake.failNext(/GET .*\/pulls\?/, fault, 20);
      for (const [name, input] of [
        ['pull_request_open', { title: 'x' }],
        ['pull_request_update', { title: 'x' }],
        ['pull_request_get', {}],
      ] as const) {
        const result = await fixture.use(name, input);
        expect(result).toMatchObject({ success: false, error: { code: expect.stringMatching(code) } });
        expect(JSON.stringify(result)).not.toContain(fixture.token);
      }
      expect(fixture.fake.store.issues.size).toBe(0);
    },
  );

  it.each(FAULTS)('opens nothing twice when it answers the opening with %s', async (_what, fault, code) => {
    fixture = await open();
    fixture.fake.failNext(/POST .*\/pulls$/, fault, 20);
    const result = await fixture.use('pull_request_open', { title: 'x' });
    expect(result).toMatchObject({ success: false, error: { code: expect.stringMatching(code) } });
    expect(
      fixture.fake.requests.filter(({ method, address }) => method === 'POST' && address.endsWith('/pulls')),
    ).toHaveLength(1);
  });

  it('tries a search once more after a passing failure', async () => {
    fixture = await open();
    fixture.addPull();
    fixture.fake.failNext(/GET .*\/pulls\?/, answer(503, {}));
    expect(await fixture.use('pull_request_get', {})).toMatchObject({ success: true });
  });

  it('says in how many seconds it may be asked again, and is left alone until then', async () => {
    fixture = await open();
    fixture.fake.failNext(/GET .*\/pulls\?/, answer(429, { message: 'slow down' }, LIMITED));
    expect(await fixture.use('pull_request_get', {})).toMatchObject({
      error: { code: 'forge_rate_limited', message: expect.stringContaining('600 s') },
    });
    const { length } = fixture.fake.requests;
    expect(await fixture.use('pull_request_get', {})).toMatchObject({
      error: { code: 'forge_rate_limited' },
    });
    expect(fixture.fake.requests).toHaveLength(length);
  });

  it('never shows the credential, neither to the agent nor to the forge', async () => {
    fixture = await open();
    const { token } = fixture;
    await fixture.use('pull_request_open', { title: `a ${token}`, body: `b ${token}` });
    expect(JSON.stringify(fixture.fake.store.issue(1))).not.toContain(token);
    fixture.fake.store.issue(1).title = `it is ${token}`;
    fixture.fake.store.comment(1, `again ${token}`);
    expect(JSON.stringify(await fixture.use('pull_request_get', {}))).not.toContain(token);
    fixture.fake.failNext(/PATCH/, answer(422, { message: `no ${token}` }));
    expect(JSON.stringify(await fixture.use('pull_request_update', { body: 'x' }))).not.toContain(token);
  });

  it('is not asked for a run that is being stopped', async () => {
    fixture = await open();
    const signal = AbortSignal.abort();
    expect(await fixture.use('pull_request_open', { title: 'x' }, { signal })).toMatchObject({
      error: { code: 'aborted' },
    });
    expect(fixture.fake.requests).toEqual([]);
  });
});

const long = 'x'.repeat(65 * 1024);
const HOSTILE: readonly (readonly [string, string, unknown])[] = [
  ['no arguments', 'pull_request_open', undefined],
  ['a text', 'pull_request_open', 'title'],
  ['no title', 'pull_request_open', {}],
  ['a blank title', 'pull_request_open', { title: '  ' }],
  ['a title of many lines', 'pull_request_open', { title: 'a\nb' }],
  ['a title with an escape', 'pull_request_open', { title: 'a\u001b[31m' }],
  ['a title without end', 'pull_request_open', { title: long }],
  ['a text without end', 'pull_request_open', { title: 'x', body: long }],
  ['a text of wide characters', 'pull_request_open', { title: 'x', body: '€'.repeat(30_000) }],
  ['a text with a NUL', 'pull_request_open', { title: 'x', body: 'a\u0000b' }],
  ['another head', 'pull_request_open', { title: 'x', head: 'main' }],
  ['another owner', 'pull_request_open', { title: 'x', owner: 'evil', repo: 'app' }],
  ['a head of a fork', 'pull_request_open', { title: 'x', base: 'evil:main' }],
  ['a base that climbs', 'pull_request_open', { title: 'x', base: '../../evil/app/main' }],
  ['a base with a space', 'pull_request_open', { title: 'x', base: 'a b' }],
  ['a base that is an option', 'pull_request_open', { title: 'x', base: '--force' }],
  ['a base that is a ref', 'pull_request_open', { title: 'x', base: 'refs/heads/main' }],
  ['a base with a query', 'pull_request_open', { title: 'x', base: 'main?x=1' }],
  ['the own branch as base', 'pull_request_open', { title: 'x', base: BRANCH }],
  ['reviewers that climb', 'pull_request_open', { title: 'x', reviewers: ['../x'] }],
  ['reviewers with line breaks', 'pull_request_open', { title: 'x', reviewers: ['a\nb'] }],
  ['no reviewers', 'pull_request_open', { title: 'x', reviewers: [] }],
  [
    'too many reviewers',
    'pull_request_open',
    { title: 'x', reviewers: Array.from({ length: 16 }, (_, i) => `r${i}`) },
  ],
  ['another number', 'pull_request_update', { number: 1, title: 'x' }],
  ['no change', 'pull_request_update', {}],
  ['merging', 'pull_request_update', { state: 'merged' }],
  ['a new base', 'pull_request_update', { base: 'main' }],
  ['a draft in words', 'pull_request_update', { draft: 'yes' }],
  ['another branch', 'pull_request_get', { branch: 'main' }],
  ['another number', 'pull_request_get', { number: 1 }],
];

describe.each(FORGES)('hostile arguments on $name', ({ open }) => {
  it.each(HOSTILE)('are refused before anything is sent: %s (%s)', async (_what, name, input) => {
    fixture = await open();
    expect(await fixture.use(name, input)).toMatchObject({
      success: false,
      error: { code: 'invalid_arguments' },
    });
    expect(fixture.fake.requests).toEqual([]);
  });

  it("refuse another organisation's team", async () => {
    fixture = await open();
    fixture.addPull();
    expect(await fixture.use('pull_request_update', { reviewers: ['evil/team'] })).toMatchObject({
      success: false,
    });
    expect(fixture.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
