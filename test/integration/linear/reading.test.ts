import { afterEach, describe, expect, it } from 'vitest';
import type { LinearTrackerOptions } from '../../../src/trackers/linear/adapter.ts';
import { currentIssue, never, outcomeOf, type SeedIssue } from '../../contracts/tracker-stage.ts';
import { createLinearStage, type LinearStage } from '../../fakes/linear/stage.ts';

const stages: LinearStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

async function open(
  seed: readonly SeedIssue[] = [],
  options: Partial<LinearTrackerOptions> = {},
): Promise<LinearStage> {
  const stage = await createLinearStage(seed, options);
  stages.push(stage);
  return stage;
}

function addMany(stage: LinearStage, count: number, state = 'Todo'): readonly string[] {
  return Array.from({ length: count }, () => stage.fake.store.addIssue({ state }).id);
}

describe('listing', () => {
  it('asks for pages of 50 and keeps the order of creation (R-17.3-d)', async () => {
    const stage = await open();
    const ids = addMany(stage, 120);
    const issues = await stage.tracker.fetchIssuesByStates(['Todo'], never);
    expect(issues.map((issue) => issue.id)).toEqual(ids);
    expect(stage.fake.requests.map(({ variables }) => variables['after'])).toEqual([null, ids[49], ids[99]]);
  });

  it('needs one page for an exact fit, and fails whole when there are more pages than allowed', async () => {
    const stage = await open([], { paginationMaxPages: 2 });
    addMany(stage, 100);
    expect(await stage.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(100);
    expect(stage.fake.requests).toHaveLength(2);
    addMany(stage, 1);
    await expect(stage.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_pagination',
      hint: expect.stringContaining('pagination_max_pages'),
    });
  });

  it.each([
    ['without a cursor', null],
    ['with the cursor it was asked for', 'same'],
  ])('fails whole when a page ends %s', async (_name, cursor) => {
    const stage = await open();
    addMany(stage, 120);
    const breakPage = (answer: Record<string, unknown>): unknown => {
      const { issues } = answer['data'] as { issues: { pageInfo: { endCursor: string | null } } };
      issues.pageInfo.endCursor =
        cursor === null ? null : (stage.fake.requests[1]?.variables['after'] as string);
      return answer;
    };
    stage.fake.faults.push(
      { kind: 'change', change: (answer) => answer },
      { kind: 'change', change: breakPage },
    );
    await expect(stage.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_pagination',
    });
  });

  it('fails whole when the second page cannot be had', async () => {
    const stage = await open();
    addMany(stage, 60);
    const answer = { kind: 'answer', status: 503, body: '{}' } as const;
    stage.fake.faults.push({ kind: 'change', change: (body) => body }, answer, answer);
    await expect(stage.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_status',
    });
  });

  it('asks Linear itself for the project, the team and page after page (R-11.1-b)', async () => {
    const stage = await open([{ key: 'A', state: 'Todo' }], { teamKey: 'eng' });
    stage.fake.store.addIssue({ state: 'Todo', projectSlug: 'elsewhere' });
    addMany(stage, 119);
    const answered: number[] = [];
    const count = (answer: Record<string, unknown>): unknown => {
      answered.push((answer['data'] as { issues: { nodes: unknown[] } }).issues.nodes.length);
      return answer;
    };
    stage.fake.faults.push(...Array.from({ length: 3 }, () => ({ kind: 'change', change: count }) as const));
    expect(await stage.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(120);
    expect(answered).toEqual([50, 50, 20]);
    const other = await open([{ key: 'A', state: 'Todo' }], { teamKey: 'OPS' });
    expect(await other.tracker.fetchIssuesByStates(['Todo'], never)).toEqual([]);
  });

  it('reads all labels and all blockers, however many there are', async () => {
    const labels = Array.from({ length: 130 }, (_, index) => `label-${index}`);
    const stage = await open([{ key: 'A', state: 'Todo', labels }]);
    for (const id of addMany(stage, 70, 'Done')) stage.fake.store.block(stage.idOf('A'), id);
    const last = addMany(stage, 1, 'In Progress')[0] ?? '';
    stage.fake.store.block(stage.idOf('A'), last);
    const issue = await currentIssue(stage, 'A');
    expect(issue.labels).toEqual(labels);
    expect(issue.blockedBy).toHaveLength(71);
    expect(issue).toMatchObject({
      dispatchable: false,
      undispatchableReason: 'blocked by ENG-72 (In Progress)',
    });
  });

  it("counts another team's final states as finished, by their kind", async () => {
    const stage = await open([{ key: 'A', state: 'Todo' }], { terminalStates: ['Closed'] });
    const [done = ''] = addMany(stage, 1, 'Done');
    stage.fake.store.block(stage.idOf('A'), done);
    expect((await currentIssue(stage, 'A')).dispatchable).toBe(true);
  });

  it('lets a blocker hold back work that has not begun, never work under way', async () => {
    const stage = await open([
      { key: 'A', state: 'Backlog', blockedBy: ['C'] },
      { key: 'B', state: 'In Progress', blockedBy: ['C'] },
      { key: 'C', state: 'Todo' },
    ]);
    expect((await currentIssue(stage, 'A')).dispatchable).toBe(false);
    expect((await currentIssue(stage, 'B')).dispatchable).toBe(true);
  });

  it.each([
    ['me', 0, true],
    ['ME', 0, true],
    ['me', 1, false],
    ['ada', 1, true],
    ['ada@example.com', 1, true],
    ['0ce00000-0000-4000-8000-00000000000b', 1, true],
    ['0ce00000-0000-4000-8000-00000000000b', 0, false],
    ['me', null, false],
  ])('with assignee %j and user %j says dispatchable: %j', async (assignee, user, dispatchable) => {
    const stage = await open([{ key: 'A', state: 'Todo' }], { assignee });
    const { store } = stage.fake;
    store.issue(stage.idOf('A')).assigneeId = user === null ? null : (store.users[user]?.id ?? null);
    const issue = await currentIssue(stage, 'A');
    expect(issue.dispatchable).toBe(dispatchable);
    expect(issue.undispatchableReason ?? '').toMatch(dispatchable ? /^$/ : /assigned to/);
    expect(stage.fake.requests).toHaveLength(1);
  });

  it('maps no priority to null and keeps what tools need', async () => {
    const stage = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo', priority: 1 },
    ]);
    expect(await currentIssue(stage, 'A')).toMatchObject({
      priority: null,
      identifier: 'ENG-1',
      branchName: 'eng-1-work',
      url: 'https://linear.app/example/issue/ENG-1',
      nativeRef: { team_key: 'ENG', team_id: expect.any(String), project_id: expect.any(String) },
    });
    expect((await currentIssue(stage, 'B')).priority).toBe(1);
  });
});

describe('refreshing', () => {
  it('asks for 50 ids at a time, each once', async () => {
    const stage = await open();
    const ids = addMany(stage, 101);
    const outcomes = await stage.tracker.fetchIssuesByIds([...ids, ...ids], never);
    expect(outcomes.size).toBe(101);
    expect([...outcomes.values()].every(({ kind }) => kind === 'current')).toBe(true);
    expect(stage.fake.requests).toHaveLength(3);
  });

  it('sees a finished issue that was archived, and takes deleted, put away and moved ones as gone', async () => {
    const stage = await open(
      ['A', 'B', 'C', 'D'].map((key) => ({ key, state: key === 'A' ? 'Done' : 'Todo' })),
    );
    const issue = (key: string) => stage.fake.store.issue(stage.idOf(key));
    issue('A').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('B').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('C').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('C').trashed = true;
    issue('D').projectSlug = 'elsewhere';
    expect(await outcomeOf(stage, 'A')).toMatchObject({ kind: 'current', issue: { state: 'Done' } });
    for (const key of ['B', 'C', 'D']) expect(await outcomeOf(stage, key)).toEqual({ kind: 'absent' });
  });
});
