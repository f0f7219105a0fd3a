import { describe, expect, it } from 'vitest';
import { current, makeBudgets, makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { ClockMove } from '../core/events.ts';
import type { IssueRecord, RetryingClaim } from '../core/state.ts';

const a = makeIssue('a');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const JUMPS = [HOUR, -HOUR, 24 * HOUR, -24 * HOUR];

/** The worker as it is `ms` later by the wall clock, told what of it was a jump and what a pause. */
function move(fixture: SchedulerFixture, { jumpMs = 0, pausedMs = 0 }: Partial<ClockMove>): SchedulerFixture {
  return fixture.advance(jumpMs + pausedMs).send({ type: 'clock_moved', jumpMs, pausedMs });
}

function running(): SchedulerFixture {
  const budgets = makeBudgets({ issue: { runtimeMs: 15 * MINUTE }, run: { runtimeMs: 15 * MINUTE } });
  const fixture = new SchedulerFixture({ budgets, stallTimeoutMs: 5 * MINUTE }).start().list(a);
  const session = { type: 'session_started', sessionId: 's', pid: 1, model: null, resumed: false } as const;
  return fixture.agent('a', session).advance(MINUTE);
}

function waiting(): SchedulerFixture {
  return running().end('a', { kind: 'failed', code: 'x', message: 'broke' });
}

function retryOf(fixture: SchedulerFixture): RetryingClaim {
  const claim = fixture.state.claims.get('a');
  if (claim?.phase !== 'retrying') throw new Error('a does not wait');
  return claim;
}

function recordOf(fixture: SchedulerFixture): IssueRecord {
  const record = fixture.state.records.get('a');
  if (record === undefined) throw new Error('nothing is remembered of a');
  return record;
}

describe('a live run', () => {
  it.each(JUMPS)('a clock that is set by %i ms ends nobody and costs nothing', (jumpMs) => {
    const fixture = move(running(), { jumpMs }).send({ type: 'poll_requested' });
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(recordOf(fixture).runtimeMs).toBe(MINUTE);
    fixture
      .refresh({ a: current(a) })
      .list(a)
      .advance(MINUTE)
      .end('a');
    expect(recordOf(fixture)).toMatchObject({ runtimeMs: 2 * MINUTE, lifetime: { runtimeMs: 2 * MINUTE } });
    expect(fixture.state.totals.runtimeMs).toBe(2 * MINUTE);
    const { startedAt = 0, endedAt = 0 } = fixture.sent('record_run')[0]?.run ?? {};
    expect(endedAt - startedAt).toBe(2 * MINUTE);
  });

  it.each([10_000, HOUR])('a pause of %i ms is nobody’s: neither silence nor agent time', (pausedMs) => {
    const fixture = move(running(), { pausedMs }).send({ type: 'poll_requested' });
    expect(fixture.sent('stop_run')).toEqual([]);
    fixture
      .refresh({ a: current(a) })
      .list(a)
      .advance(MINUTE)
      .end('a');
    expect(recordOf(fixture)).toMatchObject({ runtimeMs: 2 * MINUTE, lifetime: { runtimeMs: 2 * MINUTE } });
    expect(fixture.state.totals.runtimeMs).toBe(2 * MINUTE);
    expect(fixture.sent('record_run')[0]?.run).toMatchObject({ pausedMs });
  });

  it('is still ended for a silence that did pass', () => {
    const fixture = move(running(), { pausedMs: HOUR, jumpMs: -HOUR });
    fixture
      .refresh({ a: current(a) })
      .list(a)
      .advance(4 * MINUTE + 1);
    expect(fixture.send({ type: 'poll_requested' }).sent('stop_run')[0]?.reason).toEqual({
      kind: 'stalled',
      silentMs: 5 * MINUTE + 1,
    });
  });
});

describe('a wait', () => {
  it.each(JUMPS)('keeps its length when the clock is set by %i ms, also across a restart', (jumpMs) => {
    const fixture = move(waiting(), { jumpMs });
    expect(retryOf(fixture).dueAt).toBe(fixture.now + 10_000);
    expect(fixture.sent('set_timer')).toContainEqual({
      type: 'set_timer',
      key: 'retry:a',
      at: fixture.now + 10_000,
    });
    const again = new SchedulerFixture();
    again.now = fixture.now;
    again.start([recordOf(fixture)]);
    expect(retryOf(again).dueAt).toBe(again.now + 10_000);
  });

  it('a clock that was set back while the worker was down makes nobody wait longer than was meant', () => {
    const record = recordOf(waiting());
    const again = new SchedulerFixture();
    again.now = 1_000_000 - HOUR;
    again.start([record]);
    expect(retryOf(again).dueAt).toBe(again.now + 10_000);
    const { claim } = record;
    if (claim?.phase !== 'retrying') throw new Error('a does not wait');
    const { delayMs: _untold, ...old } = claim;
    const older = new SchedulerFixture();
    older.now = 1_000_000 - HOUR;
    older.start([{ ...record, claim: old }]);
    expect(retryOf(older).dueAt).toBe(older.now + 10_000);
  });

  it('what came due while the machine slept is due', () => {
    const fixture = move(waiting(), { pausedMs: HOUR });
    expect(fixture.phase('a')).toBe('checking');
    expect(fixture.sent('refresh_issues').map(({ ids }) => ids)).toContainEqual(['a']);
  });

  it('for a date that a provider named is never made longer', () => {
    const resetAt = (fixture: SchedulerFixture): number => fixture.now + HOUR;
    for (const jumpMs of JUMPS) {
      const fixture = running();
      fixture.end('a', { kind: 'quota', message: 'limit', resetAt: resetAt(fixture) });
      const { dueAt } = retryOf(fixture);
      move(fixture, { jumpMs });
      if (fixture.phase('a') === 'retrying')
        expect(retryOf(fixture).dueAt).toBe(Math.min(dueAt, dueAt + jumpMs));
      else expect(fixture.now).toBeGreaterThanOrEqual(dueAt);
    }
  });
});

describe('what is told', () => {
  it('one line says how long the machine slept, or how the clock was set', () => {
    expect(move(running(), { pausedMs: 42 * MINUTE }).published('clock_moved')).toEqual([
      'the machine slept or stood still for 42 min; no agent is charged for it or counted as silent',
    ]);
    expect(move(running(), { jumpMs: -HOUR }).published('clock_moved')).toEqual([
      'the clock was set back by 60 min; waits and limits keep their length',
    ]);
    expect(move(waiting(), { jumpMs: 25 * HOUR }).published('clock_moved')).toEqual([
      'the clock was set forward by 25 h 0 min; waits and limits keep their length',
    ]);
  });

  it('a moment is not worth a line', () => {
    expect(move(running(), { pausedMs: 1_200 }).published('clock_moved')).toEqual([]);
  });
});
