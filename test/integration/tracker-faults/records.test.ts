import { describe, expect, it, onTestFinished } from 'vitest';
import { never } from '../../contracts/tracker-fixture.ts';
import { type FaultyFixture, type FaultySubject, SUBJECTS } from './subjects.ts';

/** What an issue must have, and does not, in the words that all three trackers share. */
const WRONG: readonly (readonly [string, Record<string, unknown> | null])[] = [
  ['no title', { title: null }],
  ['a blank title', { title: ' \n' }],
  ['a title of a wrong type', { title: ['x'] }],
  ['no state', { state: null }],
  ['a state of a wrong type', { state: 7 }],
  ['a state nobody knows', { state: 'merged' }],
  ['no labels', { labels: null }],
  ['labels of a wrong type', { labels: 'ready' }],
  ['labels missing altogether', { labels: undefined }],
  ['no identity', { id: null, number: null }],
  ['an identity of a wrong type', { id: 7, number: 'seven' }],
  ['nothing in its place', null],
];

describe.each(SUBJECTS)('$name', (subject: FaultySubject) => {
  async function open(): Promise<FaultyFixture> {
    const fixture = await subject.open();
    onTestFinished(() => fixture.dispose());
    return fixture;
  }

  async function refresh(on: FaultyFixture): Promise<unknown> {
    const ids = { running: on.idOf('running'), free: on.idOf('free') };
    const outcomes = await on.tracker.fetchIssuesByIds(Object.values(ids), never);
    return { running: outcomes.get(ids.running)?.kind, free: outcomes.get(ids.free)?.kind };
  }

  it.each(WRONG)('an issue with %s is neither started nor taken for gone', async (_name, values) => {
    const on = await open();
    on.corruptIn('listing', 'free', values);
    on.corruptIn('refresh', 'running', values);
    const listed = await on.tracker.fetchIssuesByStates(['Todo', 'In Progress'], never);
    const keys = listed.map(({ id }) => id).toSorted();
    expect(keys).toEqual([on.idOf('running'), on.idOf('blocked')].toSorted());
    expect(await refresh(on)).toEqual({ running: 'unknown', free: 'current' });
    expect(on.spoiled()).toBeGreaterThan(1);
  });

  it('an answer in part leaves what is missing unknown', async () => {
    const on = await open();
    on.omit('running');
    expect(await refresh(on)).toEqual({ running: 'unknown', free: 'current' });
  });

  it('a scope that cannot be seen any more makes nobody gone', async () => {
    const on = await open();
    on.hideAll();
    await expect(refresh(on)).rejects.toMatchObject({
      code: expect.stringMatching(/^tracker_(status|response)$/),
    });
  });

  it('an issue that left the scope is gone; the other one is not', async () => {
    const on = await open();
    on.moveAway('running');
    expect(await refresh(on)).toEqual({ running: 'absent', free: 'current' });
  });
});
