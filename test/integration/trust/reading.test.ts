import { afterEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { TrustRules } from '../../../src/domain/trust.ts';
import {
  currentIssue,
  never,
  outcomeOf,
  type SeedIssue,
  type TrackerFixture,
} from '../../contracts/tracker-fixture.ts';
import { createGiteaFixture } from '../../fakes/gitea/fixture.ts';
import { createGithubFixture } from '../../fakes/github/fixture.ts';
import { createLinearFixture } from '../../fakes/linear/fixture.ts';

const TRUST: TrustRules = { authors: ['ada'], associations: [], labels: ['approved'] };
const ONE: readonly SeedIssue[] = [{ key: 'A', state: 'Todo' }];

const fixtures: TrackerFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

function keep<Fixture extends TrackerFixture>(fixture: Fixture): Fixture {
  fixtures.push(fixture);
  return fixture;
}

async function listed(fixture: TrackerFixture): Promise<Issue> {
  const [issue] = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
  if (issue === undefined) throw new Error('nothing is listed');
  return issue;
}

describe('the author of an issue on GitHub', () => {
  it.each([
    ['mallory', 'NONE', { names: ['mallory'], association: 'NONE' }],
    ['ada', 'MEMBER', { names: ['ada'], association: 'MEMBER' }],
    ['renovate[bot]', 'NONE', { names: ['renovate[bot]'], association: 'NONE' }],
  ])('%s (%s) is the same by REST and by GraphQL', async (login, association, author) => {
    const fixture = keep(await createGithubFixture(ONE));
    Object.assign(fixture.fake.store.issue(fixture.numberOf('A')), { author: login, association });
    expect((await listed(fixture)).author).toEqual(author);
    expect((await currentIssue(fixture, 'A')).author).toEqual(author);
  });

  it.each([
    ['a deleted account', null],
    ['a mannequin, whose login is one of another server', { login: 'ada', type: 'Mannequin' }],
  ])('is nobody when it is %s', async (_what, user) => {
    const fixture = keep(await createGithubFixture(ONE));
    fixture.fake.failNext(/\/issues\?/, {
      kind: 'change',
      change: (body) => (body as Issue[]).map((issue) => ({ ...issue, user })),
    });
    expect((await listed(fixture)).author).toBeNull();
    fixture.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        const author = user === null ? null : { login: user.login, __typename: user.type };
        for (const issue of Object.values(data.repository)) issue['author'] = author;
        return body;
      },
    });
    expect((await currentIssue(fixture, 'A')).author).toBeNull();
  });

  it('that could not be read is not taken for nobody: nothing is known then', async () => {
    const fixture = keep(await createGithubFixture(ONE));
    fixture.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        for (const issue of Object.values(data.repository)) issue['author'] = null;
        const path = ['repository', `i${fixture.numberOf('A')}`, 'author'];
        return { data, errors: [{ message: 'timeout', path }] };
      },
    });
    expect(await outcomeOf(fixture, 'A')).toMatchObject({ kind: 'unknown' });
    fixture.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        for (const issue of Object.values(data.repository)) issue['author'] = 'ada';
        return body;
      },
    });
    expect(await outcomeOf(fixture, 'A')).toMatchObject({ kind: 'unknown' });
  });
});

describe('the author of an issue on Gitea', () => {
  it.each([
    [{ user: { login: 'ada' } }, { names: ['ada'], association: null }],
    [
      { user: { login: 'ada' }, original_author: '' },
      { names: ['ada'], association: null },
    ],
    [{ user: { login: 'ada' }, original_author: 'somebody' }, null],
    [{ user: null }, null],
  ])('is read from %j', async (fields, author) => {
    const fixture = keep(await createGiteaFixture(ONE));
    const change = (body: unknown): unknown =>
      Array.isArray(body)
        ? body.map((issue: object) => ({ ...issue, ...fields }))
        : { ...(body as object), ...fields };
    fixture.fake.failNext(/\/issues\?/, { kind: 'change', change });
    expect((await listed(fixture)).author).toEqual(author);
    fixture.fake.failNext(/\/issues\/\d+$/, { kind: 'change', change });
    expect((await currentIssue(fixture, 'A')).author).toEqual(author);
  });

  it('of an unusable kind makes the issue unknown', async () => {
    const fixture = keep(await createGiteaFixture(ONE));
    fixture.fake.failNext(/\/issues\/\d+$/, {
      kind: 'change',
      change: (body) => ({ ...(body as object), user: 'ada' }),
    });
    expect(await outcomeOf(fixture, 'A')).toMatchObject({ kind: 'unknown' });
  });
});

describe('the author of an issue on Linear', () => {
  it('is an account that nobody else can be, and nobody for what came in through an integration', async () => {
    const fixture = keep(await createLinearFixture(ONE));
    const [, ada] = fixture.fake.store.users;
    const issue = fixture.fake.store.issue(fixture.idOf('A'));
    issue.creatorId = ada?.id ?? null;
    const author = { names: ['ada@example.com', ada?.id], association: null };
    expect((await listed(fixture)).author).toEqual(author);
    expect((await currentIssue(fixture, 'A')).author).toEqual(author);
    issue.integrationSourceType = 'slack';
    expect((await listed(fixture)).author).toBeNull();
    expect((await currentIssue(fixture, 'A')).author).toBeNull();
    Object.assign(issue, { integrationSourceType: null, creatorId: null });
    expect((await listed(fixture)).author).toBeNull();
  });
});

describe.each([
  ['github', createGithubFixture],
  ['gitea', createGiteaFixture],
] as const)('polling %s behind the gate', (_kind, create) => {
  const many: readonly SeedIssue[] = Array.from({ length: 30 }, (_, index) => ({
    key: `S${index}`,
    state: 'Todo',
    description: `Blocked by #${900 + index}.`,
  }));

  async function polls(
    trust: TrustRules | null,
  ): Promise<{ first: number; steady: number; issues: readonly Issue[] }> {
    const fixture = keep(await create([...many, { key: 'A', state: 'Todo' }], { trust }));
    for (const { key } of many)
      Object.assign(fixture.fake.store.issue(fixture.numberOf(key)), { author: 'mallory' });
    const poll = () => fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
    await poll();
    const first = fixture.fake.requests.length;
    const issues = await poll();
    return { first, steady: fixture.fake.requests.length - first, issues };
  }

  it('asks nothing about issues that may not run, and says why they may not', async () => {
    const open = await polls(null);
    const gated = await polls(TRUST);
    expect(gated.first).toBeLessThan(open.first);
    expect(gated.steady).toBeLessThanOrEqual(open.steady);
    expect(gated.steady).toBeLessThanOrEqual(4);
    const strangers = gated.issues.filter(({ author }) => author?.names[0] === 'mallory');
    expect(strangers).toHaveLength(30);
    for (const issue of strangers) {
      expect(issue.dispatchable).toBe(false);
      expect(issue.undispatchableReason).toContain('not trusted: written by mallory');
    }
    expect(gated.issues.filter(({ dispatchable }) => dispatchable).map(({ title }) => title)).toEqual([
      'Issue A',
    ]);
  });
});
