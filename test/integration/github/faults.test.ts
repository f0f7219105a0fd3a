import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { never } from '../../contracts/tracker-stage.ts';
import type { Fault } from '../../fakes/forge/server.ts';
import { createGithubStage, type GithubStage } from '../../fakes/github/stage.ts';

let stage: GithubStage | null = null;
afterEach(async () => {
  await stage?.dispose();
  stage = null;
});

async function open(timeoutMs = 20_000): Promise<GithubStage> {
  stage = await createGithubStage(
    [
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'In Progress' },
    ],
    { timeoutMs },
  );
  return stage;
}

function answer(status: number, body: string, headers: Record<string, string> = {}): Fault {
  return { kind: 'answer', status, body, headers };
}

const LATER = String(Math.floor(Date.now() / 1000) + 600);
const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['429', answer(429, '{}', { 'retry-after': '7' }), 'tracker_rate_limited'],
  [
    '403 with nothing left',
    answer(403, '{"message":"API rate limit exceeded"}', {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': LATER,
    }),
    'tracker_rate_limited',
  ],
  [
    '403 of the secondary limit',
    answer(403, '{"message":"You have exceeded a secondary rate limit"}'),
    'tracker_rate_limited',
  ],
  ['403 for lack of rights', answer(403, '{"message":"Resource not accessible"}'), 'tracker_status'],
  ['401', answer(401, '{"message":"Bad credentials"}'), 'tracker_status'],
  ['500', answer(500, '{}'), 'tracker_status'],
  ['502 as a web page', answer(502, '<html>', { 'content-type': 'text/html' }), 'tracker_status'],
  ['a web page', answer(200, '<html>', { 'content-type': 'text/html' }), 'tracker_response'],
  ['broken JSON', answer(200, '[{"number":'), 'tracker_response'],
  ['another type', answer(200, '{"message":"x"}'), 'tracker_response'],
  ['nothing', answer(200, ''), 'tracker_response'],
  ['a huge answer', answer(200, `[${'1,'.repeat(9 * 1024 * 1024)}1]`), 'tracker_response'],
  ['a redirect', answer(301, '{}', { location: 'https://evil.example/' }), 'tracker_status'],
  ['a timeout', { kind: 'hang' }, 'tracker_request'],
  ['a reset', { kind: 'reset' }, 'tracker_request'],
  ['a cut', { kind: 'cut' }, 'tracker_request'],
];

describe.each(FAULTS)('%s', (_name, fault, code) => {
  it('fails the listing and the refresh in a known category; nothing becomes absent', async () => {
    const timeoutMs = fault.kind === 'hang' ? 200 : 20_000;
    const on = await open(timeoutMs);
    on.fake.failNext(/.*/, fault, 20);
    const errors = [
      await on.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never).catch((error: unknown) => error),
    ];
    on.fake.faults.length = 0;
    const fresh = await createGithubStage([{ key: 'A', state: 'Todo' }], { timeoutMs });
    fresh.fake.failNext(/graphql/, fault, 20);
    errors.push(await fresh.tracker.fetchIssuesByIds(['1'], never).catch((error: unknown) => error));
    await fresh.dispose();
    for (const error of errors) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code });
    }
  });
});

it('carries how long to wait, and sends nothing meanwhile', async () => {
  const on = await open();
  on.fake.failNext(/graphql/, answer(429, '{}', { 'retry-after': '7' }));
  const refused = on.tracker.fetchIssuesByIds(['1'], never);
  await expect(refused).rejects.toMatchObject({ context: { retryAfterMs: 7_000 } });
  const sent = on.fake.requests.length;
  await expect(on.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
    code: 'tracker_rate_limited',
  });
  expect(on.fake.requests).toHaveLength(sent);
});

it('never takes part of an answer for the whole: only what GitHub says for certain is absent', async () => {
  const on = await open();
  const change = (to: (body: Record<string, unknown>) => unknown): Fault => ({
    kind: 'change',
    change: (body) => to(body as Record<string, unknown>),
  });
  const outcome = async (fault: Fault): Promise<unknown> => {
    on.fake.failNext(/graphql/, fault);
    const outcomes = await on.tracker.fetchIssuesByIds(['1'], never).catch((error: unknown) => error);
    return outcomes instanceof AppError
      ? outcomes.code
      : (outcomes as Map<string, { kind: string }>).get('1')?.kind;
  };
  const nothing = { data: { repository: { i1: null } } };
  const error = (type: string, path: unknown[]): object => ({ type, path, message: 'x' });
  expect(await outcome(change(() => nothing))).toBe('unknown');
  expect(await outcome(change(() => ({ data: { repository: {} } })))).toBe('unknown');
  expect(
    await outcome(change(() => ({ ...nothing, errors: [error('FORBIDDEN', ['repository', 'i1'])] }))),
  ).toBe('unknown');
  expect(
    await outcome(change(() => ({ ...nothing, errors: [error('NOT_FOUND', ['repository', 'i2'])] }))),
  ).toBe('unknown');
  expect(
    await outcome(
      change((body) => ({ ...body, errors: [error('INTERNAL', ['repository', 'i1', 'labels'])] })),
    ),
  ).toBe('unknown');
  expect(
    await outcome(
      change((body) => ({ ...body, errors: [error('INTERNAL', ['repository', 'i1', 'parent'])] })),
    ),
  ).toBe('current');
  expect(
    await outcome(change(() => ({ data: { repository: { i1: { number: 1, title: 'x', state: 'OPEN' } } } }))),
  ).toBe('unknown');
  expect(await outcome(change(() => ({ data: { repository: { i1: { number: '1' } } } })))).toBe('unknown');
  expect(
    await outcome(
      change(() => ({ data: { repository: null }, errors: [error('NOT_FOUND', ['repository'])] })),
    ),
  ).toBe('tracker_response');
  expect(await outcome(change(() => ({ data: null, errors: [error('INTERNAL', [])] })))).toBe(
    'tracker_response',
  );
  expect(
    await outcome(change(() => ({ ...nothing, errors: [error('NOT_FOUND', ['repository', 'i1'])] }))),
  ).toBe('absent');
});

it('leaves a listing as it was when a later page fails', async () => {
  const on = await open();
  for (let count = 0; count < 150; count += 1) on.fake.store.add({ labels: ['Todo'] });
  expect(await on.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(151);
  on.fake.failNext(/page=2/, answer(404, '{}'), 2);
  await expect(on.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
    code: 'tracker_status',
  });
});

it('keeps an issue with unusable optional fields, and drops one without a title, a number or labels', async () => {
  const on = await open();
  on.fake.failNext(/labels=Todo/, {
    kind: 'change',
    change(body) {
      const [issue] = body as Record<string, unknown>[];
      return [
        { ...issue, body: 7, html_url: null, created_at: 'yesterday', assignees: 'x', user: null, id: 'x' },
        { ...issue, number: 5, title: '' },
        { ...issue, number: 'x' },
        { ...issue, number: 6, labels: null },
        { ...issue, number: 7, state: 'merged' },
        null,
      ];
    },
  });
  expect(await on.tracker.fetchIssuesByStates(['Todo'], never)).toMatchObject([
    { id: '1', description: null, url: null, createdAt: null, assigneeId: null, nativeRef: { id: null } },
  ]);
  expect(on.warnings()).toBeGreaterThan(0);
});
