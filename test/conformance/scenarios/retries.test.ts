import { describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../src/domain/run-outcome.ts';
import type { RetryingClaim } from '../../../src/scheduler/core/state.ts';
import { absent, current, makeIssue, SchedulerFixture, unknown } from '../../fakes/scheduler-fixture.ts';

const a = makeIssue('a');
const failed: RunEnd = { kind: 'failed', code: 'port_exit', message: 'the agent exited with code 3' };
const running = (options = {}): SchedulerFixture => new SchedulerFixture(options).start().list(a);

function retryOf(driver: SchedulerFixture, id = 'a'): RetryingClaim {
  const claim = driver.state.claims.get(id);
  if (claim?.phase !== 'retrying') throw new Error(`${id} is ${claim?.phase}`);
  return claim;
}

/** Lets the retry's timer fire. */
function fire(driver: SchedulerFixture, id = 'a'): SchedulerFixture {
  driver.now = Math.max(driver.now, retryOf(driver, id).dueAt);
  return driver.send({ type: 'timer_fired', key: `retry:${id}` });
}

describe('the end of a run', () => {
  it('normal: entry gone, runtime added, continuation in one second with attempt 1 (R-7.1-d, R-7.1-j, R-7.3-b, R-16.6-a, R-16.6-b, R-17.4-h, R-18.1-m)', () => {
    const driver = running().advance(90_000).turn('a', 1, current(a));
    driver.end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(driver.state.live.size).toBe(0);
    expect(driver.state.totals.runtimeMs).toBe(90_000);
    expect(retryOf(driver)).toMatchObject({ kind: 'continuation', attempt: 1, dueAt: driver.now + 1_000 });
    fire(driver).refresh({ a: current(a) });
    expect(driver.started).toEqual(['a']);
  });

  it('other: entry gone, runtime added, the next attempt with the reason (R-7.3-c, R-16.6-a, R-16.6-c, R-14.2-b, R-2.1-e)', () => {
    const driver = running().advance(5_000).end('a', failed);
    expect(driver.state.live.size).toBe(0);
    expect(driver.state.totals.runtimeMs).toBe(5_000);
    expect(retryOf(driver)).toMatchObject({ kind: 'failure', attempt: 1, error: failed.message });
    fire(driver)
      .refresh({ a: current(a) })
      .end('a', failed);
    expect(retryOf(driver)).toMatchObject({ attempt: 2, dueAt: driver.now + 20_000 });
  });

  it('a run that could not start is a failure with its reason, and the claim is kept (R-16.4-a)', () => {
    const driver = running().end('a', {
      kind: 'failed',
      code: 'agent_not_found',
      message: 'no such program',
    });
    expect(retryOf(driver)).toMatchObject({ attempt: 1, error: 'no such program' });
    expect(driver.poll([a]).started).toEqual([]);
  });

  it('failure n waits 10 s doubled n-1 times, 300 s at most unless told otherwise (R-8.4-d, R-18.1-n)', () => {
    const driver = running();
    const delays: number[] = [];
    for (let n = 1; n <= 7; n += 1) {
      driver.end('a', failed);
      delays.push((retryOf(driver).dueAt - driver.now) / 1_000);
      fire(driver).refresh({ a: current(a) });
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('of an issue known to be handed over releases the claim at once, without a continuation (R-16.6-b, R-1-d)', () => {
    const driver = running()
      .turn('a', 1, current({ ...a, state: 'Human Review' }))
      .end('a');
    expect(driver.phase('a')).toBeNull();
    expect(driver.sent('set_timer')).toEqual([]);
    expect(driver.sent('record_run')[0]?.run.outcome.kind).toBe('delivered');
  });
});

describe('a queued retry', () => {
  it('knows issue, attempt, due time and error, and holds one timer (R-4.1.7-a, R-8.4-b, R-17.4-k)', () => {
    const driver = running().end('a', failed);
    const dueAt = driver.now + 10_000;
    expect(retryOf(driver)).toMatchObject({
      phase: 'retrying',
      issue: a,
      kind: 'failure',
      attempt: 1,
      dueAt,
      error: failed.message,
    });
    expect(driver.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'retry:a', at: dueAt }]);
  });

  it('is replaced, timer and all, by a newer one of the same issue (R-8.4-a)', () => {
    const driver = running().end('a', failed);
    driver.send({ type: 'operator', action: { kind: 'retry', issue: 'a', reset_budget: false, by: 'me' } });
    expect(driver.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'retry:a', at: driver.now }]);
    driver.refresh({ a: current(a) });
    expect(driver.started).toEqual(['a']);
    expect(driver.sent('clear_timer')).toContainEqual({ type: 'clear_timer', key: 'retry:a' });
  });

  it('stays claimed until it runs again (R-7.1-b)', () => {
    const driver = running().end('a', failed);
    expect(driver.poll([a]).started).toEqual([]);
    expect(driver.phase('a')).toBe('retrying');
  });
});

