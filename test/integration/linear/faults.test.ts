import { afterEach, describe, expect, it } from 'vitest';
import type { RefreshOutcome } from '../../../src/domain/issue.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { never } from '../../contracts/tracker-fixture.ts';
import { createLinearFixture, type LinearFixture } from '../../fakes/linear/fixture.ts';
import { FAKE_KEY, type Fault } from '../../fakes/linear/server.ts';

const fixtures: LinearFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

async function open(): Promise<LinearFixture> {
  const fixture = await createLinearFixture([
    { key: 'A', state: 'In Progress', labels: ['ready'] },
    { key: 'B', state: 'Todo', labels: ['ready'] },
  ]);
  fixtures.push(fixture);
  return fixture;
}

const html = { 'content-type': 'text/html' };
const page = '<html><body>Bad gateway</body></html>';
const limited = '{"errors":[{"message":"Rate limit exceeded","extensions":{"code":"RATELIMITED"}}]}';

function answer(status: number, body: string, headers: Record<string, string> = {}): Fault {
  return { kind: 'answer', status, body, headers };
}

/** The answer to a query for issues, with its page replaced or changed. */
function withIssues(change: (issues: IssuesPage) => unknown): Fault {
  return {
    kind: 'change',
    change(body) {
      const { issues } = body['data'] as { issues: IssuesPage };
      return { ...body, data: { issues: change(issues) } };
    },
  };
}

interface IssuesPage {
  nodes: Record<string, unknown>[];
  pageInfo: unknown;
}

function withFirst(values: Record<string, unknown>): Fault {
  return withIssues((issues) => ({
    ...issues,
    nodes: issues.nodes.map((node, index) => (index === 0 ? { ...node, ...values } : node)),
  }));
}

/** What is wrong in the way of GraphQL; `tracker-faults` has what can happen to any tracker. */
const BROKEN: readonly (readonly [string, Fault, string])[] = [
  ['200 RATELIMITED', answer(200, limited), 'tracker_rate_limited'],
  [
    '400 of another kind',
    answer(400, '{"errors":[{"message":"no","extensions":{"code":"INPUT_ERROR"}}]}'),
    'tracker_response',
  ],
  ['400 without errors', answer(400, '{}'), 'tracker_status'],
  ['400 with a page', answer(400, page, html), 'tracker_status'],
  [
    '401 as an error',
    answer(400, '{"errors":[{"message":"no","extensions":{"code":"AUTHENTICATION_ERROR"}}]}'),
    'tracker_status',
  ],
  ['200 with nothing', answer(200, ''), 'tracker_response'],
  ['a list', answer(200, '[]'), 'tracker_response'],
  ['null', answer(200, 'null'), 'tracker_response'],
  ['no data', answer(200, '{"data":null}'), 'tracker_response'],
  ['data of a wrong type', answer(200, '{"data":[]}'), 'tracker_response'],
  ['data without issues', answer(200, '{"data":{}}'), 'tracker_response'],
  ['issues of a wrong type', answer(200, '{"data":{"issues":"none"}}'), 'tracker_response'],
  ['nodes of a wrong type', withIssues((issues) => ({ ...issues, nodes: null })), 'tracker_response'],
  ['no page information', withIssues(({ nodes }) => ({ nodes })), 'tracker_response'],
  [
    'page information of a wrong type',
    withIssues(({ nodes }) => ({ nodes, pageInfo: { hasNextPage: 'no' } })),
    'tracker_response',
  ],
  ['only errors', answer(200, '{"data":null,"errors":[{"message":"internal"}]}'), 'tracker_response'],
  ['errors that are no objects', answer(200, '{"errors":["internal"]}'), 'tracker_response'],
];

describe.each(BROKEN)('%s', (_name, fault, code) => {
  it(`fails listing and refresh with ${code}; nothing is dispatched, nobody is gone (R-11.4-a, R-17.3-l)`, async () => {
    const fixture = await open();
    fixture.fake.faults.push(fault, fault);
    const listing = await failure(fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never));
    expect(listing.code).toBe(code);
    const second = await open();
    second.fake.faults.push(fault, fault);
    const refresh = await failure(
      second.tracker.fetchIssuesByIds([second.idOf('A'), second.idOf('B')], never),
    );
    expect(refresh.code).toBe(code);
    for (const error of [listing, refresh]) {
      expect(error.message).not.toContain(FAKE_KEY);
      if (code === 'tracker_rate_limited')
        expect(error.context['retryAfterMs']).toBeGreaterThanOrEqual(1_000);
    }
  });
});

