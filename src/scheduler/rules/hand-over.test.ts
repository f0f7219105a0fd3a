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

function decision(fixture: SchedulerFixture) {
  return fixture.sent('answer_turn')[0]?.decision;
}

function outcome(fixture: SchedulerFixture) {
  return fixture.sent('record_run')[0]?.run.outcome;
}

/** The same with the extra turn used up in vain. */
function neverPushed(to = inReview): SchedulerFixture {
  return handedOver(UNPUSHED, to)
    .turn('a', 2, current(to), UNPUSHED)
    .end('a', { kind: 'completed' }, 2, UNPUSHED);
}

function reconcile(fixture: SchedulerFixture, seen = current(inReview)): SchedulerFixture {
  return fixture.send({ type: 'poll_requested' }).insist({ a: seen });
}

describe('a hand-over', () => {
  it('is looked at before the run may end', () => {
    const fixture = running().move('a', 'Human Review');
    fixture.send({ type: 'turn_ended', runId: fixture.run('a').runId, turn: 1, evidence: null });
    fixture.refresh({ a: current(inReview) });
    expect(decision(fixture)).toEqual({ kind: 'inspect', state: 'Human Review' });
  });

  it.each([
    ['pushed', PUSHED],
    ['not knowable', { ...UNPUSHED, pushed: null }],
    ['not countable: there is no remote', { ...UNPUSHED, commitsAhead: null }],
    ['nothing', { commitsAhead: 0, pushed: true, uncommittedFiles: 0 }],
    ['pushed, with edits beside it', { ...PUSHED, uncommittedFiles: 3 }],
  ])('ends the run when the work is %s', (_name, evidence) => {
    const fixture = handedOver(evidence);
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
    fixture.end('a', { kind: 'completed' }, 1, evidence);
    expect(outcome(fixture)?.kind).toBe('delivered');
    expect(outcome(fixture)?.summary).not.toContain('not pushed');
    expect(fixture.phase('a')).toBeNull();
  });

  it.each([inReview, done])('with unpushed commits in $state gets one more turn, and only one', (to) => {
    const fixture = handedOver(UNPUSHED, to);
    expect(decision(fixture)).toEqual({ kind: 'push_first', state: to.state });
    fixture.turn('a', 2, current(to), UNPUSHED);
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
    fixture.end('a', { kind: 'completed' }, 2, UNPUSHED);
    expect(outcome(fixture)).toEqual({
      kind: 'blocked',
      summary: `handed over in ${to.state} with 2 commits, not pushed`,
    });
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
    expect(fixture.published('not_pushed_blocked')[0]).toContain('2 commits on ai/a are not pushed');
    expect(fixture.state.cleaning.size).toBe(0);
  });

  it('is delivered when the extra turn pushes', () => {
    const fixture = handedOver(UNPUSHED).turn('a', 2, current(inReview), PUSHED);
    fixture.end('a', { kind: 'completed' }, 2, PUSHED);
    expect(outcome(fixture)?.kind).toBe('delivered');
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.records.get('a')?.claim).toBeNull();
  });

  it('with edits alone gets the turn, but is never blocked: a push could not help', () => {
    const edits = { commitsAhead: 0, pushed: true, uncommittedFiles: 2 };
    const fixture = handedOver(edits);
    expect(decision(fixture)?.kind).toBe('push_first');
    fixture.turn('a', 2, current(inReview), edits).end('a', { kind: 'completed' }, 2, edits);
    expect(outcome(fixture)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 changed files, not committed',
    });
  });

  it.each([
    ['of the run', { run: { turns: 1 } }],
    ['of the issue', { issue: { turns: 1 } }],
  ])('takes no turn beyond the budget %s', (_name, limits) => {
    const fixture = handedOver(UNPUSHED, inReview, { budgets: makeBudgets(limits) });
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
    fixture.end('a', { kind: 'completed' }, 1, UNPUSHED);
    expect(fixture.state.claims.get('a')).toMatchObject({ method: 'not_pushed' });
  });

  it('goes on as usual when the issue is active again after the extra turn', () => {
    const fixture = handedOver(UNPUSHED).turn('a', 2, current(a));
    expect(decision(fixture)).toEqual({ kind: 'continue', state: 'Todo' });
    fixture.turn('a', 3, current(inReview), UNPUSHED);
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
  });

  it('is judged by what was last heard when the tracker is silent after the extra turn', () => {
    const fixture = handedOver(UNPUSHED).turn('a', 2, unknown, UNPUSHED);
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
  });

  it('closed by a person at the end of a turn is not told to push, and not called delivered', () => {
    const fixture = running().turn('a', 1, current(done), UNPUSHED);
    expect(decision(fixture)).toEqual({ kind: 'finish', why: 'left_active' });
    fixture.end('a', { kind: 'completed' }, 1, UNPUSHED);
    expect(outcome(fixture)).toEqual({
      kind: 'canceled',
      summary: 'the issue reached Done with 2 commits, not pushed',
    });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });
});

