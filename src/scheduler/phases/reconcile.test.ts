import { describe, expect, it } from 'vitest';
import {
  absent,
  current,
  makeBudgets,
  makeIssue,
  SchedulerFixture,
  unknown,
} from '../../../test/fakes/scheduler-fixture.ts';

const a = makeIssue('a');
const running = (options = {}): SchedulerFixture => new SchedulerFixture(options).start().list(a);

function reconcile(fixture: SchedulerFixture, outcome = current(a)): SchedulerFixture {
  fixture.send({ type: 'poll_requested' });
  return fixture.insist({ a: outcome });
}

describe('reconciliation of live runs', () => {
  it.each([
    ['terminal', { ...a, state: 'Done' }, 'terminal'],
    ['neither active nor terminal', { ...a, state: 'Some New Column' }, 'inactive'],
    ['active but unroutable', { ...a, dispatchable: false }, 'unroutable'],
  ])('stops a run whose issue is %s (R-8.5-f, R-8.5-h, R-8.5-i)', (_name, issue, reason) => {
    const fixture = reconcile(running(), current(issue));
    expect(fixture.sent('stop_run')[0]?.reason.kind).toBe(reason);
    expect(fixture.phase('a')).toBe('running');
  });

  it('a missing issue stops the run and keeps the workspace (R-16.3-e)', () => {
    const fixture = reconcile(running(), absent);
    expect(fixture.sent('stop_run')[0]?.reason.kind).toBe('missing');
    fixture.list().end('a', { kind: 'stopped', reason: { kind: 'missing' } });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.size).toBe(0);
  });

  it('one answer that lacks an issue stops nothing: it is asked for once more, alone (R-16.3-e)', () => {
    const b = makeIssue('b');
    const fixture = new SchedulerFixture().start().list(a, b).send({ type: 'poll_requested' });
    fixture.refresh({ a: absent, b: absent });
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(fixture.sent('refresh_issues').map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    expect(fixture.sent('list_candidates')).toHaveLength(1);
    const [first, second] = fixture.sent('refresh_issues').map(({ requestId }) => requestId);
    fixture.send({
      type: 'issues_refreshed',
      requestId: first ?? '',
      outcomes: new Map([['a', current(a)]]),
    });
    expect([fixture.sent('stop_run'), fixture.sent('list_candidates')]).toEqual([[], []]);
    fixture.send({ type: 'issues_refreshed', requestId: second ?? '', outcomes: new Map([['b', absent]]) });
    expect(fixture.sent('stop_run')).toMatchObject([
      { runId: fixture.run('b').runId, reason: { kind: 'missing' } },
    ]);
    expect(fixture.phase('a')).toBe('running');
  });

  it('an absence that cannot be confirmed stops nothing', () => {
    const fixture = running().send({ type: 'poll_requested' }).refresh({ a: absent }).failRefresh();
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(fixture.phase('a')).toBe('running');
  });

  it('a late confirmation does not end the poll that has begun meanwhile', () => {
    const fixture = running().send({ type: 'poll_requested' }).refresh({ a: absent });
    const requestId = fixture.sent('refresh_issues')[0]?.requestId ?? '';
    fixture.list().send({ type: 'poll_requested' });
    fixture.send({ type: 'issues_refreshed', requestId, outcomes: new Map([['a', current(a)]]) });
    expect(fixture.state.tick.phase).toBe('refreshing');
  });

  it('unknown and failed refreshes change nothing (R-8.5-j, R-14.2-d)', () => {
    const fixture = reconcile(running(), unknown);
    expect(fixture.sent('stop_run')).toEqual([]);
    expect(fixture.sent('list_candidates')).toHaveLength(1);
    fixture.list(a).send({ type: 'poll_requested' }).failRefresh();
    expect(fixture.sent('stop_run')).toEqual([]);
  });

  it('an active issue updates what the run is known as (R-8.5-g)', () => {
    const fixture = reconcile(running(), current({ ...a, state: 'In Progress', title: 'New' }));
    expect(fixture.run('a').issue).toMatchObject({ state: 'In Progress', title: 'New' });
  });

  it('nothing claimed: no refresh, only the listing (R-16.3-b, R-17.4-g)', () => {
    const fixture = new SchedulerFixture().start();
    expect(fixture.sent('refresh_issues')).toEqual([]);
    expect(fixture.sent('list_candidates')).toEqual([
      { type: 'list_candidates', states: ['Todo', 'In Progress'] },
    ]);
  });

  it('terminal: the workspace goes only after the run ended and the tracker confirmed it once more', () => {
    const done = { ...a, state: 'Done' };
    const fixture = reconcile(running(), current(done)).list();
    expect(fixture.sent('remove_workspace')).toEqual([]);
    fixture.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    expect(fixture.sent('remove_workspace')).toEqual([]);
    fixture.refresh({ a: current(done) });
    expect(fixture.sent('remove_workspace')).toEqual([
      { type: 'remove_workspace', issueId: 'a', identifier: 'A' },
    ]);
    fixture.send({ type: 'workspace_removed', issueId: 'a', error: null });
    expect(fixture.state.held.size).toBe(0);
  });

  it('a reopened issue is not cleaned, and runs again with fresh budgets', () => {
    const fixture = reconcile(
      running({ budgets: makeBudgets({ issue: { turns: 1 } }) }),
      current({ ...a, state: 'Done' }),
    ).list();
    fixture.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    fixture.refresh({ a: current(a) });
    expect(fixture.sent('remove_workspace')).toEqual([]);
    expect(fixture.poll([a]).started).toEqual(['a']);
    expect(fixture.state.records.get('a')).toMatchObject({ turns: 0, lifetime: { runs: 2 } });
  });

  it('cleanup gives up after eight unknown answers and keeps the workspace', () => {
    const fixture = reconcile(running(), current({ ...a, state: 'Done' })).list();
    fixture.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    for (let n = 0; n < 8; n += 1) {
      fixture.refresh({ a: unknown });
      if (n < 7) fixture.send({ type: 'timer_fired', key: 'cleanup:a' });
    }
    expect(fixture.published('workspace_cleanup_failed')).toHaveLength(1);
    expect(fixture.state.cleaning.size).toBe(0);
  });

  it('an agent that handed over itself may end its turn in peace, but not for ever', () => {
    const review = { ...a, state: 'Human Review' };
    const fixture = running();
    const effect = { kind: 'state_changed', from: 'Todo', to: 'Human Review' } as const;
    fixture.send({ type: 'tool_finished', runId: fixture.run('a').runId, effect });
    expect(reconcile(fixture, current(review)).sent('stop_run')).toEqual([]);
    fixture.list().advance(61_000);
    expect(reconcile(fixture, current(review)).sent('stop_run')[0]?.reason.kind).toBe('inactive');
  });

  it('a change seen in the middle of a tool call waits for the call: only then is it known whose it was', () => {
    const review = { ...a, state: 'Human Review' };
    const effect = { kind: 'state_changed', from: 'Todo', to: 'Human Review' } as const;
    const own = running();
    own.send({ type: 'tool_started', runId: own.run('a').runId });
    expect(reconcile(own, current(review)).sent('stop_run')).toEqual([]);
    expect(own.send({ type: 'tool_finished', runId: own.run('a').runId, effect }).sent('stop_run')).toEqual(
      [],
    );
    const foreign = running();
    foreign.send({ type: 'tool_started', runId: foreign.run('a').runId });
    reconcile(foreign, current(review)).send({
      type: 'tool_finished',
      runId: foreign.run('a').runId,
      effect: null,
    });
    expect(foreign.sent('stop_run')[0]?.reason).toEqual({ kind: 'inactive', state: 'Human Review' });
    const stuck = running();
    stuck.send({ type: 'tool_started', runId: stuck.run('a').runId }).advance(31_000);
    expect(reconcile(stuck, current(review)).sent('stop_run')).toHaveLength(1);
  });

  it('a stop is not undone by the run being stopped: the issue stays latched until the stop is cleared', () => {
    const fixture = reconcile(running(), current({ ...a, state: 'Canceled' })).list();
    reconcile(fixture, current(a)).list(a);
    fixture.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Canceled' } });
    const listedAt = fixture.now;
    expect(fixture.poll([a]).started).toEqual([]);
    fixture.advance(1_000).poll([{ ...a, state: 'In Progress' }]);
    const reason = 'active_candidate_after_operator_terminal_stop';
    expect(fixture.state.records.get('a')?.operatorStop).toMatchObject({
      suppressed: 2,
      firstSuppressed: { at: listedAt, state: 'Todo', reason },
    });
    fixture.send({ type: 'operator', action: { kind: 'clear-stop', issue: 'a', by: 'me' } });
    expect(fixture.refresh({ a: current(a) }).started).toEqual(['a']);
  });
});