/** A record that is wrong in itself: left out of listings, unknown when it was asked for. */
const MALFORMED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['no title', { title: null }],
  ['a blank title', { title: ' ' }],
  ['a title of a wrong type', { title: 7 }],
  ['no identifier', { identifier: '' }],
  ['no state', { state: null }],
  ['a state without a name', { state: { id: 's', name: '', type: 'started' } }],
  ['a state of a wrong type', { state: 'In Progress' }],
  ['labels of a wrong type', { labels: 'ready' }],
  ['no labels', { labels: undefined }],
  ['no relations', { inverseRelations: null }],
  ['an assignee of a wrong type', { assignee: 'me' }],
];

describe.each(MALFORMED)('an issue with %s', (_name, values) => {
  it('is left out of the listing and unknown to the refresh; the other one is not touched', async () => {
    const fixture = await open();
    fixture.fake.faults.push(withFirst(values));
    const issues = await fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
    expect(issues.map(({ id }) => id)).toEqual([fixture.idOf('B')]);
    fixture.fake.faults.push(
      withIssues((page_) => ({
        ...page_,
        nodes: page_.nodes.map((node) => (node['id'] === fixture.idOf('A') ? { ...node, ...values } : node)),
      })),
    );
    expect(await kinds(fixture)).toEqual({ A: 'unknown', B: 'current' });
    expect(fixture.warnings()).toBeGreaterThan(0);
  });
});

describe('an answer in part', () => {
  it('makes issues that are missing from it unknown, not absent', async () => {
    const fixture = await open();
    fixture.fake.faults.push({
      kind: 'change',
      change(body) {
        const { issues } = body['data'] as { issues: IssuesPage };
        const nodes = issues.nodes.filter((node) => node['id'] === fixture.idOf('A'));
        return { data: { issues: { ...issues, nodes } }, errors: [{ message: 'timeout', path: ['issues'] }] };
      },
    });
    expect(await kinds(fixture)).toEqual({ A: 'current', B: 'unknown' });
  });

  it('fails a listing', async () => {
    const fixture = await open();
    fixture.fake.faults.push({
      kind: 'change',
      change: (body) => ({ ...body, errors: [{ message: 'timeout' }] }),
    });
    expect((await failure(fixture.tracker.fetchIssuesByStates(['Todo'], never))).code).toBe(
      'tracker_response',
    );
  });

  it('with a page missing makes nobody absent', async () => {
    const fixture = await open();
    fixture.fake.faults.push(
      withIssues(() => ({ nodes: [], pageInfo: { hasNextPage: true, endCursor: 'x' } })),
    );
    expect(await kinds(fixture)).toEqual({ A: 'unknown', B: 'unknown' });
  });

  it('with a record without an id makes nobody absent', async () => {
    const fixture = await open();
    fixture.fake.faults.push(withIssues((issues) => ({ ...issues, nodes: [{ title: 'x' }, null] })));
    expect(await kinds(fixture)).toEqual({ A: 'unknown', B: 'unknown' });
  });

  it('with an issue nobody asked for, or one twice, is read as if it were not there', async () => {
    const fixture = await open();
    fixture.fake.faults.push(
      withIssues((issues) => ({
        ...issues,
        nodes: [...issues.nodes, ...issues.nodes, { ...issues.nodes[0], id: 'stranger' }],
      })),
    );
    expect(await kinds(fixture)).toEqual({ A: 'current', B: 'current' });
    fixture.fake.faults.push(
      withIssues((issues) => ({
        ...issues,
        nodes: [
          ...issues.nodes,
          ...issues.nodes,
          { ...issues.nodes[0], state: { id: 'd', name: 'Done', type: 'completed' }, id: 'x' },
        ],
      })),
    );
    const listed = await fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
    expect(listed.map(({ id }) => id)).toEqual([fixture.idOf('A'), fixture.idOf('B')]);
  });
});

