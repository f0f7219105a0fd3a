import { afterEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/domain/issue.ts';
import { never, type SeedIssue } from '../../contracts/tracker-stage.ts';
import { createGithubStage, type GithubStage } from '../../fakes/github/stage.ts';

const stages: GithubStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

async function open(
  seed: readonly SeedIssue[],
  options: Parameters<typeof createGithubStage>[1] = {},
): Promise<GithubStage> {
  const stage = await createGithubStage(seed, options);
  stages.push(stage);
  return stage;
}

const ACTIVE = ['Todo', 'In Progress'];
const list = (stage: GithubStage, states: readonly string[] = ACTIVE): Promise<readonly Issue[]> =>
  stage.tracker.fetchIssuesByStates(states, never);

/** What one poll of the scheduler asks: the claims, then the candidates. */
async function tick(
  stage: GithubStage,
  claimed: readonly string[],
): Promise<{ sent: number; unchanged: number }> {
  const before = stage.fake.requests.length;
  await stage.tracker.fetchIssuesByIds(claimed, never);
  await list(stage);
  const sent = stage.fake.requests.slice(before);
  return { sent: sent.length, unchanged: sent.filter(({ status }) => status === 304).length };
}

function ready(count: number): SeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({ key: `R${index}`, state: 'Todo' }));
}

describe('the number of requests', () => {
  it('is at most four for a steady tick with 50 ready, 2 running and 300 closed, and half of them cost nothing', async () => {
    const stage = await open([
      ...ready(50),
      { key: 'X', state: 'In Progress' },
      { key: 'Y', state: 'In Progress' },
    ]);
    for (let count = 0; count < 300; count += 1) stage.fake.store.add({ closed: true, labels: ['Todo'] });
    const claimed = [stage.idOf('X'), stage.idOf('Y')];
    await tick(stage, claimed);
    const { remaining } = stage.fake;
    expect(await tick(stage, claimed)).toEqual({ sent: 4, unchanged: 3 });
    expect(remaining - stage.fake.remaining).toBe(1);
    expect(stage.tracker.budget?.read()).toMatchObject({ requests: 8, notModified: 3, limit: 5_000 });
  });

  it('is the same when the running issues are still in the state they began in', async () => {
    const stage = await open(ready(50));
    const claimed = [stage.idOf('R0'), stage.idOf('R1')];
    await tick(stage, claimed);
    expect(await tick(stage, claimed)).toEqual({ sent: 4, unchanged: 3 });
  });

  it('is at most 25 with 1,000 ready', async () => {
    const stage = await open(ready(1_000));
    await tick(stage, [stage.idOf('R0')]);
    const { sent, unchanged } = await tick(stage, [stage.idOf('R0')]);
    expect(sent).toBeLessThanOrEqual(25);
    expect(unchanged).toBe(sent - 1);
    expect(await list(stage)).toHaveLength(1_000);
  });

  it('is one for many claims, and none for pull requests when nothing could start', async () => {
    const stage = await open([...ready(40), { key: 'X', state: 'In Progress' }]);
    const ids = Array.from({ length: 40 }, (_, index) => stage.idOf(`R${index}`));
    await list(stage);
    const before = stage.fake.requests.length;
    const outcomes = await stage.tracker.fetchIssuesByIds(ids, never);
    expect([...outcomes.values()].every((outcome) => outcome.kind === 'current')).toBe(true);
    await list(stage, ['In Progress']);
    expect(stage.fake.requests.slice(before).map(({ address }) => address.split('?')[0])).toEqual([
      '/graphql',
      '/repos/octo/app/issues',
    ]);
  });
});

