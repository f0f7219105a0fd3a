import { describe, expect, it } from 'vitest';
import {
  current,
  makeBudgets,
  makeIssue,
  SchedulerFixture,
  unknown,
} from '../../../test/fakes/scheduler-fixture.ts';
import { NO_EVIDENCE, type RunEnd } from '../../domain/run-outcome.ts';

const a = makeIssue('a');
const failed: RunEnd = { kind: 'failed', code: 'turn_failed', message: 'no' };
const running = (options = {}): SchedulerFixture => new SchedulerFixture(options).start().list(a);

/** From a queued retry to its live run. */
function resume(driver: SchedulerFixture): SchedulerFixture {
  const claim = driver.state.claims.get('a');
  if (claim?.phase !== 'retrying') throw new Error(`a is ${claim?.phase}`);
  driver.now = claim.dueAt;
  return driver.send({ type: 'timer_fired', key: 'retry:a' }).refresh({ a: current(a) });
}

function retryOf(driver: SchedulerFixture): {
  kind: string;
  attempt: number;
  inMs: number;
  error: string | null;
} {
  const claim = driver.state.claims.get('a');
  if (claim?.phase !== 'retrying') throw new Error(`a is ${claim?.phase}`);
  return { kind: claim.kind, attempt: claim.attempt, inMs: claim.dueAt - driver.now, error: claim.error };
}

