import { afterEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import { never, type SeedIssue } from '../../contracts/tracker-fixture.ts';
import { createGithubFixture, type GithubFixture } from '../../fakes/github/fixture.ts';

const fixtures: GithubFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

async function open(
  seed: readonly SeedIssue[],
  options: Parameters<typeof createGithubFixture>[1] = {},
): Promise<GithubFixture> {
  const fixture = await createGithubFixture(seed, options);
  fixtures.push(fixture);
  return fixture;
}

const ACTIVE = ['Todo', 'In Progress'];
const list = (fixture: GithubFixture, states: readonly string[] = ACTIVE): Promise<readonly Issue[]> =>
  fixture.tracker.fetchIssuesByStates(states, never);

/** What one poll of the scheduler asks: the claims, then the candidates. */
async function tick(
  fixture: GithubFixture,
  claimed: readonly string[],
): Promise<{ sent: number; unchanged: number }> {
  const before = fixture.fake.requests.length;
  await fixture.tracker.fetchIssuesByIds(claimed, never);
  await list(fixture);
  const sent = fixture.fake.requests.slice(before);
  return { sent: sent.length, unchanged: sent.filter(({ status }) => status === 304).length };
}

function ready(count: number): SeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({ key: `R${index}`, state: 'Todo' }));
}

describe('the number of requests', () => {
  it('is at most four for a steady tick with 50 ready, 2 running and 300 closed, and half of them cost nothing', async () => {
    const fixture = await open([
      ...ready(50),
      { key: 'X', state: 'In Progress' },
      { key: 'Y', state: 'In Progress' },
    ]);
    for (let count = 0; count < 300; count += 1) fixture.fake.store.add({ closed: true, labels: ['Todo'] });
    const claimed = [fixture.idOf('X'), fixture.idOf('Y')];
    await tick(fixture, claimed);
    const { remaining } = fixture.fake;
    expect(await tick(fixture, claimed)).toEqual({ sent: 4, unchanged: 3 });
    expect(remaining - fixture.fake.remaining).toBe(1);
    expect(fixture.tracker.budget?.read()).toMatchObject({ requests: 8, notModified: 3, limit: 5_000 });
  });

  it('is the same when the running issues are still in the state they began in', async () => {
    const fixture = await open(ready(50));
    const claimed = [fixture.idOf('R0'), fixture.idOf('R1')];
    await tick(fixture, claimed);
    expect(await tick(fixture, claimed)).toEqual({ sent: 4, unchanged: 3 });
  });

  it('is at most 25 with 1,000 ready', async () => {
    const fixture = await open(ready(1_000));
    await tick(fixture, [fixture.idOf('R0')]);
    const { sent, unchanged } = await tick(fixture, [fixture.idOf('R0')]);
    expect(sent).toBeLessThanOrEqual(25);
    expect(unchanged).toBe(sent - 1);
    expect(await list(fixture)).toHaveLength(1_000);
  });

  it('is one for many claims, and none for pull requests when nothing could start', async () => {
    const fixture = await open([...ready(40), { key: 'X', state: 'In Progress' }]);
    const ids = Array.from({ length: 40 }, (_, index) => fixture.idOf(`R${index}`));
    await list(fixture);
    const before = fixture.fake.requests.length;
    const outcomes = await fixture.tracker.fetchIssuesByIds(ids, never);
    expect([...outcomes.values()].every((outcome) => outcome.kind === 'current')).toBe(true);
    await list(fixture, ['In Progress']);
    expect(fixture.fake.requests.slice(before).map(({ address }) => address.split('?')[0])).toEqual([
      '/graphql',
      '/repos/octo/app/issues',
    ]);
  });
});

describe('pull requests', () => {
  const pull = { head: 'x', base: 'main', headRepository: 'octo/app' };

  it('hold back issues of the same repository that they would close, until work has begun', async () => {
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo' },
      { key: 'C', state: 'In Progress' },
    ]);
    fixture.fake.store.add({ title: 'Fix', body: 'Closes #1, fixes evil/app#2, see issue #2', pull });
    fixture.fake.store.add({ title: 'Resolves #3', pull });
    fixture.fake.store.add({ title: 'Fixes #2', pull, closed: true });
    expect((await list(fixture)).map((issue) => [issue.identifier, issue.undispatchableReason])).toEqual([
      ['#1', 'claimed by open PR #4'],
      ['#2', null],
      ['#3', null],
    ]);
    const refreshed = await fixture.tracker.fetchIssuesByIds(['1'], never);
    expect(refreshed.get('1')).toMatchObject({ kind: 'current', issue: { dispatchable: true } });
  });

  it('may be turned off, and never blank the list when they cannot be read', async () => {
    const off = await open([{ key: 'A', state: 'Todo' }], { pullRequestClaims: false });
    off.fake.store.add({ title: 'Closes #1', pull });
    expect(await list(off)).toMatchObject([{ dispatchable: true }]);
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'In Progress' },
    ]);
    fixture.fake.failNext(/pulls/, { kind: 'answer', status: 500, body: '{}' }, 2);
    expect(await list(fixture)).toMatchObject([
      {
        dispatchable: false,
        undispatchableReason: expect.stringContaining('pull requests could not be read'),
      },
      { dispatchable: true },
    ]);
  });
});