describe('pull requests', () => {
  const pull = { head: 'x', base: 'main', headRepository: 'octo/app' };

  it('hold back issues of the same repository that they would close, until work has begun', async () => {
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo' },
      { key: 'C', state: 'In Progress' },
    ]);
    stage.fake.store.add({ title: 'Fix', body: 'Closes #1, fixes evil/app#2, see issue #2', pull });
    stage.fake.store.add({ title: 'Resolves #3', pull });
    stage.fake.store.add({ title: 'Fixes #2', pull, closed: true });
    expect((await list(stage)).map((issue) => [issue.identifier, issue.undispatchableReason])).toEqual([
      ['#1', 'claimed by open PR #4'],
      ['#2', null],
      ['#3', null],
    ]);
    const refreshed = await stage.tracker.fetchIssuesByIds(['1'], never);
    expect(refreshed.get('1')).toMatchObject({ kind: 'current', issue: { dispatchable: true } });
  });

  it('may be turned off, and never blank the list when they cannot be read', async () => {
    const off = await open([{ key: 'A', state: 'Todo' }], { pullRequestClaims: false });
    off.fake.store.add({ title: 'Closes #1', pull });
    expect(await list(off)).toMatchObject([{ dispatchable: true }]);
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'In Progress' },
    ]);
    stage.fake.failNext(/pulls/, { kind: 'answer', status: 500, body: '{}' }, 2);
    expect(await list(stage)).toMatchObject([
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
    const stage = await open([
      { key: 'A', state: 'In Progress' },
      { key: 'B', state: 'Todo', blockedBy: ['A'] },
      { key: 'C', state: 'Todo', description: 'Depends on #1 and #2. Blocked by #99.' },
      { key: 'D', state: 'Todo', description: 'blocked by other/repo#1' },
    ]);
    const reasons = async (): Promise<unknown> =>
      (await list(stage)).map((issue) => [issue.identifier, issue.undispatchableReason]);
    expect(await reasons()).toEqual([
      ['#1', null],
      ['#2', 'blocked by #1 (In Progress)'],
      ['#3', 'blocked by #1 (In Progress), #2 (Todo)'],
      ['#4', null],
    ]);
    stage.fake.store.change(1, (issue) => {
      issue.closed = true;
    });
    stage.fake.store.relabel(2, () => true, 'Done');
    expect(await reasons()).toEqual([
      ['#3', null],
      ['#4', null],
    ]);
  });

  it('that cannot be read hold an issue back, but never stop one that runs', async () => {
    const stage = await open([
      { key: 'A', state: 'Human Review' },
      { key: 'B', state: 'Todo', description: 'blocked by #1' },
    ]);
    const fault = { kind: 'answer', status: 502, body: '<html>' } as const;
    stage.fake.failNext(/issues\/1$/, fault, 2);
    expect(await list(stage)).toMatchObject([
      { dispatchable: false, undispatchableReason: expect.stringContaining('could not be read') },
    ]);
    stage.fake.failNext(/issues\/1$/, fault, 2);
    expect((await stage.tracker.fetchIssuesByIds(['2'], never)).get('2')).toMatchObject({ kind: 'unknown' });
  });
});

describe('listings', () => {
  it('are cut at the cap with a warning, and keep what they have', async () => {
    const stage = await open([...ready(120), { key: 'X', state: 'In Progress' }], { maxPages: 1 });
    const issues = await list(stage);
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)?.identifier).toBe('#121');
    expect(stage.warnings()).toBe(1);
  });

  it('that fail do not blank the others: their issues stay, but may not start', async () => {
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'In Progress' },
    ]);
    expect(await list(stage)).toHaveLength(2);
    stage.fake.failNext(/labels=Todo/, { kind: 'answer', status: 500, body: '{}' }, 2);
    expect(await list(stage)).toMatchObject([
      { identifier: '#1', dispatchable: false, undispatchableReason: expect.stringContaining('status 500') },
      { identifier: '#2', dispatchable: true },
    ]);
    expect(await list(stage)).toMatchObject([{ dispatchable: true }, { dispatchable: true }]);
  });

  it('leave pull requests, closed issues and other states out', async () => {
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo', labels: ['Done'] },
      { key: 'C', state: 'Human Review' },
    ]);
    stage.fake.store.add({ labels: ['Todo'], pull: { head: 'x', base: 'main', headRepository: 'octo/app' } });
    stage.fake.store.add({ labels: ['Todo'], closed: true });
    expect((await list(stage)).map((issue) => issue.identifier)).toEqual(['#1', '#2']);
  });

  it("read GitHub's own states when a workflow of Symphony names them, and keep its own ids (R-17.3-i)", async () => {
    const stage = await open([], {
      activeStates: ['open'],
      terminalStates: ['closed'],
      inactiveStates: [],
      identifierPrefix: 'GH-',
    });
    stage.fake.store.add({});
    stage.fake.store.add({ closed: true });
    expect(await list(stage, ['open'])).toMatchObject([{ id: '1', identifier: 'GH-1', state: 'open' }]);
    expect(await list(stage, ['closed'])).toMatchObject([{ id: '2', identifier: 'GH-2', state: 'closed' }]);
    expect((await stage.tracker.fetchIssuesByIds(['2'], never)).get('2')).toMatchObject({
      issue: { state: 'closed', nativeRef: { number: 2, node_id: 'I_2', repo: 'octo/app' } },
    });
  });

  it('mark issues of others when a person is named, and know who `me` is', async () => {
    const stage = await open(
      [
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Todo' },
      ],
      { assignee: 'me' },
    );
    stage.fake.store.issue(2).assignees.push('Bot');
    expect((await list(stage)).map((issue) => issue.undispatchableReason)).toEqual([
      'not assigned to bot',
      null,
    ]);
    expect(stage.fake.requests.filter(({ address }) => address === '/user')).toHaveLength(1);
  });
});
