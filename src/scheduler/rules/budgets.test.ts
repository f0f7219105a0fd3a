import { describe, expect, it } from 'vitest';
import { current, makeBudgets, makeIssue, SchedulerFixture } from '../../../test/fakes/scheduler-fixture.ts';
import type { BudgetScope } from '../../domain/spend.ts';
import type { Limits } from '../core/settings.ts';
import { explainWaiting } from '../explain/explain.ts';

const [a, b] = [makeIssue('a'), makeIssue('b')];
const DAY = 86_400_000;

function running(limits: Partial<Record<BudgetScope, Partial<Limits>>>): SchedulerFixture {
  return new SchedulerFixture({ budgets: makeBudgets(limits), maxConcurrentAgents: 1 }).start().list(a, b);
}

function use(
  fixture: SchedulerFixture,
  id: string,
  tokens: number,
  costUsd: number | null = null,
): SchedulerFixture {
  const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens };
  return fixture.agent(id, { type: 'usage', usage, costUsd });
}

function endForBudget(fixture: SchedulerFixture, id: string): SchedulerFixture {
  const reason = fixture.run(id).stopping;
  if (reason === null) throw new Error(`${id} is not being stopped`);
  return fixture.end(id, { kind: 'stopped', reason });
}

describe('budgets fail closed', () => {
  it('a run over its own tokens or cost is stopped while it streams, and its issue blocked', () => {
    const tokens = use(running({ run: { tokens: 100 } }), 'a', 100);
    expect(tokens.sent('stop_run')[0]?.reason).toMatchObject({ kind: 'budget', scope: 'run' });
    expect(endForBudget(tokens, 'a').state.claims.get('a')).toMatchObject({
      phase: 'blocked',
      method: 'budget_exceeded',
      error: '100 of 100 tokens used, the budget of the run; raise agent.budgets.run.tokens to go on',
    });
    const cost = use(running({ run: { usd: 1.5 } }), 'a', 1, 1.5);
    expect(cost.sent('stop_run')[0]?.reason).toMatchObject({
      detail: expect.stringContaining('1.50 of 1.50 USD'),
    });
  });

  it('time is counted for agents that report nothing', () => {
    const fixture = running({ issue: { runtimeMs: 60_000 } })
      .advance(60_000)
      .send({ type: 'poll_requested' });
    expect(fixture.sent('stop_run')[0]?.reason).toMatchObject({ kind: 'budget', scope: 'issue' });
  });

  it('a turn counts when it starts, so that a failing agent is bounded too', () => {
    const fixture = new SchedulerFixture({ budgets: makeBudgets({ issue: { turns: 2 } }) }).start().list(a);
    for (let n = 0; n < 2; n += 1) {
      fixture.agent('a', { type: 'turn_started', turn: 1, turnId: null });
      fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }).advance(300_000);
      fixture.send({ type: 'timer_fired', key: 'retry:a' }).refresh({ a: current(a) });
    }
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'continuation_budget' });
  });

  it('the day’s budget stops everybody until the next UTC day, then work goes on by itself', () => {
    const fixture = running({ day: { tokens: 1000 } });
    use(fixture, 'a', 1000);
    expect(fixture.sent('stop_run')[0]?.reason).toMatchObject({ scope: 'day' });
    endForBudget(fixture, 'a');
    const midnight = (Math.floor(fixture.now / DAY) + 1) * DAY;
    expect(fixture.state.claims.get('a')).toMatchObject({
      phase: 'retrying',
      kind: 'quota_backoff',
      dueAt: midnight,
    });
    expect(fixture.poll([a, b]).started).toEqual([]);
    const reasons = explainWaiting(fixture.state, fixture.settings, fixture.now).map(({ reason }) => reason);
    expect(reasons).toEqual([
      expect.stringContaining('1000 of 1000 tokens used, the budget of the day (UTC)'),
    ]);
    fixture.now = midnight;
    expect(fixture.send({ type: 'timer_fired', key: 'retry:a' }).phase('a')).toBe('checking');
  });

  it('the day’s spending is remembered over a restart, the worker’s is not', () => {
    const first = use(running({}), 'a', 900).end('a', { kind: 'failed', code: 'x', message: 'no' });
    const records = [...first.state.records.values()];
    const restarted = (limits: Partial<Record<BudgetScope, Partial<Limits>>>): SchedulerFixture => {
      const fixture = new SchedulerFixture({ budgets: makeBudgets(limits) });
      fixture.now = first.now;
      return fixture
        .start(records)
        .refresh({ a: current(a) })
        .list(b);
    };
    expect(restarted({ day: { tokens: 900 } }).started).toEqual([]);
    expect(restarted({ worker: { tokens: 900 } }).started).toEqual(['b']);
  });

  it('a poll books what live runs have used, so that a kill forgets at most one interval', () => {
    const fixture = use(running({}), 'a', 500, 0.25).advance(10_000).send({ type: 'poll_requested' });
    expect(fixture.state.records.get('a')).toMatchObject({
      usage: { totalTokens: 500 },
      costUsd: 0.25,
      runtimeMs: 10_000,
      lifetime: { usage: { totalTokens: 500 }, runtimeMs: 10_000 },
    });
    fixture.refresh({ a: current(a) }).list(a, b);
    use(fixture, 'a', 600, 0.3).advance(5_000).end('a');
    expect(fixture.state.records.get('a')).toMatchObject({ usage: { totalTokens: 600 }, runtimeMs: 15_000 });
    expect(fixture.state.totals.runtimeMs).toBe(15_000);
  });

  it('an operator may grant fresh budgets; the lifetime figures stay', () => {
    const fixture = endForBudget(use(running({ issue: { tokens: 100 } }), 'a', 100), 'a');
    fixture.send({ type: 'operator', action: { kind: 'retry', issue: 'a', reset_budget: true, by: 'me' } });
    expect(fixture.state.records.get('a')).toMatchObject({
      usage: { totalTokens: 0 },
      lifetime: { usage: { totalTokens: 100 } },
    });
    expect(fixture.published('retry_scheduled').at(-1)).toBe(
      'continuation run as soon as a slot is free (attempt 1)',
    );
  });
});
