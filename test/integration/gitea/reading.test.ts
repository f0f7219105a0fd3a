import { afterEach, describe, expect, it } from 'vitest';
import { never, type SeedIssue } from '../../contracts/tracker-fixture.ts';
import { createGiteaFixture, type GiteaFixture } from '../../fakes/gitea/fixture.ts';

const fixtures: GiteaFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

async function open(
  seed: readonly SeedIssue[],
  options: Parameters<typeof createGiteaFixture>[1] = {},
): Promise<GiteaFixture> {
  const fixture = await createGiteaFixture(seed, options);
  fixtures.push(fixture);
  return fixture;
}

const ACTIVE = ['Todo', 'In Progress'];

async function reasons(fixture: GiteaFixture): Promise<unknown> {
  const issues = await fixture.tracker.fetchIssuesByStates(ACTIVE, never);
  return issues.map((issue) => [issue.identifier, issue.undispatchableReason]);
}

async function outcome(fixture: GiteaFixture, id: string): Promise<string | undefined> {
  const found = (await fixture.tracker.fetchIssuesByIds([id], never)).get(id);
  return found?.kind === 'current' ? found.issue.state : found?.kind;
}

function ready(count: number): SeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({ key: `R${index}`, state: 'Todo' }));
}

describe('the number of requests', () => {
  async function steadyTick(fixture: GiteaFixture): Promise<number> {
    const claimed = [fixture.idOf('X'), fixture.idOf('Y')];
    for (let poll = 0; poll < 60; poll += 1) {
      const before = fixture.fake.requests.length;
      await fixture.tracker.fetchIssuesByIds(claimed, never);
      await fixture.tracker.fetchIssuesByStates(ACTIVE, never);
      const sent = fixture.fake.requests.length - before;
      if (!fixture.fake.requests.slice(before).some(({ address }) => address.includes('/dependencies')))
        return sent;
      expect(sent).toBeLessThanOrEqual(45);
    }
    throw new Error('the polls never become steady');
  }
  const running: readonly SeedIssue[] = [
    { key: 'X', state: 'In Progress' },
    { key: 'Y', state: 'In Progress' },
  ];

  it('is at most four for a steady tick with 50 ready, 2 running and 300 closed', async () => {
    const fixture = await open([...ready(50), ...running]);
    for (let count = 0; count < 300; count += 1)
      fixture.fake.store.add({ closed: true, labels: ['aiops/done'] });
    expect(await steadyTick(fixture)).toBe(4);
  });

  it('is at most 25 with 1,000 ready', async () => {
    const fixture = await open([...ready(998), ...running]);
    fixture.fake.failNext(/dependencies/, { kind: 'answer', status: 404, body: '{}' }, 20);
    expect(await steadyTick(fixture)).toBeLessThanOrEqual(25);
  });

  it('starts with the urgent ones, and reads every issue in the end', async () => {
    const fixture = await open([...ready(30), { key: 'U', state: 'Todo', priority: 1 }]);
    const dispatchable = async (): Promise<readonly string[]> =>
      (await fixture.tracker.fetchIssuesByStates(ACTIVE, never))
        .filter((issue) => issue.dispatchable)
        .map((issue) => issue.id);
    const first = await dispatchable();
    expect(first).toHaveLength(20);
    expect(first).toContain(fixture.idOf('U'));
    expect(await dispatchable()).toHaveLength(31);
  });
});

describe('states', () => {
  it('are exactly one label; several, unknown and missing ones are reported once', async () => {
    const fixture = await open([{ key: 'A', state: 'Todo', labels: ['aiops/in-progress'] }]);
    fixture.fake.store.add({ labels: ['aiops/tdoo'] });
    fixture.fake.store.add({ labels: ['bug'] });
    expect(await reasons(fixture)).toEqual([['#1', null]]);
    expect(await outcome(fixture, '1')).toBe('Todo');
    expect(await outcome(fixture, '2')).toBe('unknown');
    expect(await outcome(fixture, '3')).toBe('absent');
    await outcome(fixture, '3');
    expect(fixture.lines.map((line) => line.fields['problem'])).toEqual([
      'conflicting_state_labels',
      'unknown_state_label',
      'missing_state_label',
    ]);
  });

  it('respect a closed issue, whatever its label says', async () => {
    const fixture = await open([{ key: 'A', state: 'Todo' }], { terminalStates: ['Closed', 'Done'] });
    fixture.fake.store.change(1, (issue) => {
      issue.closed = true;
    });
    expect(await reasons(fixture)).toEqual([]);
    expect(await outcome(fixture, '1')).toBe('Closed');
    const closed = await fixture.tracker.fetchIssuesByStates(['Closed', 'Done'], never);
    expect(closed).toMatchObject([{ id: '1', state: 'Closed' }]);
  });

  it('hold although the server ignores a filter by a label that it does not have', async () => {
    const fixture = await open([{ key: 'A', state: 'Human Review' }]);
    fixture.fake.store.labels.splice(
      fixture.fake.store.labels.findIndex((label) => label.name === 'aiops/todo'),
      1,
    );
    expect(await reasons(fixture)).toEqual([]);
  });

  it('of a repository that cannot be seen are unknown, never absent', async () => {
    const fixture = await open([{ key: 'A', state: 'Todo' }]);
    fixture.fake.failNext(/repos/, { kind: 'answer', status: 404, body: '{"message":"not found"}' }, 5);
    await expect(fixture.tracker.fetchIssuesByIds(['1'], never)).rejects.toMatchObject({
      code: 'tracker_status',
    });
  });
});

describe('blockers', () => {
  it('come from dependencies and the text; closed and label-less ones are finished', async () => {
    const fixture = await open([
      { key: 'A', state: 'Human Review' },
      { key: 'B', state: 'Todo', blockedBy: ['A'] },
      { key: 'C', state: 'Todo', description: 'depends on #1' },
    ]);
    const { store } = fixture.fake;
    expect(await reasons(fixture)).toEqual([
      ['#2', 'blocked by #1 (Human Review)'],
      ['#3', 'blocked by #1 (Human Review)'],
    ]);
    store.relabel(1, () => true, null);
    expect(await reasons(fixture)).toEqual([
      ['#2', null],
      ['#3', null],
    ]);
    store.relabel(1, () => true, 'aiops/todo');
    store.change(1, (issue) => {
      issue.closed = true;
    });
    expect(await reasons(fixture)).toEqual([
      ['#2', null],
      ['#3', null],
    ]);
  });

  it('are seen when they are added later, and not asked for where the server has none', async () => {
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo' },
    ]);
    await reasons(fixture);
    fixture.fake.store.change(2, (issue) => issue.blockedBy.push(1));
    expect(await reasons(fixture)).toEqual([
      ['#1', null],
      ['#2', 'blocked by #1 (Todo)'],
    ]);
    const without = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo' },
    ]);
    without.fake.failNext(/dependencies/, { kind: 'answer', status: 404, body: '{}' }, 9);
    expect(await reasons(without)).toEqual([
      ['#1', null],
      ['#2', null],
    ]);
    expect(without.fake.requests.filter(({ address }) => address.includes('dependencies'))).toHaveLength(1);
  });
});
