import { describe, expect, it } from 'vitest';
import type { RefreshOutcome } from '../../../src/domain/issue.ts';
import {
  absent,
  current,
  makeBudgets,
  makeIssue,
  SchedulerFixture,
  unknown,
} from '../../fakes/scheduler-fixture.ts';

const a = makeIssue('a', { labels: ['ready'] });

/** What a run is told after its turn, when the tracker says this. */
function decide(outcome: RefreshOutcome, turn = 1, maxTurns = 5) {
  const budgets = makeBudgets({ run: { turns: maxTurns } });
  const fixture = new SchedulerFixture({ requiredLabels: ['ready'], budgets }).start().list(a);
  fixture.turn('a', turn, outcome);
  return { fixture, decision: fixture.sent('answer_turn')[0]?.decision };
}

describe('after a turn', () => {
  it('the issue is read by id (R-7.1-f, R-16.5-f)', () => {
    const fixture = new SchedulerFixture().start().list(a);
    fixture.send({ type: 'turn_ended', runId: fixture.run('a').runId, turn: 1, evidence: null });
    expect(fixture.sent('refresh_issues').map(({ ids }) => ids)).toEqual([['a']]);
  });

  it('active and routable: the run goes on, under what is known now (R-7.1-g, R-16.5-h)', () => {
    const { fixture, decision } = decide(current({ ...a, state: 'In Progress' }));
    expect(decision).toMatchObject({ kind: 'continue' });
    expect(fixture.run('a').issue.state).toBe('In Progress');
  });

  it('gone: the run ends normally (R-16.5-g)', () => {
    const { fixture, decision } = decide(absent);
    expect(decision).toEqual({ kind: 'finish', why: 'missing' });
    fixture.end('a');
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.state.cleaning.size).toBe(0);
  });

  it('missing from one answer: it is asked for once more before the run ends (R-16.5-g)', () => {
    const fixture = new SchedulerFixture({ requiredLabels: ['ready'] }).start().list(a);
    fixture.send({ type: 'turn_ended', runId: fixture.run('a').runId, turn: 1, evidence: null });
    fixture.refresh({ a: absent });
    expect(fixture.sent('answer_turn')).toEqual([]);
    fixture.refresh({ a: current(a) });
    expect(fixture.sent('answer_turn')[0]?.decision).toMatchObject({ kind: 'continue' });
  });

  it.each([
    ['not active', { state: 'Human Review' }, 'left_active'],
    ['terminal', { state: 'Done' }, 'left_active'],
    ['not dispatchable', { dispatchable: false }, 'unroutable'],
    ['without its label', { labels: [] }, 'unroutable'],
  ] as const)('%s: the run ends normally (R-16.5-h, R-5.3.1-h)', (_name, fields, why) => {
    expect(decide(current({ ...a, ...fields })).decision).toEqual({ kind: 'finish', why });
  });

  it('the last one it may take: the run ends normally (R-7.1-g, R-16.5-i, R-5.3.5-b)', () => {
    expect(decide(current(a), 2, 3).decision).toMatchObject({ kind: 'continue' });
    expect(decide(current(a), 3, 3).decision).toEqual({ kind: 'finish', why: 'turn_limit' });
  });

  it('a tracker that cannot tell never ends a run that is going well (R-16.5-f)', () => {
    const { fixture, decision } = decide(unknown);
    expect(decision).toMatchObject({ kind: 'continue' });
    fixture
      .send({ type: 'turn_ended', runId: fixture.run('a').runId, turn: 2, evidence: null })
      .failRefresh();
    expect(fixture.sent('answer_turn')[0]?.decision).toMatchObject({ kind: 'continue' });
  });
});
