import { afterEach, describe, expect, it } from 'vitest';
import type { LinearTrackerOptions } from '../../../src/trackers/linear/adapter.ts';
import { currentIssue, never, outcomeOf, type SeedIssue } from '../../contracts/tracker-fixture.ts';
import { createLinearFixture, type LinearFixture } from '../../fakes/linear/fixture.ts';

const fixtures: LinearFixture[] = [];
afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.dispose();
});

async function open(
  seed: readonly SeedIssue[] = [],
  options: Partial<LinearTrackerOptions> = {},
): Promise<LinearFixture> {
  const fixture = await createLinearFixture(seed, options);
  fixtures.push(fixture);
  return fixture;
}

function addMany(fixture: LinearFixture, count: number, state = 'Todo'): readonly string[] {
  return Array.from({ length: count }, () => fixture.fake.store.addIssue({ state }).id);
}

describe('listing', () => {
  it('asks for pages of 50 and keeps the order of creation (R-17.3-d)', async () => {
    const fixture = await open();
    const ids = addMany(fixture, 120);
    const issues = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
    expect(issues.map((issue) => issue.id)).toEqual(ids);
    expect(fixture.fake.requests.map(({ variables }) => variables['after'])).toEqual([
      null,
      ids[49],
      ids[99],
    ]);
  });

  it('needs one page for an exact fit, and fails whole when there are more pages than allowed', async () => {
    const fixture = await open([], { paginationMaxPages: 2 });
    addMany(fixture, 100);
    expect(await fixture.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(100);
    expect(fixture.fake.requests).toHaveLength(2);
    addMany(fixture, 1);
    await expect(fixture.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_pagination',
      hint: expect.stringContaining('pagination_max_pages'),
    });
  });

  it.each([
    ['without a cursor', null],
    ['with the cursor it was asked for', 'same'],
  ])('fails whole when a page ends %s', async (_name, cursor) => {
    const fixture = await open();
    addMany(fixture, 120);
    const breakPage = (answer: Record<string, unknown>): unknown => {
      const { issues } = answer['data'] as { issues: { pageInfo: { endCursor: string | null } } };
      issues.pageInfo.endCursor =
        cursor === null ? null : (fixture.fake.requests[1]?.variables['after'] as string);
      return answer;
    };
    fixture.fake.faults.push(
      { kind: 'change', change: (answer) => answer },
      { kind: 'change', change: breakPage },
    );
    await expect(fixture.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_pagination',
    });
  });

  it('fails whole when the second page cannot be had', async () => {
    const fixture = await open();
    addMany(fixture, 60);
    const answer = { kind: 'answer', status: 503, body: '{}' } as const;
    fixture.fake.faults.push({ kind: 'change', change: (body) => body }, answer, answer);
    await expect(fixture.tracker.fetchIssuesByStates(['Todo'], never)).rejects.toMatchObject({
      code: 'tracker_status',
    });
  });

  it('asks Linear itself for the project, the team and page after page (R-11.1-b)', async () => {
    const fixture = await open([{ key: 'A', state: 'Todo' }], { teamKey: 'eng' });
    fixture.fake.store.addIssue({ state: 'Todo', projectSlug: 'elsewhere' });
    addMany(fixture, 119);
    const answered: number[] = [];
    const count = (answer: Record<string, unknown>): unknown => {
      answered.push((answer['data'] as { issues: { nodes: unknown[] } }).issues.nodes.length);
      return answer;
    };
    fixture.fake.faults.push(
      ...Array.from({ length: 3 }, () => ({ kind: 'change', change: count }) as const),
    );
    expect(await fixture.tracker.fetchIssuesByStates(['Todo'], never)).toHaveLength(120);
    expect(answered).toEqual([50, 50, 20]);
    const other = await open([{ key: 'A', state: 'Todo' }], { teamKey: 'OPS' });
    expect(await other.tracker.fetchIssuesByStates(['Todo'], never)).toEqual([]);
  });

  it('reads all labels and all blockers, however many there are', async () => {
    const labels = Array.from({ length: 130 }, (_, index) => `label-${index}`);
    const fixture = await open([{ key: 'A', state: 'Todo', labels }]);
    for (const id of addMany(fixture, 70, 'Done')) fixture.fake.store.block(fixture.idOf('A'), id);
    const last = addMany(fixture, 1, 'In Progress')[0] ?? '';
    fixture.fake.store.block(fixture.idOf('A'), last);
    const issue = await currentIssue(fixture, 'A');
    expect(issue.labels).toEqual(labels);
    expect(issue.blockedBy).toHaveLength(71);
    expect(issue).toMatchObject({
      dispatchable: false,
      undispatchableReason: 'blocked by ENG-72 (In Progress)',
    });
  });

  it("counts another team's final states as finished, by their kind", async () => {
    const fixture = await open([{ key: 'A', state: 'Todo' }], { terminalStates: ['Closed'] });
    const [done = ''] = addMany(fixture, 1, 'Done');
    fixture.fake.store.block(fixture.idOf('A'), done);
    expect((await currentIssue(fixture, 'A')).dispatchable).toBe(true);
  });

  it('lets a blocker hold back work that has not begun, never work under way', async () => {
    const fixture = await open([
      { key: 'A', state: 'Backlog', blockedBy: ['C'] },
      { key: 'B', state: 'In Progress', blockedBy: ['C'] },
      { key: 'C', state: 'Todo' },
    ]);
    expect((await currentIssue(fixture, 'A')).dispatchable).toBe(false);
    expect((await currentIssue(fixture, 'B')).dispatchable).toBe(true);
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
    const fixture = await open([{ key: 'A', state: 'Todo' }], { assignee });
    const { store } = fixture.fake;
    store.issue(fixture.idOf('A')).assigneeId = user === null ? null : (store.users[user]?.id ?? null);
    const issue = await currentIssue(fixture, 'A');
    expect(issue.dispatchable).toBe(dispatchable);
    expect(issue.undispatchableReason ?? '').toMatch(dispatchable ? /^$/ : /assigned to/);
    expect(fixture.fake.requests).toHaveLength(1);
  });

  it('maps no priority to null and keeps what tools need', async () => {
    const fixture = await open([
      { key: 'A', state: 'Todo' },
      { key: 'B', state: 'Todo', priority: 1 },
    ]);
    expect(await currentIssue(fixture, 'A')).toMatchObject({
      priority: null,
      identifier: 'ENG-1',
      branchName: 'eng-1-work',
      url: 'https://linear.app/example/issue/ENG-1',
      nativeRef: { team_key: 'ENG', team_id: expect.any(String), project_id: expect.any(String) },
    });
    expect((await currentIssue(fixture, 'B')).priority).toBe(1);
  });
});

describe('refreshing', () => {
  it('asks for 50 ids at a time, each once', async () => {
    const fixture = await open();
    const ids = addMany(fixture, 101);
    const outcomes = await fixture.tracker.fetchIssuesByIds([...ids, ...ids], never);
    expect(outcomes.size).toBe(101);
    expect([...outcomes.values()].every(({ kind }) => kind === 'current')).toBe(true);
    expect(fixture.fake.requests).toHaveLength(3);
  });

  it('sees a finished issue that was archived, and takes deleted, put away and moved ones as gone', async () => {
    const fixture = await open(
      ['A', 'B', 'C', 'D'].map((key) => ({ key, state: key === 'A' ? 'Done' : 'Todo' })),
    );
    const issue = (key: string) => fixture.fake.store.issue(fixture.idOf(key));
    issue('A').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('B').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('C').archivedAt = '2026-03-01T00:00:00.000Z';
    issue('C').trashed = true;
    issue('D').projectSlug = 'elsewhere';
    expect(await outcomeOf(fixture, 'A')).toMatchObject({ kind: 'current', issue: { state: 'Done' } });
    for (const key of ['B', 'C', 'D']) expect(await outcomeOf(fixture, key)).toEqual({ kind: 'absent' });
  });
});
