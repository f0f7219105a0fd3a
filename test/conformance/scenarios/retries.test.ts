import { describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../src/domain/run-outcome.ts';
import type { RetryingClaim } from '../../../src/scheduler/core/state.ts';
import { absent, current, makeIssue, SchedulerFixture, unknown } from '../../fakes/scheduler-fixture.ts';

const a = makeIssue('a');
const failed: RunEnd = { kind: 'failed', code: 'port_exit', message: 'the agent exited with code 3' };
const running = (options = {}): SchedulerFixture => new SchedulerFixture(options).start().list(a);

function retryOf(fixture: SchedulerFixture, id = 'a'): RetryingClaim {
  const claim = fixture.state.claims.get(id);
  if (claim?.phase !== 'retrying') throw new Error(`${id} is ${claim?.phase}`);
  return claim;
}

/** Lets the retry's timer fire. */
function fire(fixture: SchedulerFixture, id = 'a'): SchedulerFixture {
  fixture.now = Math.max(fixture.now, retryOf(fixture, id).dueAt);
  return fixture.send({ type: 'timer_fired', key: `retry:${id}` });
}

describe('the end of a run', () => {
  it('normal: entry gone, runtime added, continuation in one second with attempt 1 (R-7.1-d, R-7.1-j, R-7.3-b, R-16.6-a, R-16.6-b, R-17.4-h, R-18.1-m)', () => {
    const fixture = running().advance(90_000).turn('a', 1, current(a));
    fixture.end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(fixture.state.live.size).toBe(0);
    expect(fixture.state.totals.runtimeMs).toBe(90_000);
    expect(retryOf(fixture)).toMatchObject({ kind: 'continuation', attempt: 1, dueAt: fixture.now + 1_000 });
    fire(fixture).refresh({ a: current(a) });
    expect(fixture.started).toEqual(['a']);
  });

  it('other: entry gone, runtime added, the next attempt with the reason (R-7.3-c, R-16.6-a, R-16.6-c, R-14.2-b, R-2.1-e)', () => {
    const fixture = running().advance(5_000).end('a', failed);
    expect(fixture.state.live.size).toBe(0);
    expect(fixture.state.totals.runtimeMs).toBe(5_000);
    expect(retryOf(fixture)).toMatchObject({ kind: 'failure', attempt: 1, error: failed.message });
    fire(fixture)
      .refresh({ a: current(a) })
      .end('a', failed);
    expect(retryOf(fixture)).toMatchObject({ attempt: 2, dueAt: fixture.now + 20_000 });
  });

  it('a run that could not start is a failure with its reason, and the claim is kept (R-16.4-a)', () => {
    const fixture = running().end('a', {
      kind: 'failed',
      code: 'agent_not_found',
      message: 'no such program',
    });
    expect(retryOf(fixture)).toMatchObject({ attempt: 1, error: 'no such program' });
    expect(fixture.poll([a]).started).toEqual([]);
  });

  it('failure n waits 10 s doubled n-1 times, 300 s at most unless told otherwise (R-8.4-d, R-18.1-n)', () => {
    const fixture = running();
    const delays: number[] = [];
    for (let n = 1; n <= 7; n += 1) {
      fixture.end('a', failed);
      delays.push((retryOf(fixture).dueAt - fixture.now) / 1_000);
      fire(fixture).refresh({ a: current(a) });
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('of an issue known to be handed over releases the claim at once, without a continuation (R-16.6-b, R-1-d)', () => {
    const fixture = running()
      .turn('a', 1, current({ ...a, state: 'Human Review' }))
      .end('a');
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.sent('set_timer')).toEqual([]);
    expect(fixture.sent('record_run')[0]?.run.outcome.kind).toBe('delivered');
  });
});

describe('a queued retry', () => {
  it('knows issue, attempt, due time and error, and holds one timer (R-4.1.7-a, R-8.4-b, R-17.4-k)', () => {
    const fixture = running().end('a', failed);
    const dueAt = fixture.now + 10_000;
    expect(retryOf(fixture)).toMatchObject({
      phase: 'retrying',
      issue: a,
      kind: 'failure',
      attempt: 1,
      dueAt,
      error: failed.message,
    });
    expect(fixture.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'retry:a', at: dueAt }]);
  });

  it('is replaced, timer and all, by a newer one of the same issue (R-8.4-a)', () => {
    const fixture = running().end('a', failed);
    fixture.send({ type: 'operator', action: { kind: 'retry', issue: 'a', reset_budget: false, by: 'me' } });
    expect(fixture.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'retry:a', at: fixture.now }]);
    fixture.refresh({ a: current(a) });
    expect(fixture.started).toEqual(['a']);
    expect(fixture.sent('clear_timer')).toContainEqual({ type: 'clear_timer', key: 'retry:a' });
  });

  it('stays claimed until it runs again (R-7.1-b)', () => {
    const fixture = running().end('a', failed);
    expect(fixture.poll([a]).started).toEqual([]);
    expect(fixture.phase('a')).toBe('retrying');
  });
});