describe('the extra turn', () => {
  it('is not stopped for the hand-over it completes, however long ago that was', () => {
    const fixture = reconcile(handedOver(UNPUSHED).advance(200_000));
    expect(fixture.sent('stop_run')).toEqual([]);
  });

  it.each([done, { ...a, state: 'Backlog' }])(
    'is stopped by a person who moves the issue to $state',
    (to) => {
      const fixture = reconcile(handedOver(UNPUSHED).advance(200_000), current(to));
      expect(fixture.sent('stop_run')).toHaveLength(1);
      const { stopping } = fixture.run('a');
      if (stopping === null) throw new Error('it goes on');
      fixture.list().end('a', { kind: 'stopped', reason: stopping }, 1, UNPUSHED);
      expect(outcome(fixture)).toEqual({
        kind: 'canceled',
        summary: `the issue moved to ${to.state} with 2 commits, not pushed`,
      });
      expect(fixture.phase('a')).toBeNull();
    },
  );

  it.each<[string, RunEnd, string]>([
    ['fails', { kind: 'failed', code: 'turn_failed', message: 'no' }, 'failed'],
    ['takes too long', { kind: 'timed_out', message: 'slow' }, 'timed_out'],
    ['runs into a quota', { kind: 'quota', message: 'limit', resetAt: null }, 'blocked'],
    ['asks something', { kind: 'input_required', method: 'ask', question: 'May I?' }, 'blocked'],
  ])('that %s leaves the issue held for a push', (_name, end, kind) => {
    const fixture = handedOver(UNPUSHED).end('a', end, 1, UNPUSHED);
    expect(outcome(fixture)?.kind).toBe(kind);
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
  });

  it('is remembered by a worker that is killed in it', () => {
    const record = handedOver(UNPUSHED).state.records.get('a');
    if (record === undefined) throw new Error('nothing is remembered');
    const next = new SchedulerFixture().start([record]);
    expect(next.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'not_pushed' });
  });

  it('ended by a shutdown holds the issue over the restart', () => {
    const fixture = handedOver(UNPUSHED).send({ type: 'shutdown' });
    fixture.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 1, UNPUSHED);
    expect(outcome(fixture)?.kind).toBe('blocked');
    expect(fixture.state.records.get('a')?.claim).toMatchObject({ method: 'not_pushed' });
  });
});

describe('an issue held for a push', () => {
  it.each([inReview, { ...a, state: 'In QA' }])('stays held in $state', (seen) => {
    const fixture = reconcile(neverPushed(), current(seen));
    expect(fixture.state.claims.get('a')).toMatchObject({
      method: 'not_pushed',
      issue: { state: seen.state },
    });
  });

  it('stays held in the terminal state that the agent handed it over in', () => {
    const fixture = reconcile(neverPushed(done), current(done));
    expect(fixture.state.claims.get('a')).toMatchObject({ method: 'not_pushed' });
    expect(fixture.state.cleaning.size).toBe(0);
  });

  it('is let go, and its workspace cleaned after the rescue, when a person closes it', () => {
    const fixture = reconcile(neverPushed(), current(done));
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('is worked on again, with fresh budgets, when it is active again', () => {
    const fixture = neverPushed().poll([a]);
    expect(fixture.started).toEqual(['a']);
    expect(fixture.state.records.get('a')).toMatchObject({ runs: 1, claim: null });
  });

  it.each([
    [inReview, false],
    [done, true],
  ])('is let go in $state by a person who wants no push', (state, cleaned) => {
    const fixture = neverPushed(state);
    fixture.send({ type: 'operator', action: { kind: 'retry', issue: 'a', reset_budget: true, by: 'me' } });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.started).toEqual([]);
    expect(fixture.state.cleaning.has('a')).toBe(cleaned);
  });

  it('is let go when it is gone from the tracker', () => {
    expect(reconcile(neverPushed(), absent).phase('a')).toBeNull();
  });

  it('holds no slot', () => {
    const b = makeIssue('b');
    const fixture = handedOver(UNPUSHED, inReview, { maxConcurrentAgents: 1 });
    fixture.turn('a', 2, current(inReview), UNPUSHED).end('a', { kind: 'completed' }, 2, UNPUSHED);
    expect(fixture.poll([inReview], [b]).started).toEqual(['b']);
  });
});

describe('delivered stays delivered', () => {
  it('when the worker shuts down before the tracker was asked again', () => {
    const fixture = running().move('a', 'Human Review').send({ type: 'shutdown' });
    fixture.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 0, PUSHED);
    expect(outcome(fixture)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 commits, pushed',
    });
  });

  it('when a person closes the issue while the agent ends its turn', () => {
    const fixture = reconcile(running().move('a', 'Human Review'), current(done));
    expect(fixture.sent('stop_run')).toEqual([]);
    reconcile(fixture.list().advance(60_000), current(done));
    expect(fixture.sent('stop_run')[0]?.reason.kind).toBe('terminal');
    expect(fixture.state.records.get('a')?.operatorStop).toBeNull();
    fixture.list().end('a', { kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } }, 0, PUSHED);
    expect(outcome(fixture)?.kind).toBe('delivered');
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('when a person closes the issue while the run finishes: there is nothing left to stop', () => {
    const fixture = reconcile(handedOver(PUSHED), current(done));
    expect(fixture.sent('stop_run')).toEqual([]);
    fixture.list().end('a', { kind: 'completed' }, 1, PUSHED);
    expect(outcome(fixture)).toEqual({
      kind: 'delivered',
      summary: 'handed over in Human Review with 2 commits, pushed',
    });
    expect(fixture.state.cleaning.has('a')).toBe(true);
  });

  it('but not when the issue was seen active again before the shutdown', () => {
    const fixture = reconcile(running().move('a', 'Human Review'), current(a)).send({ type: 'shutdown' });
    fixture.end('a', { kind: 'stopped', reason: { kind: 'shutdown' } }, 0, PUSHED);
    expect(outcome(fixture)?.kind).toBe('canceled');
  });
});