it('keeps what optional data is usable and drops the rest, without calling the issue malformed', async () => {
  const fixture = await open();
  fixture.fake.faults.push(
    withFirst({
      description: 7,
      priority: 'high',
      branchName: null,
      url: {},
      createdAt: 'yesterday',
      updatedAt: 5,
      team: 'ENG',
      project: null,
      labels: { nodes: [{ name: 'ready' }, { name: 7 }, null], pageInfo: { hasNextPage: false } },
    }),
  );
  const [issue] = await fixture.tracker.fetchIssuesByStates(['In Progress'], never);
  expect(issue).toMatchObject({
    description: null,
    priority: null,
    branchName: null,
    url: null,
    createdAt: null,
    updatedAt: null,
    labels: ['ready'],
    dispatchable: true,
  });
});

it('takes a relation that cannot be read for a blocker', async () => {
  const fixture = await open();
  for (const entry of [null, { type: 'blocks', issue: null }, { type: 7 }]) {
    fixture.fake.faults.push(
      withIssues((issues) => ({
        ...issues,
        nodes: issues.nodes.map((node) => ({
          ...node,
          inverseRelations: { nodes: [entry], pageInfo: { hasNextPage: false } },
        })),
      })),
    );
    const [issue] = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
    expect(issue).toMatchObject({
      dispatchable: false,
      undispatchableReason: 'blocked by an issue that cannot be read',
    });
  }
});

it('gives up a request without an answer when its caller does', async () => {
  const fixture = await open();
  fixture.fake.faults.push({ kind: 'hang' });
  const caller = new AbortController();
  const call = failure(fixture.tracker.fetchIssuesByStates(['Todo'], caller.signal));
  while (fixture.fake.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  caller.abort();
  expect((await call).code).toBe('tracker_request');
});

it('does not read an answer of more than 16 MiB', async () => {
  const fixture = await open();
  fixture.fake.faults.push(answer(200, `{"data":"${'x'.repeat(17 * 1024 * 1024)}"}`));
  const error = await failure(fixture.tracker.fetchIssuesByStates(['Todo'], never));
  expect(error).toMatchObject({ code: 'tracker_response', message: expect.stringContaining('larger than') });
});

it('recovers from one reset and from one 502 without anybody noticing', async () => {
  const fixture = await open();
  fixture.fake.faults.push({ kind: 'reset' });
  expect(await fixture.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(1);
  fixture.fake.faults.push(answer(502, page, html));
  expect(await kinds(fixture)).toEqual({ A: 'current', B: 'current' });
});

it('obeys complexity and request limits, and shows them (R-11.2-b)', async () => {
  const fixture = await open();
  const reset = String(Date.now() + 600_000);
  fixture.fake.headers = {
    'x-complexity': '60',
    'x-ratelimit-requests-limit': '2500',
    'x-ratelimit-requests-remaining': '2400',
    'x-ratelimit-requests-reset': reset,
    'x-ratelimit-complexity-limit': '250000',
    'x-ratelimit-complexity-remaining': '12000',
    'x-ratelimit-complexity-reset': reset,
  };
  await fixture.tracker.fetchIssuesByStates(['Todo'], never);
  expect(fixture.tracker.budget?.read()).toMatchObject({ remaining: 12_000, limit: 250_000, requests: 1 });
  const error = await failure(fixture.tracker.fetchIssuesByStates(['Todo'], never));
  expect(error).toMatchObject({
    code: 'tracker_rate_limited',
    context: { retryAfterMs: expect.any(Number) },
  });
  expect(await kinds(fixture)).toEqual({ A: 'current', B: 'current' });
  expect(fixture.fake.requests).toHaveLength(2);
});

async function failure(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    (value) => new Error(`it succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error;
}

async function kinds(fixture: LinearFixture): Promise<Record<string, RefreshOutcome['kind'] | undefined>> {
  const ids = { A: fixture.idOf('A'), B: fixture.idOf('B') };
  const outcomes = await fixture.tracker.fetchIssuesByIds(Object.values(ids), never);
  expect(outcomes.size).toBe(2);
  return { A: outcomes.get(ids.A)?.kind, B: outcomes.get(ids.B)?.kind };
}
