import { describe, expect, it } from 'vitest';
import {
  absent,
  current,
  makeBudgets,
  makeIssue,
  SchedulerFixture,
  unknown,
} from '../../../test/fakes/scheduler-fixture.ts';
import type { RunEnd, RunEvidence } from '../../domain/run-outcome.ts';

const a = makeIssue('a');
const inReview = { ...a, state: 'Human Review' };
const done = { ...a, state: 'Done' };
const UNPUSHED = { branch: 'ai/a', commitsAhead: 2, newCommits: 2, pushed: false };
const PUSHED = { ...UNPUSHED, pushed: true };

const running = (options = {}): SchedulerFixture => new SchedulerFixture(options).start().list(a);

/** A run that moved its issue by a tool and ended its turn. */
function handedOver(evidence: Partial<RunEvidence>, to = inReview, options = {}): SchedulerFixture {
  return running(options).move('a', to.state).turn('a', 1, current(to), evidence);
}

function decision(driver: SchedulerFixture) {
  return driver.sent('answer_turn')[0]?.decision;
}

function outcome(driver: SchedulerFixture) {
  return driver.sent('record_run')[0]?.run.outcome;
}

/** The same with the extra turn used up in vain. */
function neverPushed(to = inReview): SchedulerFixture {
  return handedOver(UNPUSHED, to)
    .turn('a', 2, current(to), UNPUSHED)
    .end('a', { kind: 'completed' }, 2, UNPUSHED);
}

function reconcile(driver: SchedulerFixture, seen = current(inReview)): SchedulerFixture {
  return driver.send({ type: 'poll_requested' }).insist({ a: seen });
}

describe('a hand-over', () => {
  it('is looked at before the run may end', () => {
    const driver = running().move('a', 'Human Review');
    driver.send({ type: 'turn_ended', runId: driver.run('a').runId, turn: 1, evidence: null });
    driver.refresh({ a: current(inReview) });
    expect(decision(driver)).toEqual({ kind: 'inspect', state: 'Human Review' });
  });

  it.each([
    ['pushed', PUSHED],
    ['not knowable', { ...UNPUSHED, pushed: null }],
    ['not countable: there is no remote', { ...UNPUSHED, commitsAhead: null }],
    ['nothing', { commitsAhead: 0, pushed: true, uncommittedFiles: 0 }],
    ['pushed, with edits beside it', { ...PUSHED, uncommittedFiles: 3 }],
  ])('ends the run when the work is %s', (_name, evidence) => {
    const driver = handedOver(evidence);
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
    driver.end('a', { kind: 'completed' }, 1, evidence);
    expect(outcome(driver)?.kind).toBe('delivered');
    expect(outcome(driver)?.summary).not.toContain('not pushed');
    expect(driver.phase('a')).toBeNull();
  });

  it.each([inReview, done])('with unpushed commits in $state gets one more turn, and only one', (to) => {
    const driver = handedOver(UNPUSHED, to);
    expect(decision(driver)).toEqual({ kind: 'push_first', state: to.state });
    driver.turn('a', 2, current(to), UNPUSHED);
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
    driver.end('a', { kind: 'completed' }, 2, UNPUSHED);
    expect(outcome(driver)).toEqual({
      kind: 'blocked',
      summary: `handed over in ${to.state} with 2 commits, not pushed`,
    });
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
    expect(driver.published('not_pushed_blocked')[0]).toContain('2 commits on ai/a are not pushed');
    expect(driver.state.cleaning.size).toBe(0);
  });

  it('is delivered when the extra turn pushes', () => {
    const driver = handedOver(UNPUSHED).turn('a', 2, current(inReview), PUSHED);
    driver.end('a', { kind: 'completed' }, 2, PUSHED);
    expect(outcome(driver)?.kind).toBe('delivered');
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.records.get('a')?.claim).toBeNull();
  });

  it('with edits alone gets the turn, but is never blocked: a push could not help', () => {
    const edits = { commitsAhead: 0, pushed: true, uncommittedFiles: 2 };
    const driver = handedOver(edits);
    expect(decision(driver)?.kind).toBe('push_first');
    driver.turn('a', 2, current(inReview), edits).end('a', { kind: 'completed' }, 2, edits);
    expect(outcome(driver)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 changed files, not committed',
    });
  });

  it.each([
    ['of the run', { run: { turns: 1 } }],
    ['of the issue', { issue: { turns: 1 } }],
  ])('takes no turn beyond the budget %s', (_name, limits) => {
    const driver = handedOver(UNPUSHED, inReview, { budgets: makeBudgets(limits) });
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
    driver.end('a', { kind: 'completed' }, 1, UNPUSHED);
    expect(driver.state.claims.get('a')).toMatchObject({ method: 'not_pushed' });
  });

  it('goes on as usual when the issue is active again after the extra turn', () => {
    const driver = handedOver(UNPUSHED).turn('a', 2, current(a));
    expect(decision(driver)).toEqual({ kind: 'continue', state: 'Todo' });
    driver.turn('a', 3, current(inReview), UNPUSHED);
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
  });

  it('is judged by what was last heard when the tracker is silent after the extra turn', () => {
    const driver = handedOver(UNPUSHED).turn('a', 2, unknown, UNPUSHED);
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
  });

  it('closed by a person at the end of a turn is not told to push, and not called delivered', () => {
    const driver = running().turn('a', 1, current(done), UNPUSHED);
    expect(decision(driver)).toEqual({ kind: 'finish', why: 'left_active' });
    driver.end('a', { kind: 'completed' }, 1, UNPUSHED);
    expect(outcome(driver)).toEqual({
      kind: 'canceled',
      summary: 'the issue reached Done with 2 commits, not pushed',
    });
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.cleaning.has('a')).toBe(true);
  });
});