describe('a due retry', () => {
  const due = (options = {}): SchedulerFixture => fire(running(options).end('a', failed));

  it('reads its issue by id before anything else (R-8.4-e, R-7.3-e, R-11.1-h)', () => {
    const driver = due();
    expect(driver.sent('refresh_issues').map(({ ids }) => ids)).toEqual([['a']]);
    expect(driver.started).toEqual([]);
  });

  it('whose issue is gone releases the claim (R-8.4-f, R-16.6-g, R-7.1-c)', () => {
    const driver = due().refresh({ a: absent });
    expect(driver.phase('a')).toBeNull();
    expect(driver.published('released')).toEqual(['the issue is no longer in the tracker']);
  });

  it('whose issue is terminal cleans its workspace and releases the claim (R-8.4-g, R-8.4-k, R-7.1-c, R-16.6-h)', () => {
    const done = { ...a, state: 'Done' };
    const driver = due().refresh({ a: current(done) });
    expect(driver.phase('a')).toBeNull();
    expect(driver.refresh({ a: current(done) }).sent('remove_workspace')).toHaveLength(1);
  });

  it.each([
    ['inactive', { state: 'Backlog' }, 'state Backlog is not active'],
    ['unroutable', { dispatchable: false, undispatchableReason: 'blocked by B' }, 'blocked by B'],
  ])(
    'whose issue is %s releases the claim and keeps the workspace (R-8.4-j, R-16.6-h, R-7.1-c)',
    (_name, fields, why) => {
      const driver = due().refresh({ a: current({ ...a, ...fields }) });
      expect(driver.phase('a')).toBeNull();
      expect(driver.published('released')).toEqual([why]);
      expect(driver.state.cleaning.size).toBe(0);
      expect(driver.started).toEqual([]);
    },
  );

  it('with a slot is dispatched with its attempt, zeroed, and its entry is gone (R-8.4-h, R-16.6-j, R-16.4-b)', () => {
    const driver = due().refresh({ a: current(a) });
    expect(driver.sent('start_run')[0]?.run).toMatchObject({ attempt: 1, retryKind: 'failure' });
    expect(driver.run('a')).toMatchObject({
      attempt: 1,
      startedAt: driver.now,
      sessionId: null,
      turnsStarted: 0,
      lastAgentEventAt: null,
      usage: { totalTokens: 0 },
    });
    expect(driver.activity.view.of(driver.run('a').runId).lastEvent).toBeNull();
    expect(driver.state.claims.get('a')).toEqual({ phase: 'running', runId: driver.run('a').runId });
  });

  it('without a slot waits with its attempt and takes the first that frees (R-8.4-i, R-16.6-i, R-17.4-m)', () => {
    const b = makeIssue('b');
    const driver = running({ maxConcurrentAgents: 1 }).end('a', failed);
    driver.poll([a], [a, b]);
    expect(driver.started).toEqual(['b']);
    expect(fire(driver).sent('refresh_issues')).toEqual([]);
    expect(retryOf(driver)).toMatchObject({ attempt: 1, error: failed.message });
    driver.turn('b', 1, current({ ...b, state: 'Human Review' })).end('b');
    expect(driver.refresh({ a: current(a) }).sent('start_run')[0]?.run).toMatchObject({ attempt: 1 });
  });

  it('that cannot be read keeps its attempt, says so and looks again after the interval (R-16.6-f)', () => {
    const driver = due({ pollIntervalMs: 20_000 }).refresh({ a: unknown });
    expect(retryOf(driver)).toMatchObject({ attempt: 1, error: 'retry refresh failed: timeout' });
    expect(retryOf(driver).dueAt).toBe(driver.now + 20_000);
    expect(fire(driver).failRefresh('HTTP 500').phase('a')).toBe('retrying');
    expect(fire(driver).refresh({ a: current(a) }).started).toEqual(['a']);
  });

  it('a timer whose retry is no longer there does nothing (R-16.6-e)', () => {
    const driver = due().refresh({ a: absent });
    const before = driver.state;
    driver.send({ type: 'timer_fired', key: 'retry:a' });
    expect(driver.commands).toEqual([]);
    expect(driver.state.claims).toEqual(before.claims);
  });
});

describe('an issue over its life', () => {
  it('is unclaimed, checked, running, waiting, released (R-7.1-a)', () => {
    const driver = new SchedulerFixture({ maxConcurrentAgents: 1 }).start();
    expect(driver.phase('a')).toBeNull();
    driver.list(a);
    expect(driver.phase('a')).toBe('running');
    driver.end('a', failed);
    expect(driver.phase('a')).toBe('retrying');
    expect(fire(driver).phase('a')).toBe('checking');
    expect(driver.refresh({ a: current({ ...a, state: 'Backlog' }) }).phase('a')).toBeNull();
  });

  it('is held, claimed without a slot, while only a person can help (R-7.1-b)', () => {
    const driver = running({ maxConcurrentAgents: 1 });
    driver.end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });
    expect(driver.phase('a')).toBe('blocked');
    expect(driver.poll([a], [a, makeIssue('b')]).started).toEqual(['b']);
  });

  it('that completed a run is dispatched again while it is active (R-4.1.8-b, R-7.1-d)', () => {
    const driver = running().turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    for (let n = 0; n < 3; n += 1) {
      fire(driver).refresh({ a: current(a) });
      expect(driver.started).toEqual(['a']);
      driver.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    }
  });
});
