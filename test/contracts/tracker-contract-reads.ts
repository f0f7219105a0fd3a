import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/domain/issue.ts';
import { AppError } from '../../src/errors/app-error.ts';
import { currentIssue, never, type OpenFixture, outcomeOf, plainLabels } from './tracker-fixture.ts';

const FIELDS: readonly (keyof Issue)[] = [
  'id',
  'identifier',
  'title',
  'description',
  'priority',
  'state',
  'branchName',
  'url',
  'assigneeId',
  'author',
  'labels',
  'blockedBy',
  'dispatchable',
  'undispatchableReason',
  'createdAt',
  'updatedAt',
  'nativeRef',
];
const UTC_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

export function trackerReadsContract(open: OpenFixture): void {
  describe('looking around', () => {
    it('tells of the unfinished issues outside of the active states, by id and state', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Backlog' },
        { key: 'C', state: 'Done' },
        { key: 'D', state: 'Human Review' },
      ]);
      const survey = await fixture.tracker.survey?.read(never);
      expect(survey?.others.map(({ id, state }) => [id, state])).toEqual([
        [fixture.idOf('B'), 'Backlog'],
        [fixture.idOf('D'), 'Human Review'],
      ]);
      expect(survey).toMatchObject({ complete: true, ignored: [] });
    });
  });

  describe('reading by states', () => {
    it('returns the issues in those states, whatever the case of the names, and no others (R-3.1-c, R-11.1-a, R-17.3-a, R-18.1-f)', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'In Progress' },
        { key: 'C', state: 'Done' },
        { key: 'D', state: 'Human Review' },
      ]);
      const issues = await fixture.tracker.fetchIssuesByStates([' todo ', 'IN PROGRESS'], never);
      expect(issues.map((issue) => issue.id)).toEqual([fixture.idOf('A'), fixture.idOf('B')]);
      expect(await fixture.tracker.fetchIssuesByStates(['No Such State'], never)).toEqual([]);
    });

    it('keeps the spelling of the state (R-4.1.1-h, R-11.3-i)', async () => {
      const fixture = await open([{ key: 'A', state: 'In Progress' }]);
      const [issue] = await fixture.tracker.fetchIssuesByStates(['in progress'], never);
      expect(issue?.state).toBe('In Progress');
    });

    it('fills every field with a value of its type (R-4.1.1-a, R-4.1.1-d, R-4.1.1-e, R-4.1.1-f, R-4.1.1-g, R-4.1.1-h, R-4.1.1-m, R-11.3-0, R-11.3-a, R-11.3-b, R-11.3-j, R-11.3-l)', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        {
          key: 'B',
          state: 'Todo',
          title: 'B',
          description: 'Text',
          priority: 2,
          labels: ['x'],
          blockedBy: ['A'],
        },
      ]);
      const issues = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
      expect(issues).toHaveLength(2);
      expect(new Set(issues.map((issue) => issue.identifier)).size).toBe(2);
      for (const issue of issues) {
        expect(Object.keys(issue).sort()).toEqual([...FIELDS].sort());
        for (const text of [issue.id, issue.identifier, issue.title, issue.state]) {
          expect(text.trim()).not.toBe('');
        }
        for (const instant of [issue.createdAt, issue.updatedAt]) {
          if (instant !== null) expect(instant).toMatch(UTC_INSTANT);
        }
        expect(issue.priority === null || Number.isInteger(issue.priority)).toBe(true);
        expect(JSON.parse(JSON.stringify(issue))).toEqual(issue);
      }
      expect(issues[1]).toMatchObject({ title: 'B', description: 'Text', priority: 2 });
      expect(issues[0]).toMatchObject({ priority: null, blockedBy: [] });
      expect(issues.map((issue) => plainLabels(fixture, issue))).toEqual([[], ['x']]);
    });

    it('trims and lower-cases labels and drops blanks and duplicates (R-4.1.1-i, R-11.3-c, R-17.3-e)', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo', labels: [' Bug ', 'bug', 'UI', '  '] }]);
      expect(plainLabels(fixture, await currentIssue(fixture, 'A'))).toEqual(['bug', 'ui']);
    });

    it('lists an issue that must wait for another, and says why (R-4.1.1-j, R-4.1.1-k, R-11.1-d, R-11.2-c, R-11.3-k, R-17.3-j)', async () => {
      const fixture = await open([
        { key: 'A', state: 'In Progress' },
        { key: 'B', state: 'Todo', blockedBy: ['A'] },
        { key: 'C', state: 'In Progress', blockedBy: ['A'] },
      ]);
      const issues = await fixture.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
      const byId = new Map(issues.map((issue) => [issue.id, issue]));
      const blocker = byId.get(fixture.idOf('A'));
      expect(blocker).toMatchObject({ dispatchable: true, undispatchableReason: null });
      expect(byId.get(fixture.idOf('C'))).toMatchObject({ dispatchable: true, undispatchableReason: null });
      expect(byId.get(fixture.idOf('B'))).toMatchObject({
        dispatchable: false,
        undispatchableReason: `blocked by ${blocker?.identifier} (In Progress)`,
        blockedBy: [{ id: blocker?.id, identifier: blocker?.identifier, state: 'In Progress' }],
      });
      await fixture.move('A', 'Done');
      expect(await currentIssue(fixture, 'B')).toMatchObject({
        dispatchable: true,
        undispatchableReason: null,
      });
    });

    it('leaves out a malformed record, keeps the rest and warns (R-11.1-o, R-11.1-p, R-11.3-h, R-17.3-g)', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Todo' },
      ]);
      await fixture.corrupt('A');
      const issues = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
      expect(issues.map((issue) => issue.id)).toEqual([fixture.idOf('B')]);
      expect(fixture.warnings()).toBe(1);
    });
  });

  describe('reading by ids', () => {
    it('answers every distinct id once: current, absent or unknown (R-11.1-j, R-11.1-q, R-11.1-r, R-17.3-g)', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Done' },
        { key: 'C', state: 'Todo' },
        { key: 'D', state: 'Todo' },
      ]);
      await fixture.corrupt('C');
      await fixture.remove('D');
      const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((key) => fixture.idOf(key));
      const ids = [d, a, c, b, a, d].filter((id) => id !== undefined);
      const outcomes = await fixture.tracker.fetchIssuesByIds(ids, never);
      expect([...outcomes.keys()].sort()).toEqual([...new Set(ids)].sort());
      expect([...outcomes].map(([id, outcome]) => [id, outcome.kind])).toEqual(
        expect.arrayContaining([
          [a, 'current'],
          [b, 'current'],
          [c, 'unknown'],
          [d, 'absent'],
        ]),
      );
    });

    it('gives the same snapshot as the listing (R-11.1-g, R-17.3-h, R-18.1-f)', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo', labels: ['x'], description: 'Text' }]);
      const [listed] = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
      expect(await currentIssue(fixture, 'A')).toEqual(listed);
    });

    it('names the author, by a name that is the same in every read', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const [listed] = await fixture.tracker.fetchIssuesByStates(['Todo'], never);
      expect(listed?.author?.names.length).toBeGreaterThan(0);
      for (const name of listed?.author?.names ?? []) expect(name).toMatch(/^\S+$/);
      expect((await currentIssue(fixture, 'A')).author).toEqual(listed?.author);
    });

    it('sees what a person did since the last read', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      expect((await currentIssue(fixture, 'A')).state).toBe('Todo');
      await fixture.move('A', 'Cancelled');
      expect((await currentIssue(fixture, 'A')).state).toBe('Cancelled');
      await fixture.remove('A');
      expect(await outcomeOf(fixture, 'A')).toEqual({ kind: 'absent' });
    });
  });

  describe('failing', () => {
    it('makes no request for empty input (R-11.1-f, R-11.1-i, R-17.3-b, R-17.3-c)', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      await fixture.breakDown();
      expect(await fixture.tracker.fetchIssuesByStates([], never)).toEqual([]);
      expect((await fixture.tracker.fetchIssuesByIds([], never)).size).toBe(0);
    });

    it('fails the whole call when the provider does not answer; nothing becomes absent (R-11.1-k, R-11.1-n)', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      await fixture.tracker.fetchIssuesByStates(['Todo'], never);
      await fixture.breakDown();
      await expectTrackerError(fixture.tracker.fetchIssuesByStates(['Todo'], never));
      await expectTrackerError(fixture.tracker.fetchIssuesByIds([fixture.idOf('A')], never));
    });

    it('rejects when the caller gave up', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const aborted = AbortSignal.abort();
      await expectTrackerError(fixture.tracker.fetchIssuesByStates(['Todo'], aborted));
      await expectTrackerError(fixture.tracker.fetchIssuesByIds([fixture.idOf('A')], aborted));
    });
  });
}

async function expectTrackerError(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: expect.stringMatching(/^tracker_/),
    message: expect.stringMatching(/\w/),
  });
}
