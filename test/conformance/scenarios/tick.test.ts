import { describe, expect, it } from 'vitest';
import { LiveActivity } from '../../../src/orchestrator/runs/live-activity.ts';
import { initialState } from '../../../src/scheduler/core/initial-state.ts';
import { current, makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';

const a = makeIssue('a');
const tick = (fixture: SchedulerFixture): SchedulerFixture =>
  fixture.send({ type: 'timer_fired', key: 'tick' });
const nextTick = (fixture: SchedulerFixture): number | undefined =>
  fixture.sent('set_timer').find(({ key }) => key === 'tick')?.at;

describe('the beginning', () => {
  it('nothing is running, claimed, waiting or counted, and no limits are known (R-16.1-b)', () => {
    const state = initialState('boot');
    for (const kept of [state.live, state.claims, state.records, state.candidates]) expect(kept.size).toBe(0);
    expect(state.totals).toEqual({
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      runtimeMs: 0,
      costUsd: 0,
    });
    expect(new LiveActivity().view.rateLimits).toBeNull();
  });

  it('sweeps workspaces and ticks at once, then after each interval (R-8.1-a, R-16.1-a, R-2.1-a)', () => {
    const fixture = new SchedulerFixture({ pollIntervalMs: 7_000 });
    fixture.send({ type: 'started', records: [], workspaces: [{ issueId: 'old', identifier: 'OLD' }] });
    const kinds = fixture.commands.map(({ type }) => type);
    expect(kinds.indexOf('refresh_issues')).toBeLessThan(kinds.indexOf('list_candidates'));
    expect(fixture.sent('refresh_issues')[0]?.ids).toEqual(['old']);
    for (let n = 0; n < 3; n += 1) {
      fixture.list();
      expect(nextTick(fixture)).toBe(fixture.now + 7_000);
      tick(fixture.advance(7_000));
      expect(fixture.sent('list_candidates')).toHaveLength(1);
    }
  });
});

describe('a tick', () => {
  it('reconciles, then checks, lists and dispatches (R-7.3-a, R-7.4-c, R-8.1-c, R-8.5-a, R-8.5-e, R-16.2-a)', () => {
    const [b, c] = [makeIssue('b'), makeIssue('c')];
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 3 }).start().list(a, b);
    tick(fixture.advance(30_000));
    expect(fixture.sent('refresh_issues').map(({ ids }) => [...ids].sort())).toEqual([['a', 'b']]);
    expect(fixture.sent('list_candidates')).toEqual([]);
    fixture.refresh({ a: current(a), b: current(b) });
    expect(fixture.sent('list_candidates')).toEqual([
      { type: 'list_candidates', states: ['Todo', 'In Progress'] },
    ]);
    expect(fixture.list(a, b, c).started).toEqual(['c']);
  });

  it('looks for stalled runs before it asks the tracker (R-16.3-a)', () => {
    const fixture = new SchedulerFixture({ stallTimeoutMs: 1_000 }).start().list(a);
    fixture.agent('a', { type: 'activity', kind: 'message', text: 'hello' }).advance(30_000);
    const kinds = tick(fixture).commands.map(({ type }) => type);
    expect(kinds.indexOf('stop_run')).toBeGreaterThan(-1);
    expect(kinds.indexOf('stop_run')).toBeLessThan(kinds.indexOf('refresh_issues'));
  });

  it('with a failing check reconciles, says so, dispatches nothing and comes again (R-6.3-c, R-6.3-d, R-8.1-d, R-14.2-a, R-16.2-a, R-17.6-a)', () => {
    const fixture = new SchedulerFixture().start().list(a);
    fixture.settings = { ...fixture.settings, preflightErrors: ['tracker.kind is not supported'] };
    tick(fixture.advance(30_000)).refresh({ a: current({ ...a, state: 'Done' }) });
    expect(fixture.sent('stop_run')).toHaveLength(1);
    expect(fixture.sent('list_candidates')).toEqual([]);
    expect(fixture.published('dispatch_preflight_failed')).toEqual(['tracker.kind is not supported']);
    expect(nextTick(fixture)).toBe(fixture.now + 30_000);
    fixture.settings = { ...fixture.settings, preflightErrors: [] };
    tick(fixture.advance(30_000)).refresh({ a: current(a) });
    expect(fixture.list(a, makeIssue('b')).started).toEqual(['b']);
  });

  it('whose listing failed says so, starts nothing and comes again (R-11.4-d, R-14.2-c, R-16.2-a, R-16.2-c)', () => {
    const fixture = new SchedulerFixture().start();
    fixture.send({ type: 'candidates_failed', failure: { message: 'HTTP 502', retryAfterMs: null } });
    expect(fixture.started).toEqual([]);
    expect(fixture.published('tracker_poll_failed')).toEqual(['HTTP 502']);
    expect(fixture.state.lastPoll).toMatchObject({ ok: false, error: 'HTTP 502' });
    expect(nextTick(fixture)).toBe(fixture.now + 30_000);
    expect(tick(fixture.advance(30_000)).list(a).started).toEqual(['a']);
  });

  it('whose refresh failed keeps every run and goes on to dispatch (R-11.4-e, R-14.2-d, R-16.3-c)', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 3 }).start().list(a);
    tick(fixture.advance(30_000)).failRefresh();
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(fixture.list(a, makeIssue('b')).started).toEqual(['b']);
    expect(fixture.phase('a')).toBe('running');
  });

  it('with nothing claimed asks for no issue by id (R-16.3-b, R-17.4-g)', () => {
    const fixture = new SchedulerFixture().start().list();
    expect(tick(fixture.advance(30_000)).sent('refresh_issues')).toEqual([]);
  });

  it('only the scheduler’s own events change its state: a wrong answer is ignored (R-7-a)', () => {
    const fixture = new SchedulerFixture().start().list(a);
    const before = fixture.state;
    fixture.send({ type: 'candidates_listed', issues: [makeIssue('late')] });
    fixture.send({ type: 'issues_refreshed', requestId: 'nobody', outcomes: new Map() });
    fixture.send({ type: 'turn_ended', runId: 'nobody', turn: 1, evidence: null });
    expect(fixture.commands).toEqual([]);
    expect(fixture.state.claims).toEqual(before.claims);
    expect(fixture.state.live).toEqual(before.live);
  });
});

