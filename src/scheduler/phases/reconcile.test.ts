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

function reconcile(driver: SchedulerFixture, outcome = current(a)): SchedulerFixture {
  driver.send({ type: 'poll_requested' });
  return driver.insist({ a: outcome });
}

describe('reconciliation of live runs', () => {
  it.each([
    ['terminal', { ...a, state: 'Done' }, 'terminal'],
    ['neither active nor terminal', { ...a, state: 'Some New Column' }, 'inactive'],
    ['active but unroutable', { ...a, dispatchable: false }, 'unroutable'],
  ])('stops a run whose issue is %s (R-8.5-f, R-8.5-h, R-8.5-i)', (_name, issue, reason) => {
    const driver = reconcile(running(), current(issue));
    expect(driver.sent('stop_run')[0]?.reason.kind).toBe(reason);
    expect(driver.phase('a')).toBe('running');
  });

  it('a missing issue stops the run and keeps the workspace (R-16.3-e)', () => {
    const driver = reconcile(running(), absent);
    expect(driver.sent('stop_run')[0]?.reason.kind).toBe('missing');
    driver.list().end('a', { kind: 'stopped', reason: { kind: 'missing' } });
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.cleaning.size).toBe(0);
  });

  it('one answer that lacks an issue stops nothing: it is asked for once more, alone (R-16.3-e)', () => {
    const b = makeIssue('b');
    const driver = new SchedulerFixture().start().list(a, b).send({ type: 'poll_requested' });
    driver.refresh({ a: absent, b: absent });
    expect(driver.sent('stop_run')).toEqual([]);
    expect(driver.sent('refresh_issues').map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    expect(driver.sent('list_candidates')).toHaveLength(1);
    const [first, second] = driver.sent('refresh_issues').map(({ requestId }) => requestId);
    driver.send({ type: 'issues_refreshed', requestId: first ?? '', outcomes: new Map([['a', current(a)]]) });
    expect([driver.sent('stop_run'), driver.sent('list_candidates')]).toEqual([[], []]);
    driver.send({ type: 'issues_refreshed', requestId: second ?? '', outcomes: new Map([['b', absent]]) });
    expect(driver.sent('stop_run')).toMatchObject([
      { runId: driver.run('b').runId, reason: { kind: 'missing' } },
    ]);
    expect(driver.phase('a')).toBe('running');
  });

  it('an absence that cannot be confirmed stops nothing', () => {
    const driver = running().send({ type: 'poll_requested' }).refresh({ a: absent }).failRefresh();
    expect(driver.sent('stop_run')).toEqual([]);
    expect(driver.phase('a')).toBe('running');
  });

  it('a late confirmation does not end the poll that has begun meanwhile', () => {
    const driver = running().send({ type: 'poll_requested' }).refresh({ a: absent });
    const requestId = driver.sent('refresh_issues')[0]?.requestId ?? '';
    driver.list().send({ type: 'poll_requested' });
    driver.send({ type: 'issues_refreshed', requestId, outcomes: new Map([['a', current(a)]]) });
    expect(driver.state.tick.phase).toBe('refreshing');
  });

  it('unknown and failed refreshes change nothing (R-8.5-j, R-14.2-d)', () => {
    const driver = reconcile(running(), unknown);
    expect(driver.sent('stop_run')).toEqual([]);
    expect(driver.sent('list_candidates')).toHaveLength(1);
    driver.list(a).send({ type: 'poll_requested' }).failRefresh();
    expect(driver.sent('stop_run')).toEqual([]);
  });

  it('an active issue updates what the run is known as (R-8.5-g)', () => {
    const driver = reconcile(running(), current({ ...a, state: 'In Progress', title: 'New' }));
    expect(driver.run('a').issue).toMatchObject({ state: 'In Progress', title: 'New' });
  });

  it('nothing claimed: no refresh, only the listing (R-16.3-b, R-17.4-g)', () => {
    const driver = new SchedulerFixture().start();
    expect(driver.sent('refresh_issues')).toEqual([]);
    expect(driver.sent('list_candidates')).toEqual([
      { type: 'list_candidates', states: ['Todo', 'In Progress'] },
    ]);
  });

  it('terminal: the workspace goes only after the run ended and the tracker confirmed it once more', () => {
    const done = { ...a, state: 'Done' };
    const driver = reconcile(running(), current(done)).list();
    expect(driver.sent('remove_workspace')).toEqual([]);
    driver.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    expect(driver.sent('remove_workspace')).toEqual([]);
    driver.refresh({ a: current(done) });
    expect(driver.sent('remove_workspace')).toEqual([
      { type: 'remove_workspace', issueId: 'a', identifier: 'A' },
    ]);
    driver.send({ type: 'workspace_removed', issueId: 'a', error: null });
    expect(driver.state.held.size).toBe(0);
  });

  it('a reopened issue is not cleaned, and runs again with fresh budgets', () => {
    const driver = reconcile(
      running({ budgets: makeBudgets({ issue: { turns: 1 } }) }),
      current({ ...a, state: 'Done' }),
    ).list();
    driver.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    driver.refresh({ a: current(a) });
    expect(driver.sent('remove_workspace')).toEqual([]);
    expect(driver.poll([a]).started).toEqual(['a']);
    expect(driver.state.records.get('a')).toMatchObject({ turns: 0, lifetime: { runs: 2 } });
  });

  it('cleanup gives up after eight unknown answers and keeps the workspace', () => {
    const driver = reconcile(running(), current({ ...a, state: 'Done' })).list();
    driver.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    for (let n = 0; n < 8; n += 1) {
      driver.refresh({ a: unknown });
      if (n < 7) driver.send({ type: 'timer_fired', key: 'cleanup:a' });
    }
    expect(driver.published('workspace_cleanup_failed')).toHaveLength(1);
    expect(driver.state.cleaning.size).toBe(0);
  });

  it('an agent that handed over itself may end its turn in peace, but not for ever', () => {
    const review = { ...a, state: 'Human Review' };
    const driver = running();
    const effect = { kind: 'state_changed', from: 'Todo', to: 'Human Review' } as const;
    driver.send({ type: 'tool_finished', runId: driver.run('a').runId, effect });
    expect(reconcile(driver, current(review)).sent('stop_run')).toEqual([]);
    driver.list().advance(61_000);
    expect(reconcile(driver, current(review)).sent('stop_run')[0]?.reason.kind).toBe('inactive');
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
    const driver = reconcile(running(), current({ ...a, state: 'Canceled' })).list();
    reconcile(driver, current(a)).list(a);
    driver.end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Canceled' } });
    const listedAt = driver.now;
    expect(driver.poll([a]).started).toEqual([]);
    driver.advance(1_000).poll([{ ...a, state: 'In Progress' }]);
    const reason = 'active_candidate_after_operator_terminal_stop';
    expect(driver.state.records.get('a')?.operatorStop).toMatchObject({
      suppressed: 2,
      firstSuppressed: { at: listedAt, state: 'Todo', reason },
    });
    driver.send({ type: 'operator', action: { kind: 'clear-stop', issue: 'a', by: 'me' } });
    expect(driver.refresh({ a: current(a) }).started).toEqual(['a']);
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
    const driver = reconcile(blocked(), outcome);
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.cleaning.size).toBe(cleanups);
  });

  it('an operator can retry it', () => {
    const driver = blocked().send({
      type: 'operator',
      action: { kind: 'retry', issue: 'a', reset_budget: false, by: 'me' },
    });
    expect(driver.refresh({ a: current(a) }).started).toEqual(['a']);
  });

  it('a raised budget takes a blocked issue up again by itself', () => {
    const driver = running({ budgets: makeBudgets({ issue: { turns: 1 } }) });
    driver.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(driver.phase('a')).toBe('blocked');
    driver.settings = { ...driver.settings, budgets: makeBudgets({ issue: { turns: 2 } }) };
    driver.send({ type: 'config_changed' });
    expect(driver.phase('a')).toBe('checking');
  });
});

