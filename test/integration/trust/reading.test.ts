import { afterEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import type { TrustRules } from '../../../src/domain/trust.ts';
import {
  currentIssue,
  never,
  outcomeOf,
  type SeedIssue,
  type TrackerStage,
} from '../../contracts/tracker-stage.ts';
import { createGiteaStage } from '../../fakes/gitea/stage.ts';
import { createGithubStage } from '../../fakes/github/stage.ts';
import { createLinearStage } from '../../fakes/linear/stage.ts';

const TRUST: TrustRules = { authors: ['ada'], associations: [], labels: ['approved'] };
const ONE: readonly SeedIssue[] = [{ key: 'A', state: 'Todo' }];

const stages: TrackerStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

function keep<Stage extends TrackerStage>(stage: Stage): Stage {
  stages.push(stage);
  return stage;
}

async function listed(stage: TrackerStage): Promise<Issue> {
  const [issue] = await stage.tracker.fetchIssuesByStates(['Todo'], never);
  if (issue === undefined) throw new Error('nothing is listed');
  return issue;
}

describe('the author of an issue on GitHub', () => {
  it.each([
    ['mallory', 'NONE', { names: ['mallory'], association: 'NONE' }],
    ['ada', 'MEMBER', { names: ['ada'], association: 'MEMBER' }],
    ['renovate[bot]', 'NONE', { names: ['renovate[bot]'], association: 'NONE' }],
  ])('%s (%s) is the same by REST and by GraphQL', async (login, association, author) => {
    const stage = keep(await createGithubStage(ONE));
    Object.assign(stage.fake.store.issue(stage.numberOf('A')), { author: login, association });
    expect((await listed(stage)).author).toEqual(author);
    expect((await currentIssue(stage, 'A')).author).toEqual(author);
  });

  it.each([
    ['a deleted account', null],
    ['a mannequin, whose login is one of another server', { login: 'ada', type: 'Mannequin' }],
  ])('is nobody when it is %s', async (_what, user) => {
    const stage = keep(await createGithubStage(ONE));
    stage.fake.failNext(/\/issues\?/, {
      kind: 'change',
      change: (body) => (body as Issue[]).map((issue) => ({ ...issue, user })),
    });
    expect((await listed(stage)).author).toBeNull();
    stage.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        const author = user === null ? null : { login: user.login, __typename: user.type };
        for (const issue of Object.values(data.repository)) issue['author'] = author;
        return body;
      },
    });
    expect((await currentIssue(stage, 'A')).author).toBeNull();
  });

  it('that could not be read is not taken for nobody: nothing is known then', async () => {
    const stage = keep(await createGithubStage(ONE));
    stage.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        for (const issue of Object.values(data.repository)) issue['author'] = null;
        const path = ['repository', `i${stage.numberOf('A')}`, 'author'];
        return { data, errors: [{ message: 'timeout', path }] };
      },
    });
    expect(await outcomeOf(stage, 'A')).toMatchObject({ kind: 'unknown' });
    stage.fake.failNext(/graphql/, {
      kind: 'change',
      change: (body) => {
        const { data } = body as { data: { repository: Record<string, Record<string, unknown>> } };
        for (const issue of Object.values(data.repository)) issue['author'] = 'ada';
        return body;
      },
    });
    expect(await outcomeOf(stage, 'A')).toMatchObject({ kind: 'unknown' });
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
    const stage = keep(await createGiteaStage(ONE));
    const change = (body: unknown): unknown =>
      Array.isArray(body)
        ? body.map((issue: object) => ({ ...issue, ...fields }))
        : { ...(body as object), ...fields };
    stage.fake.failNext(/\/issues\?/, { kind: 'change', change });
    expect((await listed(stage)).author).toEqual(author);
    stage.fake.failNext(/\/issues\/\d+$/, { kind: 'change', change });
    expect((await currentIssue(stage, 'A')).author).toEqual(author);
  });

  it('of an unusable kind makes the issue unknown', async () => {
    const stage = keep(await createGiteaStage(ONE));
    stage.fake.failNext(/\/issues\/\d+$/, {
      kind: 'change',
      change: (body) => ({ ...(body as object), user: 'ada' }),
    });
    expect(await outcomeOf(stage, 'A')).toMatchObject({ kind: 'unknown' });
  });
});

describe('the author of an issue on Linear', () => {
  it('is an account that nobody else can be, and nobody for what came in through an integration', async () => {
    const stage = keep(await createLinearStage(ONE));
    const [, ada] = stage.fake.store.users;
    const issue = stage.fake.store.issue(stage.idOf('A'));
    issue.creatorId = ada?.id ?? null;
    const author = { names: ['ada@example.com', ada?.id], association: null };
    expect((await listed(stage)).author).toEqual(author);
    expect((await currentIssue(stage, 'A')).author).toEqual(author);
    issue.integrationSourceType = 'slack';
    expect((await listed(stage)).author).toBeNull();
    expect((await currentIssue(stage, 'A')).author).toBeNull();
    Object.assign(issue, { integrationSourceType: null, creatorId: null });
    expect((await listed(stage)).author).toBeNull();
  });
});

describe.each([
  ['github', createGithubStage],
  ['gitea', createGiteaStage],
] as const)('polling %s behind the gate', (_kind, create) => {
  const many: readonly SeedIssue[] = Array.from({ length: 30 }, (_, index) => ({
    key: `S${index}`,
    state: 'Todo',
    description: `Blocked by #${900 + index}.`,
  }));

  async function polls(
    trust: TrustRules | null,
  ): Promise<{ first: number; steady: number; issues: readonly Issue[] }> {
    const stage = keep(await create([...many, { key: 'A', state: 'Todo' }], { trust }));
    for (const { key } of many)
      Object.assign(stage.fake.store.issue(stage.numberOf(key)), { author: 'mallory' });
    const poll = () => stage.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
    await poll();
    const first = stage.fake.requests.length;
    const issues = await poll();
    return { first, steady: stage.fake.requests.length - first, issues };
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