describe('settings that change', () => {
  it('interval, limit, states and labels hold from the next tick on (R-5.3.2-b, R-5.3.5-a, R-6.2-c, R-6.2-d, R-8.1-b)', () => {
    const b = makeIssue('b', { state: 'Open', labels: ['ready'] });
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a);
    fixture.settings = {
      ...fixture.settings,
      pollIntervalMs: 5_000,
      maxConcurrentAgents: 2,
      activeStates: ['Open'],
      activeSet: new Set(['open']),
      terminalSet: new Set(['todo']),
      requiredLabels: ['ready'],
    };
    fixture.send({ type: 'config_changed' });
    fixture.refresh({ a: current(a) });
    expect(fixture.sent('stop_run')[0]?.reason).toEqual({ kind: 'terminal', state: 'Todo' });
    expect(fixture.sent('list_candidates')).toEqual([{ type: 'list_candidates', states: ['Open'] }]);
    expect(fixture.list(b, makeIssue('c', { state: 'Open' })).started).toEqual(['b']);
    expect(nextTick(fixture)).toBe(fixture.now + 5_000);
  });

  it('the back-off cap holds for the next retry (R-5.3.5-c, R-6.2-d)', () => {
    const fixture = new SchedulerFixture().start().list(a);
    fixture.settings = { ...fixture.settings, maxRetryBackoffMs: 4_000 };
    fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' });
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'retrying', dueAt: fixture.now + 4_000 });
  });
});
