import { afterEach, describe, expect, it } from 'vitest';
import { never, type SeedIssue } from '../../contracts/tracker-stage.ts';
import { createGiteaStage, type GiteaStage } from '../../fakes/gitea/stage.ts';

const stages: GiteaStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

async function open(
  seed: readonly SeedIssue[],
  options: Parameters<typeof createGiteaStage>[1] = {},
): Promise<GiteaStage> {
  const stage = await createGiteaStage(seed, options);
  stages.push(stage);
  return stage;
}

const ACTIVE = ['Todo', 'In Progress'];

async function reasons(stage: GiteaStage): Promise<unknown> {
  const issues = await stage.tracker.fetchIssuesByStates(ACTIVE, never);
  return issues.map((issue) => [issue.identifier, issue.undispatchableReason]);
}

async function outcome(stage: GiteaStage, id: string): Promise<string | undefined> {
  const found = (await stage.tracker.fetchIssuesByIds([id], never)).get(id);
  return found?.kind === 'current' ? found.issue.state : found?.kind;
}

function ready(count: number): SeedIssue[] {
  return Array.from({ length: count }, (_, index) => ({ key: `R${index}`, state: 'Todo' }));
}

describe('the number of requests', () => {
  async function steadyTick(stage: GiteaStage): Promise<number> {
    const claimed = [stage.idOf('X'), stage.idOf('Y')];
    for (let poll = 0; poll < 60; poll += 1) {
      const before = stage.fake.requests.length;
      await stage.tracker.fetchIssuesByIds(claimed, never);
      await stage.tracker.fetchIssuesByStates(ACTIVE, never);
      const sent = stage.fake.requests.length - before;
      if (!stage.fake.requests.slice(before).some(({ address }) => address.includes('/dependencies')))
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
    const stage = await open([...ready(50), ...running]);
    for (let count = 0; count < 300; count += 1)
      stage.fake.store.add({ closed: true, labels: ['aiops/done'] });
    expect(await steadyTick(stage)).toBe(4);
  });

  it('is at most 25 with 1,000 ready', async () => {
    const stage = await open([...ready(998), ...running]);
    stage.fake.failNext(/dependencies/, { kind: 'answer', status: 404, body: '{}' }, 20);
    expect(await steadyTick(stage)).toBeLessThanOrEqual(25);
  });

  it('starts with the urgent ones, and reads every issue in the end', async () => {
    const stage = await open([...ready(30), { key: 'U', state: 'Todo', priority: 1 }]);
    const dispatchable = async (): Promise<readonly string[]> =>
      (await stage.tracker.fetchIssuesByStates(ACTIVE, never))
        .filter((issue) => issue.dispatchable)
        .map((issue) => issue.id);
    const first = await dispatchable();
    expect(first).toHaveLength(20);
    expect(first).toContain(stage.idOf('U'));
    expect(await dispatchable()).toHaveLength(31);
  });
});

describe('states', () => {
  it('are exactly one label; several, unknown and missing ones are reported once', async () => {
    const stage = await open([{ key: 'A', state: 'Todo', labels: ['aiops/in-progress'] }]);
    stage.fake.store.add({ labels: ['aiops/tdoo'] });
    stage.fake.store.add({ labels: ['bug'] });
    expect(await reasons(stage)).toEqual([['#1', null]]);
    expect(await outcome(stage, '1')).toBe('Todo');
    expect(await outcome(stage, '2')).toBe('unknown');
    expect(await outcome(stage, '3')).toBe('absent');
    await outcome(stage, '3');
    expect(stage.lines.map((line) => line.fields['problem'])).toEqual([
      'conflicting_state_labels',
      'unknown_state_label',
      'missing_state_label',
    ]);
  });

  it('respect a closed issue, whatever its label says', async () => {
    const stage = await open([{ key: 'A', state: 'Todo' }], { terminalStates: ['Closed', 'Done'] });
    stage.fake.store.change(1, (issue) => {
      issue.closed = true;
    });
    expect(await reasons(stage)).toEqual([]);
    expect(await outcome(stage, '1')).toBe('Closed');
    const closed = await stage.tracker.fetchIssuesByStates(['Closed', 'Done'], never);
    expect(closed).toMatchObject([{ id: '1', state: 'Closed' }]);
  });

  it('hold although the server ignores a filter by a label that it does not have', async () => {
    const stage = await open([{ key: 'A', state: 'Human Review' }]);
    stage.fake.store.labels.splice(
      stage.fake.store.labels.findIndex((label) => label.name === 'aiops/todo'),
      1,
    );
    expect(await reasons(stage)).toEqual([]);
  });

  it('of a repository that cannot be seen are unknown, never absent', async () => {
    const stage = await open([{ key: 'A', state: 'Todo' }]);
    stage.fake.failNext(/repos/, { kind: 'answer', status: 404, body: '{"message":"not found"}' }, 5);
    await expect(stage.tracker.fetchIssuesByIds(['1'], never)).rejects.toMatchObject({
      code: 'tracker_status',
    });
  });
});

describe('blockers', () => {
  it('come from dependencies and the text; closed and label-less ones are finished', async () => {
    const stage = await open([
      { key: 'A', state: 'Human Review' },
      { key: 'B', state: 'Todo', blockedBy: ['A'] },
      { key: 'C', state: 'Todo', description: 'depends on #1' },
    ]);
    const { store } = stage.fake;
    expect(await reasons(stage)).toEqual([
      ['#2', 'blocked by #1 (Human Review)'],
      ['#3', 'blocked by #1 (Human Review)'],
    ]);
    store.relabel(1, () => true, null);
    expect(await reasons(stage)).toEqual([
      ['#2', null],
      ['#3', null],
    ]);
    store.relabel(1, () => true, 'aiops/todo');
    store.change(1, (issue) => {
      issue.closed = true;
    });
    expect(await reasons(stage)).toEqual([
      ['#2', null],
      ['#3', null],
    ]);
  });

  it('are seen when they are added later, and not asked for where the server has none', async () => {
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo' },
    ]);
    await reasons(stage);
    stage.fake.store.change(2, (issue) => issue.blockedBy.push(1));
    expect(await reasons(stage)).toEqual([
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
