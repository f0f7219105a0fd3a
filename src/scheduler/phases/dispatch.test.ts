import { describe, expect, it } from 'vitest';
import {
  absent,
  current,
  makeIssue,
  SchedulerFixture,
  unknown,
} from '../../../test/fakes/scheduler-fixture.ts';

const idle = (options = {}): SchedulerFixture => new SchedulerFixture(options).start();

describe('dispatch', () => {
  it('starts the best candidates first: priority 1..4, then oldest, then identifier (R-8.2-j, R-8.2-k, R-8.2-l)', () => {
    const fixture = idle({ maxConcurrentAgents: 10 }).list(
      makeIssue('zero', { priority: 0 }),
      makeIssue('b', { priority: 2 }),
      makeIssue('a', { priority: 2 }),
      makeIssue('old', { priority: 2, createdAt: '2020-01-01T00:00:00Z' }),
      makeIssue('first', { priority: 1 }),
      makeIssue('none'),
      makeIssue('five', { priority: 5 }),
    );
    expect(fixture.started).toEqual(['first', 'old', 'a', 'b', 'five', 'none', 'zero']);
  });

  it('never exceeds the global limit and fills a freed slot at once from the last listing (R-8.3-a)', () => {
    const [a, b, c] = [makeIssue('a'), makeIssue('b'), makeIssue('c')];
    const fixture = idle().list(a, b, c);
    expect(fixture.started).toEqual(['a', 'b']);
    fixture.turn('a', 1, current({ ...a, state: 'Human Review' })).end('a');
    expect(fixture.phase('c')).toBe('checking');
    expect(fixture.refresh({ c: current(c) }).started).toEqual(['c']);
  });

  it('counts a running issue under its current state for the per-state limit (R-8.3-b, R-8.3-c)', () => {
    const [a, b, c] = [makeIssue('a'), makeIssue('b'), makeIssue('c', { state: 'In Progress' })];
    const fixture = idle({ maxConcurrentAgents: 5, maxConcurrentByState: new Map([['todo', 1]]) }).list(
      a,
      b,
      c,
    );
    expect(fixture.started).toEqual(['a', 'c']);
    fixture.send({ type: 'poll_requested' });
    fixture.refresh({ a: current({ ...a, state: 'In Progress' }), c: current(c) });
    expect(fixture.phase('b')).toBe('checking');
    expect(fixture.refresh({ b: current(b) }).started).toEqual(['b']);
  });

  it.each([
    ['terminal even when also active', makeIssue('x', { state: 'Done' })],
    ['not active', makeIssue('x', { state: 'Backlog' })],
    ['not dispatchable', makeIssue('x', { dispatchable: false })],
    ['without a title', makeIssue('x', { title: '  ' })],
    ['without the label', makeIssue('x', { labels: ['other'] })],
  ])('leaves an issue alone that is %s (R-8.2-a, R-8.2-b, R-8.2-c, R-8.2-d)', (_why, issue) => {
    const fixture = new SchedulerFixture({
      requiredLabels: issue.labels.length > 0 ? ['ready'] : [],
      activeSet: new Set(['todo', 'done']),
    }).start();
    expect(fixture.list(issue).started).toEqual([]);
  });

  it('a blank required label matches nothing (R-5.3.1-i)', () => {
    expect(idle({ requiredLabels: [''] }).list(makeIssue('a', { labels: [''] })).started).toEqual([]);
  });

  it('never starts a claimed issue again (R-7.4-b, R-8.2-e, R-8.2-f)', () => {
    const a = makeIssue('a');
    const fixture = idle().list(a, a);
    expect(fixture.started).toEqual(['a']);
    expect(fixture.poll([a]).started).toEqual([]);
    fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' });
    expect(fixture.poll([a]).started).toEqual([]);
    expect(fixture.phase('a')).toBe('retrying');
  });

  it('does nothing while paused or while a preflight check fails, but still reconciles (R-6.3-d, R-8.1-d)', () => {
    const a = makeIssue('a');
    const fixture = idle().list();
    fixture.send({ type: 'operator', action: { kind: 'pause', by: 'me' } });
    expect(fixture.poll([], [a]).started).toEqual([]);
    fixture.send({ type: 'operator', action: { kind: 'resume', by: 'me' } });
    expect(fixture.refresh({ a: current(a) }).started).toEqual(['a']);
    fixture.settings = { ...fixture.settings, preflightErrors: ['no key'] };
    fixture.send({ type: 'poll_requested' });
    fixture.refresh({ a: current({ ...a, state: 'Done' }) });
    expect(fixture.sent('stop_run')).toHaveLength(1);
    expect(fixture.sent('list_candidates')).toEqual([]);
    expect(fixture.published('dispatch_preflight_failed')).toEqual(['no key']);
  });

  it('the last look before a start: gone or ineligible releases, unknown waits for the next poll (D5)', () => {
    const [a, b] = [makeIssue('a'), makeIssue('b')];
    const waiting = (): SchedulerFixture => {
      const fixture = idle({ maxConcurrentAgents: 1 }).list(a, b);
      return fixture.turn('a', 1, current({ ...a, state: 'Done' })).end('a');
    };
    expect(waiting().refresh({ b: absent }).phase('b')).toBeNull();
    expect(waiting().refresh({ b: unknown }).phase('b')).toBeNull();
    const moved = waiting();
    const requests = [...moved.state.pending.entries()].find(([, { ids }]) => ids[0] === 'b');
    moved.send({
      type: 'issues_refreshed',
      requestId: requests?.[0] ?? '',
      outcomes: new Map([['b', current({ ...b, state: 'Backlog' })]]),
    });
    expect(moved.started).toEqual([]);
    expect(moved.phase('b')).toBeNull();
  });

  it('attempt is null on the first run and a number on every later one (R-5.4-e, R-12.3-a)', () => {
    const a = makeIssue('a');
    const fixture = idle().list(a);
    expect(fixture.sent('start_run')[0]?.run).toMatchObject({ attempt: null, retryKind: null });
    fixture.end('a', { kind: 'failed', code: 'x', message: 'no' }).advance(10_000);
    fixture.send({ type: 'timer_fired', key: 'retry:a' }).refresh({ a: current(a) });
    expect(fixture.sent('start_run')[0]?.run).toMatchObject({ attempt: 1, retryKind: 'failure' });
  });

  it('the state that was passed in is never changed', () => {
    const fixture = idle();
    const before = fixture.state;
    fixture.list(makeIssue('a'));
    expect(before.claims.size).toBe(0);
    expect(before.live.size).toBe(0);
    expect(fixture.state.claims.size).toBe(1);
  });
});

