import { describe, expect, it } from 'vitest';
import { current, makeIssue, SchedulerFixture } from '../../test/fakes/scheduler-fixture.ts';

const [a, b] = [makeIssue('a'), makeIssue('b')];

/** One slot, taken by `a`; the poll that follows has refreshed `a` and asks for candidates. */
function nextListing(fixture: SchedulerFixture): readonly (boolean | undefined)[] {
  fixture.send({ type: 'poll_requested' }).refresh({ a: current(a) });
  return fixture.sent('list_candidates').map(({ brief }) => brief);
}

describe('a listing', () => {
  it('is brief while every slot is taken and somebody is known who could take the next', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a, b);
    expect(nextListing(fixture)).toEqual([true]);
  });

  it('is not brief with a free slot', () => {
    expect(nextListing(new SchedulerFixture({ maxConcurrentAgents: 3 }).start().list(a, b))).toEqual([
      undefined,
    ]);
  });

  it('is not brief when nobody is known who could take the next slot', () => {
    const waiting = makeIssue('b', { dispatchable: false });
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a, waiting);
    expect(nextListing(fixture)).toEqual([undefined]);
  });

  it('that was brief starts nothing without a second look', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a, b);
    nextListing(fixture);
    fixture.turn('a', 1, current({ ...a, state: 'Human Review' })).end('a');
    expect(fixture.phase('b')).toBe('checking');
    fixture.refresh({ b: { kind: 'unknown', reason: 'down' } });
    expect(fixture.list(a, b).started).toEqual([]);
    expect(fixture.phase('b') ?? fixture.phase('a')).toBe('checking');
  });
});