describe('stalls', () => {
  it('silence counts from the agent’s start, strictly over the limit (R-8.5-b, R-8.5-c)', () => {
    const driver = running({ stallTimeoutMs: 1000 });
    driver.event('a', { type: 'phase', phase: 'PreparingWorkspace', detail: 'cloning' }).advance(600_000);
    expect(reconcile(driver).sent('stop_run')).toEqual([]);
    driver
      .list(a)
      .agent('a', { type: 'session_started', sessionId: 's', pid: 1, model: null, resumed: false });
    expect(reconcile(driver.advance(1000)).sent('stop_run')).toEqual([]);
    driver.list(a).advance(1).send({ type: 'poll_requested' });
    expect(driver.sent('stop_run')[0]?.reason).toEqual({ kind: 'stalled', silentMs: 1001 });
    driver.refresh({ a: current(a) }).list(a);
    driver.end('a', { kind: 'stopped', reason: { kind: 'stalled', silentMs: 1001 } });
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'retrying', kind: 'failure', attempt: 1 });
  });

  it('an agent that waits for a tool of the worker is not silent, unless the tool never answers', () => {
    const driver = running({ stallTimeoutMs: 1000 });
    const runId = driver.run('a').runId;
    driver.agent('a', { type: 'turn_started', turn: 1, turnId: null });
    driver.send({ type: 'tool_started', runId }).advance(119_000);
    expect(reconcile(driver).sent('stop_run')).toEqual([]);
    driver.list(a).advance(2_000).send({ type: 'poll_requested' });
    expect(driver.sent('stop_run')[0]?.reason).toEqual({ kind: 'stalled', silentMs: 121_000 });
  });

  it('0 turns it off (R-8.5-d)', () => {
    const driver = running({ stallTimeoutMs: 0 });
    driver.agent('a', { type: 'turn_started', turn: 1, turnId: null }).advance(86_400_000);
    expect(reconcile(driver).sent('stop_run')).toEqual([]);
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
    const driver = new SchedulerFixture().send({ type: 'started', records: [], workspaces });
    expect(driver.published('memory_lost')).toHaveLength(1);
    expect(new SchedulerFixture().start().published('memory_lost')).toEqual([]);
  });

  it('workspaces on disk are checked by id; only a definite terminal state removes one (R-8.6-a, D14)', () => {
    const driver = new SchedulerFixture();
    const workspaces = ['a', 'b', 'c'].map((issueId) => ({ issueId, identifier: issueId.toUpperCase() }));
    driver.send({ type: 'started', records: [], workspaces });
    const requestId = driver.sent('refresh_issues')[0]?.requestId ?? '';
    const outcomes = new Map([
      ['a', current({ ...a, state: 'Done' })],
      ['b', unknown],
      ['c', absent],
    ]);
    driver.send({ type: 'issues_refreshed', requestId, outcomes });
    expect(driver.sent('remove_workspace').map(({ issueId }) => issueId)).toEqual(['a']);
  });
});

describe('polling', () => {
  it('a request during a poll is coalesced and followed at once; else the interval holds', () => {
    const driver = new SchedulerFixture()
      .start()
      .send({ type: 'poll_requested' })
      .send({ type: 'poll_requested' });
    expect(driver.commands).toEqual([]);
    driver.list();
    expect(driver.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: driver.now }]);
    driver.send({ type: 'timer_fired', key: 'tick' }).list();
    expect(driver.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: driver.now + 30_000 }]);
  });

  it('a failed listing keeps the candidates and obeys the tracker’s wish to wait (R-11.4-c, R-11.4-d)', () => {
    const driver = new SchedulerFixture({ maxConcurrentAgents: 1 }).start().list(a, makeIssue('b'));
    driver.send({ type: 'poll_requested' }).refresh({ a: current(a) });
    driver.send({ type: 'candidates_failed', failure: { message: '429', retryAfterMs: 90_000 } });
    expect(driver.state.candidates.size).toBe(2);
    expect(driver.sent('set_timer')).toEqual([{ type: 'set_timer', key: 'tick', at: driver.now + 90_000 }]);
  });
});