describe('the end of a run', () => {
  it('still active after a clean exit: a continuation in exactly one second, attempt 1 (R-8.4-c, R-16.6-b)', () => {
    const driver = running().turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(retryOf(driver)).toMatchObject({ kind: 'continuation', attempt: 1, inMs: 1000 });
  });

  it('failures back off 10 s, 20 s, 40 s … up to the cap (R-8.4-d, R-17.4-i, R-17.4-j)', () => {
    const driver = running({ maxRetryBackoffMs: 60_000 });
    const delays: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      driver.end('a', failed);
      delays.push(retryOf(driver).inMs);
      resume(driver);
    }
    expect(delays).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('a handed-over issue is released at once, with the outcome delivered', () => {
    const driver = running();
    driver.send({
      type: 'tool_finished',
      runId: driver.run('a').runId,
      effect: { kind: 'state_changed', from: 'Todo', to: 'Human Review' },
    });
    driver.turn('a', 1, current({ ...a, state: 'Human Review' }));
    expect(driver.sent('answer_turn')[0]?.decision).toEqual({ kind: 'finish', why: 'left_active' });
    driver.end('a', { kind: 'completed' }, 1, { commitsAhead: 2, newCommits: 2, pushed: true });
    expect(driver.phase('a')).toBeNull();
    expect(driver.sent('record_run')[0]?.run).toMatchObject({
      handedOff: true,
      outcome: { kind: 'delivered', summary: 'handed over in Human Review with 2 commits, pushed' },
    });
  });

  it('turns are counted per issue over all runs, failed ones included, then it blocks', () => {
    const driver = running({ budgets: makeBudgets({ run: { turns: 2 }, issue: { turns: 3 } }) });
    driver.turn('a', 1, current(a)).end('a', failed);
    resume(driver).turn('a', 1, current(a));
    expect(driver.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
    driver.turn('a', 2, current(a)).end('a', { kind: 'completed' }, 2, { newCommits: 2 });
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'continuation_budget' });
    expect(driver.published('continuation_budget_blocked')[0]).toContain('3 of 3 turns used');
  });

  it('a run gets no more turns than the issue has left', () => {
    const driver = running({ budgets: makeBudgets({ run: { turns: 5 }, issue: { turns: 6 } }) });
    for (let turn = 1; turn <= 5; turn += 1) driver.turn('a', turn, current(a));
    driver.end('a', { kind: 'completed' }, 5, { newCommits: 5 });
    resume(driver);
    expect(driver.sent('start_run')[0]?.run.maxTurns).toBe(1);
  });

  it('tokens over all runs stop a run while it streams, and the issue stays blocked', () => {
    const driver = running({ budgets: makeBudgets({ issue: { tokens: 1000 } }) });
    const usage = (total: number) => ({
      type: 'usage' as const,
      usage: { inputTokens: total, outputTokens: 0, totalTokens: total },
      costUsd: null,
    });
    driver.agent('a', usage(600)).end('a', failed);
    resume(driver).agent('a', usage(399));
    expect(driver.sent('stop_run')).toEqual([]);
    driver.agent('a', usage(400));
    expect(driver.sent('stop_run')[0]?.reason).toMatchObject({ kind: 'budget' });
    const { runId } = driver.run('a');
    driver.end('a', { kind: 'stopped', reason: { kind: 'budget', scope: 'issue', detail: 'x' } });
    expect(driver.state.claims.get('a')).toMatchObject({
      phase: 'blocked',
      method: 'budget_exceeded',
      runId,
    });
    expect(driver.state.totals.usage.totalTokens).toBe(1000);
  });

  it('three runs in a row without anything new block early; one commit in between starts the count again', () => {
    const driver = running();
    const idle = (): void =>
      void driver.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 0 });
    idle();
    resume(driver);
    driver.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    for (let n = 0; n < 3; n += 1) {
      resume(driver);
      idle();
    }
    expect(driver.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'no_progress' });
  });

  it('a question blocks and shows the question', () => {
    const driver = running().end('a', {
      kind: 'input_required',
      method: 'item/tool/requestUserInput',
      question: 'Red?',
    });
    expect(driver.state.claims.get('a')).toMatchObject({
      phase: 'blocked',
      method: 'item/tool/requestUserInput',
      question: 'Red?',
    });
  });

  it('a quota wall waits for its reset and keeps the attempt; without a hint the wait grows (R-8.4-d)', () => {
    const driver = running();
    driver.end('a', { kind: 'quota', message: 'limit', resetAt: driver.now + 3 * 86_400_000 });
    expect(retryOf(driver)).toMatchObject({ kind: 'quota_backoff', attempt: 1, inMs: 3 * 86_400_000 });
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      resume(driver).end('a', { kind: 'quota', message: 'limit', resetAt: null });
      waits.push(retryOf(driver).inMs);
    }
    expect(waits).toEqual([20_000, 40_000, 80_000, 160_000]);
  });

  it('a tracker that cannot answer after a turn never ends a healthy run', () => {
    const driver = running().turn('a', 1, unknown);
    expect(driver.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
    driver.send({ type: 'turn_ended', runId: driver.run('a').runId, turn: 2, evidence: null }).failRefresh();
    expect(driver.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
  });

  it('a pull request the agent linked is part of the evidence', () => {
    const driver = running();
    const effect = { kind: 'pull_request', url: 'https://forge.test/pulls/7' } as const;
    driver.send({ type: 'tool_finished', runId: driver.run('a').runId, effect }).end('a');
    expect(driver.sent('record_run')[0]?.run.result.evidence.pullRequestUrl).toBe(effect.url);
  });

  it('the session of the last run is offered to the next', () => {
    const driver = running().agent('a', {
      type: 'session_started',
      sessionId: 's1',
      pid: 7,
      model: null,
      resumed: false,
    });
    driver.end('a', failed);
    resume(driver);
    expect(driver.sent('start_run')[0]?.run.resumeSessionId).toBe('s1');
  });

  it('every end saves the record and records exactly one run', () => {
    const driver = running().end('a', failed);
    expect(driver.sent('record_run')).toHaveLength(1);
    expect(driver.sent('save_record').at(-1)?.record).toMatchObject({
      runs: 1,
      claim: { phase: 'retrying' },
    });
    const result = { end: failed, turns: 0, evidence: NO_EVIDENCE };
    expect(driver.send({ type: 'run_ended', runId: 'no-such-run', result }).commands).toEqual([]);
  });
});
