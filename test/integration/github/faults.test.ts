import { afterEach, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.ts';
import { never } from '../../contracts/tracker-fixture.ts';
import type { Fault } from '../../fakes/forge/server.ts';
import { createGithubFixture, type GithubFixture } from '../../fakes/github/fixture.ts';

let fixture: GithubFixture | null = null;
afterEach(async () => {
  await fixture?.dispose();
  fixture = null;
});

async function open(): Promise<GithubFixture> {
  fixture = await createGithubFixture([
    { key: 'A', state: 'Todo' },
    { key: 'B', state: 'In Progress' },
  ]);
  return fixture;
}

function answer(status: number, body: string, headers: Record<string, string> = {}): Fault {
  return { kind: 'answer', status, body, headers };
}

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