describe('a due retry', () => {
  const due = (options = {}): SchedulerFixture => fire(running(options).end('a', failed));

  it('reads its issue by id before anything else (R-8.4-e, R-7.3-e, R-11.1-h)', () => {
    const fixture = due();
    expect(fixture.sent('refresh_issues').map(({ ids }) => ids)).toEqual([['a']]);
    expect(fixture.started).toEqual([]);
  });

  it('whose issue is gone releases the claim (R-8.4-f, R-16.6-g, R-7.1-c)', () => {
    const fixture = due().insist({ a: absent });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.published('released')).toEqual(['the issue is no longer in the tracker']);
  });

  it('whose issue is terminal cleans its workspace and releases the claim (R-8.4-g, R-8.4-k, R-7.1-c, R-16.6-h)', () => {
    const done = { ...a, state: 'Done' };
    const fixture = due().refresh({ a: current(done) });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.refresh({ a: current(done) }).sent('remove_workspace')).toHaveLength(1);
  });

  it.each([
    ['inactive', { state: 'Backlog' }, 'state Backlog is not active'],
    ['unroutable', { dispatchable: false, undispatchableReason: 'blocked by B' }, 'blocked by B'],
  ])(
    'whose issue is %s releases the claim and keeps the workspace (R-8.4-j, R-16.6-h, R-7.1-c)',
    (_name, fields, why) => {
      const fixture = due().refresh({ a: current({ ...a, ...fields }) });
      expect(fixture.phase('a')).toBeNull();
      expect(fixture.published('released')).toEqual([why]);
      expect(fixture.state.cleaning.size).toBe(0);
      expect(fixture.started).toEqual([]);
    },
  );

  it('with a slot is dispatched with its attempt, zeroed, and its entry is gone (R-8.4-h, R-16.6-j, R-16.4-b)', () => {
    const fixture = due().refresh({ a: current(a) });
    expect(fixture.sent('start_run')[0]?.run).toMatchObject({ attempt: 1, retryKind: 'failure' });
    expect(fixture.run('a')).toMatchObject({
      attempt: 1,
      startedAt: fixture.now,
      sessionId: null,
      turnsStarted: 0,
      lastAgentEventAt: null,
      usage: { totalTokens: 0 },
    });
    expect(fixture.activity.view.of(fixture.run('a').runId).lastEvent).toBeNull();
    expect(fixture.state.claims.get('a')).toEqual({ phase: 'running', runId: fixture.run('a').runId });
  });

  it('without a slot waits with its attempt and takes the first that frees (R-8.4-i, R-16.6-i, R-17.4-m)', () => {
    const b = makeIssue('b');
    const fixture = running({ maxConcurrentAgents: 1 }).end('a', failed);
    fixture.poll([a], [a, b]);
    expect(fixture.started).toEqual(['b']);
    expect(fire(fixture).sent('refresh_issues')).toEqual([]);
    expect(retryOf(fixture)).toMatchObject({ attempt: 1, error: failed.message });
    fixture.turn('b', 1, current({ ...b, state: 'Human Review' })).end('b');
    expect(fixture.refresh({ a: current(a) }).sent('start_run')[0]?.run).toMatchObject({ attempt: 1 });
  });

  it('that cannot be read keeps its attempt, says so and looks again after the interval (R-16.6-f)', () => {
    const fixture = due({ pollIntervalMs: 20_000 }).refresh({ a: unknown });
    expect(retryOf(fixture)).toMatchObject({ attempt: 1, error: 'retry refresh failed: timeout' });
    expect(retryOf(fixture).dueAt).toBe(fixture.now + 20_000);
    expect(fire(fixture).failRefresh('HTTP 500').phase('a')).toBe('retrying');
    expect(fire(fixture).refresh({ a: current(a) }).started).toEqual(['a']);
  });

  it('a timer whose retry is no longer there does nothing (R-16.6-e)', () => {
    const fixture = due().refresh({ a: absent });
    const before = fixture.state;
    fixture.send({ type: 'timer_fired', key: 'retry:a' });
    expect(fixture.commands).toEqual([]);
    expect(fixture.state.claims).toEqual(before.claims);
  });
});

describe('an issue over its life', () => {
  it('is unclaimed, checked, running, waiting, released (R-7.1-a)', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start();
    expect(fixture.phase('a')).toBeNull();
    fixture.list(a);
    expect(fixture.phase('a')).toBe('running');
    fixture.end('a', failed);
    expect(fixture.phase('a')).toBe('retrying');
    expect(fire(fixture).phase('a')).toBe('checking');
    expect(fixture.refresh({ a: current({ ...a, state: 'Backlog' }) }).phase('a')).toBeNull();
  });

  it('is held, claimed without a slot, while only a person can help (R-7.1-b)', () => {
    const fixture = running({ maxConcurrentAgents: 1 });
    fixture.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    expect(fixture.phase('a')).toBe('blocked');
    expect(fixture.poll([a], [a, makeIssue('b')]).started).toEqual(['b']);
  });

  it('that completed a run is dispatched again while it is active (R-4.1.8-b, R-7.1-d)', () => {
    const fixture = running().turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    for (let n = 0; n < 3; n += 1) {
      fire(fixture).refresh({ a: current(a) });
      expect(fixture.started).toEqual(['a']);
      fixture.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    }
  });
});