describe('the extra turn', () => {
  it('is not stopped for the hand-over it completes, however long ago that was', () => {
    const driver = reconcile(handedOver(UNPUSHED).advance(200_000));
    expect(driver.sent('stop_run')).toEqual([]);
  });

  it.each([done, { ...a, state: 'Backlog' }])(
    'is stopped by a person who moves the issue to $state',
    (to) => {
      const driver = reconcile(handedOver(UNPUSHED).advance(200_000), current(to));
      expect(driver.sent('stop_run')).toHaveLength(1);
      const { stopping } = driver.run('a');
      if (stopping === null) throw new Error('it goes on');
      driver.list().end('a', { kind: 'stopped', reason: stopping }, 1, UNPUSHED);
      expect(outcome(driver)).toEqual({
        kind: 'canceled',
        summary: `the issue moved to ${to.state} with 2 commits, not pushed`,
      });
      expect(driver.phase('a')).toBeNull();
    },
  );

  it.each<[string, RunEnd, string]>([
    ['fails', { kind: 'failed', code: 'turn_failed', message: 'no' }, 'failed'],
    ['takes too long', { kind: 'timed_out', message: 'slow' }, 'timed_out'],
    ['runs into a quota', { kind: 'quota', message: 'limit', resetAt: null }, 'blocked'],
    ['asks something', { kind: 'input_required', method: 'ask', question: 'May I?' }, 'blocked'],
  ])('that %s leaves the issue held for a push', (_name, end, kind) => {
    const driver = handedOver(UNPUSHED).end('a', end, 1, UNPUSHED);
    expect(outcome(driver)?.kind).toBe(kind);
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
  });

  it('is remembered by a worker that is killed in it', () => {
    const record = handedOver(UNPUSHED).state.records.get('a');
    if (record === undefined) throw new Error('nothing is remembered');
    const next = new SchedulerFixture().start([record]);
    expect(next.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
  });

  it('ended by a shutdown holds the issue over the restart', () => {
    const driver = handedOver(UNPUSHED).send({ type: 'shutdown' });
    driver.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 1, UNPUSHED);
    expect(outcome(driver)?.kind).toBe('blocked');
    expect(driver.state.records.get('a')?.claim).toMatchObject({ method: 'not_pushed' });
  });
});