describe('where one request can ask for many issues', () => {
  const [a, b, c, d] = [makeIssue('a'), makeIssue('b'), makeIssue('c'), makeIssue('d')];
  const review = (one: typeof a) => current({ ...one, state: 'Human Review' });
  /** `a` has ended; the look before the start of `b` takes `c` along. */
  const looking = (): SchedulerFixture => {
    const fixture = idle({ maxConcurrentAgents: 1, readAhead: 1 }).list(a, b, c, d);
    fixture.turn('a', 1, review(a)).end('a');
    expect(fixture.sent('refresh_issues').find(({ ids }) => ids.includes('b'))?.ids).toEqual(['b', 'c']);
    return fixture;
  };
  const answered = (of: ReturnType<typeof current>): SchedulerFixture =>
    looking().refresh({ b: current(b), c: of });

  it('starts the next in line without a look of its own for a moment, and no later', () => {
    const soon = answered(current(c)).advance(2_000);
    expect(soon.turn('b', 1, review(b)).end('b').started).toEqual(['c']);
    const later = answered(current(c)).advance(2_001);
    later.turn('b', 1, review(b)).end('b');
    expect([later.started, later.phase('c')]).toEqual([[], 'checking']);
  });

  it('starts it as it was told of, and not at all when it has left', () => {
    const renamed = answered(current({ ...c, title: 'Another title' }));
    renamed.turn('b', 1, review(b)).end('b');
    expect(renamed.run('c').issue.title).toBe('Another title');
    const gone = answered(current({ ...c, state: 'Done' }));
    gone.turn('b', 1, review(b)).end('b');
    expect([gone.started, gone.phase('d')]).toEqual([[], 'checking']);
  });

  it('looks again after a listing, and when nothing was told', () => {
    const listed = answered(current(c)).poll([b], [b, c, d]);
    listed.turn('b', 1, review(b)).end('b');
    expect(listed.phase('c')).toBe('checking');
    const unread = answered(unknown);
    unread.turn('b', 1, review(b)).end('b');
    expect(unread.phase('c')).toBe('checking');
  });
});