describe('waiting and blocked claims', () => {
  const blocked = (): SchedulerFixture =>
    running().end('a', { kind: 'input_required', method: 'ask', question: 'Which?' });

  it.each([
    ['terminal', current({ ...a, state: 'Done' }), 1],
    ['inactive', current({ ...a, state: 'Backlog' }), 0],
    ['absent', absent, 0],
  ])('a blocked claim is released when its issue is %s', (_name, outcome, cleanups) => {
    const fixture = reconcile(blocked(), outcome);
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.size).toBe(cleanups);
  });

  it('an operator can retry it', () => {
    const fixture = blocked().send({
      type: 'operator',
      action: { kind: 'retry', issue: 'a', reset_budget: false, by: 'me' },
    });
    expect(fixture.refresh({ a: current(a) }).started).toEqual(['a']);
  });

  it('a raised budget takes a blocked issue up again by itself', () => {
    const fixture = running({ budgets: makeBudgets({ issue: { turns: 1 } }) });
    fixture.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(fixture.phase('a')).toBe('blocked');
    fixture.settings = { ...fixture.settings, budgets: makeBudgets({ issue: { turns: 2 } }) };
    fixture.send({ type: 'config_changed' });
    expect(fixture.phase('a')).toBe('checking');
  });
});

describe('stalls', () => {
  it('silence counts from the agent’s start, strictly over the limit (R-8.5-b, R-8.5-c)', () => {
    const fixture = running({ stallTimeoutMs: 1000 });
    fixture.event('a', { type: 'phase', phase: 'PreparingWorkspace', detail: 'cloning' }).advance(600_000);
    expect(reconcile(fixture).sent('stop_run')).toEqual([]);
    fixture
      .list(a)
      .agent('a', { type: 'session_started', sessionId: 's', pid: 1, model: null, resumed: false });
    expect(reconcile(fixture.advance(1000)).sent('stop_run')).toEqual([]);
    fixture.list(a).advance(1).send({ type: 'poll_requested' });
    expect(fixture.sent('stop_run')[0]?.reason).toEqual({ kind: 'stalled', silentMs: 1001 });
    fixture.refresh({ a: current(a) }).list(a);
    fixture.end('a', { kind: 'stopped', reason: { kind: 'stalled', silentMs: 1001 } });
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'retrying', kind: 'failure', attempt: 1 });
  });

  it('an agent that waits for a tool of the worker is not silent, unless the tool never answers', () => {
    const fixture = running({ stallTimeoutMs: 1000 });
    const runId = fixture.run('a').runId;
    fixture.agent('a', { type: 'turn_started', turn: 1, turnId: null });
    fixture.send({ type: 'tool_started', runId }).advance(119_000);
    expect(reconcile(fixture).sent('stop_run')).toEqual([]);
    fixture.list(a).advance(2_000).send({ type: 'poll_requested' });
    expect(fixture.sent('stop_run')[0]?.reason).toEqual({ kind: 'stalled', silentMs: 121_000 });
  });

  it('0 turns it off (R-8.5-d)', () => {
    const fixture = running({ stallTimeoutMs: 0 });
    fixture.agent('a', { type: 'turn_started', turn: 1, turnId: null }).advance(86_400_000);
    expect(reconcile(fixture).sent('stop_run')).toEqual([]);
  });
});

