import { describe, expect, it } from 'vitest';
import type { RefreshOutcome } from '../../../src/domain/issue.ts';
import type { StopReason } from '../../../src/domain/run-outcome.ts';
import { absent, current, makeIssue, SchedulerFixture, unknown } from '../../fakes/scheduler-fixture.ts';

const a = makeIssue('a', { labels: ['ready'] });
const running = (options = {}): SchedulerFixture =>
  new SchedulerFixture({ requiredLabels: ['ready'], ...options }).start().list(a);

/** A tick that learns this about the running issue. */
function learn(fixture: SchedulerFixture, outcome: RefreshOutcome): SchedulerFixture {
  return fixture.advance(30_000).send({ type: 'timer_fired', key: 'tick' }).insist({ a: outcome });
}

/** The run obeys; what follows from that. */
function obey(fixture: SchedulerFixture): SchedulerFixture {
  const reason = fixture.run('a').stopping;
  if (reason === null) throw new Error('the run was not told to stop');
  return fixture.list().end('a', { kind: 'stopped', reason });
}

describe('what a tick learns about a running issue', () => {
  it('terminal: the run is stopped and the workspace cleaned (R-8.5-f, R-7.3-f, R-14.4-b, R-16.3-d, R-17.4-f, R-18.1-o, R-18.1-p)', () => {
    const done = { ...a, state: 'Done' };
    const fixture = learn(running(), current(done));
    expect(fixture.sent('stop_run')[0]?.reason).toEqual({ kind: 'terminal', state: 'Done' });
    obey(fixture).refresh({ a: current(done) });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.sent('remove_workspace')).toEqual([
      { type: 'remove_workspace', issueId: 'a', identifier: 'A' },
    ]);
  });

  it.each<[string, RefreshOutcome, StopReason['kind']]>([
    ['neither active nor terminal', current({ ...a, state: 'Human Review' }), 'inactive'],
    ['active but undispatchable', current({ ...a, dispatchable: false }), 'unroutable'],
    ['active without its label', current({ ...a, labels: [] }), 'unroutable'],
    ['gone from the tracker', absent, 'missing'],
  ])(
    '%s: the run is stopped and the workspace kept (R-2.1-d, R-5.3.1-h, R-7.3-f, R-8.5-h, R-8.5-i, R-14.4-b, R-16.3-d, R-16.3-e, R-17.4-e)',
    (_name, outcome, kind) => {
      const fixture = learn(running(), outcome);
      expect(fixture.sent('stop_run')[0]?.reason.kind).toBe(kind);
      obey(fixture);
      expect(fixture.phase('a')).toBeNull();
      expect(fixture.state.cleaning.size).toBe(0);
      expect(fixture.sent('remove_workspace')).toEqual([]);
    },
  );

  it('active and routable: the run goes on under what is known now (R-8.5-g, R-16.3-d, R-17.4-d)', () => {
    const fixture = learn(running(), current({ ...a, state: 'In Progress', title: 'New title' }));
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(fixture.run('a').issue).toMatchObject({ state: 'In Progress', title: 'New title' });
  });

  it('nothing certain: the run goes on, and the next tick asks again (R-8.5-j, R-11.1-m)', () => {
    const fixture = learn(running(), unknown);
    expect(fixture.sent('stop_run')).toEqual([]);
    fixture.list(a);
    fixture.advance(30_000).send({ type: 'timer_fired', key: 'tick' });
    expect(fixture.sent('refresh_issues')[0]?.ids).toEqual(['a']);
    expect(fixture.refresh({ a: current({ ...a, state: 'Done' }) }).sent('stop_run')).toHaveLength(1);
  });

  it('the agent handed it over itself: it may end its turn, for a minute (R-8.5-i)', () => {
    const review = { ...a, state: 'Human Review' };
    const fixture = running().advance(1_000);
    const effect = { kind: 'state_changed', from: 'Todo', to: 'Human Review' } as const;
    fixture.send({ type: 'tool_finished', runId: fixture.run('a').runId, effect });
    expect(learn(fixture, current(review)).sent('stop_run')).toEqual([]);
    fixture.list();
    expect(learn(fixture.advance(31_000), current(review)).sent('stop_run')[0]?.reason.kind).toBe('inactive');
  });
});