describe('blockers', () => {
  it('come from dependencies and from the text; finished and missing ones do not count', async () => {
    const fixture = await open([
      { key: 'A', state: 'In Progress' },
      { key: 'B', state: 'Todo', blockedBy: ['A'] },
      { key: 'C', state: 'Todo', description: 'Depends on #1 and #2. Blocked by #99.' },
      { key: 'D', state: 'Todo', description: 'blocked by other/repo#1' },
    ]);
    const reasons = async (): Promise<unknown> =>
      (await list(fixture)).map((issue) => [issue.identifier, issue.undispatchableReason]);
    expect(await reasons()).toEqual([
      ['#1', null],
      ['#2', 'blocked by #1 (In Progress)'],
      ['#3', 'blocked by #1 (In Progress), #2 (Todo)'],
      ['#4', null],
    ]);
    fixture.fake.store.change(1, (issue) => {
      issue.closed = true;
    });
    fixture.fake.store.relabel(2, () => true, 'Done');
    expect(await reasons()).toEqual([
      ['#3', null],
      ['#4', null],
    ]);
  });

  it('that cannot be read hold an issue back, but never stop one that runs', async () => {
    const fixture = await open([
      { key: 'A', state: 'Human Review' },
      { key: 'B', state: 'Todo', description: 'blocked by #1' },
    ]);
    const fault = { kind: 'answer', status: 502, body: '<html>' } as const;
    fixture.fake.failNext(/issues\/1$/, fault, 2);
    expect(await list(fixture)).toMatchObject([
      { dispatchable: false, undispatchableReason: expect.stringContaining('could not be read') },
    ]);
    fixture.fake.failNext(/issues\/1$/, fault, 2);
    expect((await fixture.tracker.fetchIssuesByIds(['2'], never)).get('2')).toMatchObject({
      kind: 'unknown',
    });
  });
});

describe('listings', () => {
  it('are cut at the cap with a warning, and keep what they have', async () => {
    const fixture = await open([...ready(120), { key: 'X', state: 'In Progress' }], { maxPages: 1 });
    const issues = await list(fixture);
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)?.identifier).toBe('#121');
    expect(fixture.warnings()).toBe(1);
  });

  it('that fail do not blank the others: their issues stay, but may not start', async () => {
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'In Progress' },
    ]);
    expect(await list(fixture)).toHaveLength(2);
    fixture.fake.failNext(/labels=Todo/, { kind: 'answer', status: 500, body: '{}' }, 2);
    expect(await list(fixture)).toMatchObject([
      { identifier: '#1', dispatchable: false, undispatchableReason: expect.stringContaining('status 500') },
      { identifier: '#2', dispatchable: true },
    ]);
    expect(await list(fixture)).toMatchObject([{ dispatchable: true }, { dispatchable: true }]);
  });

  it('leave pull requests, closed issues and other states out', async () => {
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo', labels: ['Done'] },
      { key: 'C', state: 'Human Review' },
    ]);
    fixture.fake.store.add({
      labels: ['Todo'],
      pull: { head: 'x', base: 'main', headRepository: 'octo/app' },
    });
    fixture.fake.store.add({ labels: ['Todo'], closed: true });
    expect((await list(fixture)).map((issue) => issue.identifier)).toEqual(['#1', '#2']);
  });

  it("read GitHub's own states when a workflow of Symphony names them, and keep its own ids (R-17.3-i)", async () => {
    const fixture = await open([], {
      activeStates: ['open'],
      terminalStates: ['closed'],
      inactiveStates: [],
      identifierPrefix: 'GH-',
    });
    fixture.fake.store.add({});
    fixture.fake.store.add({ closed: true });
    expect(await list(fixture, ['open'])).toMatchObject([{ id: '1', identifier: 'GH-1', state: 'open' }]);
    expect(await list(fixture, ['closed'])).toMatchObject([{ id: '2', identifier: 'GH-2', state: 'closed' }]);
    expect((await fixture.tracker.fetchIssuesByIds(['2'], never)).get('2')).toMatchObject({
      issue: { state: 'closed', nativeRef: { number: 2, node_id: 'I_2', repo: 'octo/app' } },
    });
  });

  it('mark issues of others when a person is named, and know who `me` is', async () => {
    const fixture = await open(
      [
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Todo' },
      ],
      { assignee: 'me' },
    );
    fixture.fake.store.issue(2).assignees.push('Bot');
    expect((await list(fixture)).map((issue) => issue.undispatchableReason)).toEqual([
      'not assigned to bot',
      null,
    ]);
    expect(fixture.fake.requests.filter(({ address }) => address === '/user')).toHaveLength(1);
  });
});