describe('restart', () => {
  it('restores waits and blocks, and continues an issue whose run was cut off, budgets kept (R-14.3-a, R-16.2-b)', () => {
    const first = running().turn('a', 1, current(a)).end('a', { kind: 'failed', code: 'x', message: 'no' });
    const records = [...first.state.records.values()];
    const second = new SchedulerFixture().start(records);
    expect(second.state.claims.get('a')).toMatchObject({ phase: 'retrying', attempt: 1 });
    expect(second.sent('set_timer')).toContainEqual({
      type: 'set_timer',
      key: 'retry:a',
      at: first.now + 10_000,
    });

    const cut = running().turn('a', 1, current(a));
    const third = new SchedulerFixture()
      .start([...cut.state.records.values()])
      .refresh({ a: current(a) })
      .list(a);
    expect(third.sent('start_run')[0]?.run).toMatchObject({ attempt: 1, retryKind: 'continuation' });
    expect(third.state.records.get('a')).toMatchObject({ turns: 1, runs: 2 });
  });

  it('says so when workspaces are there but nothing is remembered of them', () => {
    const workspaces = [{ issueId: 'a', identifier: 'A' }];
    const fixture = new SchedulerFixture().send({ type: 'started', records: [], workspaces });
    expect(fixture.published('memory_lost')).toHaveLength(1);
    expect(new SchedulerFixture().start().published('memory_lost')).toEqual([]);
  });

  it('workspaces on disk are checked by id; only a definite terminal state removes one (R-8.6-a, D14)', () => {
    const fixture = new SchedulerFixture();
    const workspaces = ['a', 'b', 'c'].map((issueId) => ({ issueId, identifier: issueId.toUpperCase() }));
    fixture.send({ type: 'started', records: [], workspaces });
    const requestId = fixture.sent('refresh_issues')[0]?.requestId ?? '';
    const outcomes = new Map([
      ['a', current({ ...a, state: 'Done' })],
      ['b', unknown],
      ['c', absent],
    ]);
    fixture.send({ type: 'issues_refreshed', requestId, outcomes });
    expect(fixture.sent('remove_workspace').map(({ issueId }) => issueId)).toEqual(['a']);
  });
});

describe('polling', () => {
  it('a request during a poll is coalesced and followed at once; else the interval holds', () => {
    const fixture = new SchedulerFixture()
      .start()
      .send({ type: 'poll_requested' })
      .send({ type: 'poll_requested' });
    expect(fixture.commands).toEqual([]);
    fixture.list();
    expect(fixture.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: fixture.now }]);
    fixture.send({ type: 'timer_fired', key: 'tick' }).list();
    expect(fixture.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: fixture.now + 30_000 }]);
  });

  it('a failed listing keeps the candidates and obeys the tracker’s request to wait (R-11.4-c, R-11.4-d)', () => {
    const fixture = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a, makeIssue('b'));
    fixture.send({ type: 'poll_requested' }).refresh({ a: current(a) });
    fixture.send({ type: 'candidates_failed', failure: { message: '429', retryAfterMs: 90_000 } });
    expect(fixture.state.candidates.size).toBe(2);
    expect(fixture.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: fixture.now + 90_000 }]);
  });
});