describe('an issue held for a push', () => {
  it.each([inReview, { ...a, state: 'In QA' }])('stays held in $state', (seen) => {
    const driver = reconcile(neverPushed(), current(seen));
    expect(driver.state.claims.get('a')).toMatchObject({
      method: 'not_pushed',
      issue: { state: seen.state },
    });
  });

  it('stays held in the terminal state that the agent handed it over in', () => {
    const driver = reconcile(neverPushed(done), current(done));
    expect(driver.state.claims.get('a')).toMatchObject({ method: 'not_pushed' });
    expect(driver.state.cleaning.size).toBe(0);
  });

  it('is let go, and its workspace cleaned after the rescue, when a person closes it', () => {
    const driver = reconcile(neverPushed(), current(done));
    expect(driver.phase('a')).toBeNull();
    expect(driver.state.cleaning.has('a')).toBe(true);
  });

  it('is worked on again, with fresh budgets, when it is active again', () => {
    const driver = neverPushed().poll([a]);
    expect(driver.started).toEqual(['a']);
    expect(driver.state.records.get('a')).toMatchObject({ runs: 1, claim: null });
  });

  it.each([
    [inReview, false],
    [done, true],
  ])('is let go in $state by a person who wants no push', (state, cleaned) => {
    const driver = neverPushed(state);
    driver.send({ type: 'operator', action: { kind: 'retry', issue: 'a', reset_budget: true, by: 'me' } });
    expect(driver.phase('a')).toBeNull();
    expect(driver.started).toEqual([]);
    expect(driver.state.cleaning.has('a')).toBe(cleaned);
  });

  it('is let go when it is gone from the tracker', () => {
    expect(reconcile(neverPushed(), absent).phase('a')).toBeNull();
  });

  it('holds no slot', () => {
    const b = makeIssue('b');
    const driver = handedOver(UNPUSHED, inReview, { maxConcurrentAgents: 1 });
    driver.turn('a', 2, current(inReview), UNPUSHED).end('a', { kind: 'completed' }, 2, UNPUSHED);
    expect(driver.poll([inReview], [b]).started).toEqual(['b']);
  });
});

describe('delivered stays delivered', () => {
  it('when the worker shuts down before the tracker was asked again', () => {
    const driver = running().move('a', 'Human Review').send({ type: 'shutdown' });
    driver.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 0, PUSHED);
    expect(outcome(driver)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 commits, pushed',
    });
  });

  it('when a person closes the issue while the agent ends its turn', () => {
    const driver = reconcile(running().move('a', 'Human Review'), current(done));
    expect(driver.sent('stop_run')).toEqual([]);
    reconcile(driver.list().advance(60_000), current(done));
    expect(driver.sent('stop_run')[0]?.reason.kind).toBe('terminal');
    expect(driver.state.records.get('a')?.operatorStop).toBeNull();
    driver.list().end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } }, 0, PUSHED);
    expect(outcome(driver)?.kind).toBe('delivered');
    expect(driver.state.cleaning.has('a')).toBe(true);
  });

  it('when a person closes the issue while the run finishes: there is nothing left to stop', () => {
    const driver = reconcile(handedOver(PUSHED), current(done));
    expect(driver.sent('stop_run')).toEqual([]);
    driver.list().end('a', { kind: 'completed' }, 1, PUSHED);
    expect(outcome(driver)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 commits, pushed',
    });
    expect(driver.state.cleaning.has('a')).toBe(true);
  });

  it('but not when the issue was seen active again before the shutdown', () => {
    const driver = reconcile(running().move('a', 'Human Review'), current(a)).send({ type: 'shutdown' });
    driver.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 0, PUSHED);
    expect(outcome(driver)?.kind).toBe('canceled');
  });
});