describe('silence', () => {
  const silent = (stallTimeoutMs: number, ms: number): SchedulerFixture => {
    const fixture = running({ stallTimeoutMs });
    fixture.agent('a', { type: 'activity', kind: 'message', text: 'hello' }).advance(ms);
    return fixture.send({ type: 'timer_fired', key: 'tick' });
  };

  it('beyond the limit ends the run and queues a retry (R-7.3-g, R-8.5-c, R-10.6-c, R-17.4-l)', () => {
    const fixture = silent(60_000, 60_001);
    expect(fixture.sent('stop_run')[0]?.reason).toEqual({ kind: 'stalled', silentMs: 60_001 });
    obey(fixture.refresh({ a: current(a) }));
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'retrying', kind: 'failure', attempt: 1 });
  });

  it('of exactly the limit is not too long (R-8.5-c)', () => {
    expect(silent(60_000, 60_000).sent('stop_run')).toEqual([]);
  });

  it.each([0, -1])('does not matter with a limit of %i (R-5.3.6-f, R-8.5-d)', (limit) => {
    expect(silent(limit, 86_400_000).sent('stop_run')).toEqual([]);
  });

  it('counts from the last word of the agent (R-8.5-b)', () => {
    const fixture = silent(60_000, 50_000);
    fixture.refresh({ a: current(a) }).list(a);
    fixture.agent('a', { type: 'notification', name: 'still there' }).advance(50_000);
    expect(fixture.send({ type: 'timer_fired', key: 'tick' }).sent('stop_run')).toEqual([]);
  });

  it('before the agent has started is preparation, not silence (R-8.5-b)', () => {
    const fixture = running({ stallTimeoutMs: 60_000 });
    fixture.event('a', { type: 'phase', phase: 'PreparingWorkspace', detail: 'cloning' }).advance(3_600_000);
    expect(fixture.send({ type: 'timer_fired', key: 'tick' }).sent('stop_run')).toEqual([]);
  });
});

describe('workspaces of finished issues', () => {
  const done = { ...a, state: 'Done' };
  const onDisk = (): SchedulerFixture => {
    const fixture = new SchedulerFixture({ requiredLabels: ['ready'] });
    return fixture.send({ type: 'started', records: [], workspaces: [{ issueId: 'a', identifier: 'A' }] });
  };
  const answerSweep = (fixture: SchedulerFixture, outcome: RefreshOutcome): SchedulerFixture => {
    const [sweep] = [...fixture.state.pending].find(([, { purpose }]) => purpose.kind === 'sweep') ?? [''];
    return fixture.send({ type: 'issues_refreshed', requestId: sweep, outcomes: new Map([['a', outcome]]) });
  };

  it('go at start-up (R-7.4-e, R-8.4-k, R-8.6-a, R-18.1-p)', () => {
    expect(answerSweep(onDisk(), current(done)).sent('remove_workspace')).toHaveLength(1);
  });

  it.each([
    ['active', current(a)],
    ['inactive', current({ ...a, state: 'Backlog' })],
    ['gone', absent],
    ['unknown', unknown],
  ])('stay at start-up when the issue is %s (R-8.6-a)', (_name, outcome) => {
    expect(answerSweep(onDisk(), outcome).sent('remove_workspace')).toEqual([]);
  });

  it('go later, too, when an issue nobody works on becomes terminal, after a fresh look (R-8.4-k)', () => {
    const fixture = running()
      .turn('a', 1, current({ ...a, state: 'Human Review' }))
      .end('a');
    fixture.send({ type: 'poll_requested' }).refresh({ a: current(done) });
    expect(fixture.sent('remove_workspace')).toEqual([]);
    fixture.refresh({ a: current(done) });
    expect(fixture.sent('remove_workspace')).toHaveLength(1);
  });

  it.each([
    ['active again', current(a)],
    ['gone', absent],
  ])('stay when the fresh look finds the issue %s (R-8.4-k)', (_name, outcome) => {
    const fixture = learn(running(), current(done));
    obey(fixture).refresh({ a: outcome });
    expect(fixture.sent('remove_workspace')).toEqual([]);
    expect(fixture.state.cleaning.size).toBe(0);
  });
});
