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
function resume(fixture: SchedulerFixture): SchedulerFixture {
  const claim = fixture.state.claims.get('a');
  if (claim?.phase !== 'retrying') throw new Error(`a is ${claim?.phase}`);
  fixture.now = claim.dueAt;
  return fixture.send({ type: 'timer_fired', key: 'retry:a' }).refresh({ a: current(a) });
}

function retryOf(fixture: SchedulerFixture): {
  kind: string;
  attempt: number;
  inMs: number;
  error: string | null;
} {
  const claim = fixture.state.claims.get('a');
  if (claim?.phase !== 'retrying') throw new Error(`a is ${claim?.phase}`);
  return { kind: claim.kind, attempt: claim.attempt, inMs: claim.dueAt - fixture.now, error: claim.error };
}

describe('the end of a run', () => {
  it('still active after a clean exit: a continuation in exactly one second, attempt 1 (R-8.4-c, R-16.6-b)', () => {
    const fixture = running().turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    expect(retryOf(fixture)).toMatchObject({ kind: 'continuation', attempt: 1, inMs: 1000 });
  });

  it('failures back off 10 s, 20 s, 40 s … up to the cap (R-8.4-d, R-17.4-i, R-17.4-j)', () => {
    const fixture = running({ maxRetryBackoffMs: 60_000 });
    const delays: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      fixture.end('a', failed);
      delays.push(retryOf(fixture).inMs);
      resume(fixture);
    }
    expect(delays).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('a handed-over issue is released at once, with the outcome delivered', () => {
    const fixture = running();
    fixture.send({
      type: 'tool_finished',
      runId: fixture.run('a').runId,
      effect: { kind: 'state_changed', from: 'Todo', to: 'Human Review' },
    });
    fixture.turn('a', 1, current({ ...a, state: 'Human Review' }));
    expect(fixture.sent('answer_turn')[0]?.decision).toEqual({ kind: 'finish', why: 'left_active' });
    fixture.end('a', { kind: 'completed' }, 1, { commitsAhead: 2, newCommits: 2, pushed: true });
    expect(fixture.phase('a')).toBeNull();
    expect(fixture.sent('record_run')[0]?.run).toMatchObject({
      handedOff: true,
      outcome: { kind: 'delivered', summary: 'handed over in Human Review with 2 commits, pushed' },
    });
  });

  it('turns are counted per issue over all runs, failed ones included, then it blocks', () => {
    const fixture = running({ budgets: makeBudgets({ run: { turns: 2 }, issue: { turns: 3 } }) });
    fixture.turn('a', 1, current(a)).end('a', failed);
    resume(fixture).turn('a', 1, current(a));
    expect(fixture.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
    fixture.turn('a', 2, current(a)).end('a', { kind: 'completed' }, 2, { newCommits: 2 });
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'continuation_budget' });
    expect(fixture.published('continuation_budget_blocked')[0]).toContain('3 of 3 turns used');
  });

  it('a run gets no more turns than the issue has left', () => {
    const fixture = running({ budgets: makeBudgets({ run: { turns: 5 }, issue: { turns: 6 } }) });
    for (let turn = 1; turn <= 5; turn += 1) fixture.turn('a', turn, current(a));
    fixture.end('a', { kind: 'completed' }, 5, { newCommits: 5 });
    resume(fixture);
    expect(fixture.sent('start_run')[0]?.run.maxTurns).toBe(1);
  });

  it('tokens over all runs stop a run while it streams, and the issue stays blocked', () => {
    const fixture = running({ budgets: makeBudgets({ issue: { tokens: 1000 } }) });
    const usage = (total: number) => ({
      type: 'usage' as const,
      usage: { inputTokens: total, outputTokens: 0, totalTokens: total },
      costUsd: null,
    });
    fixture.agent('a', usage(600)).end('a', failed);
    resume(fixture).agent('a', usage(399));
    expect(fixture.sent('stop_run')).toEqual([]);
    fixture.agent('a', usage(400));
    expect(fixture.sent('stop_run')[0]?.reason).toMatchObject({ kind: 'budget' });
    const { runId } = fixture.run('a');
    fixture.end('a', { kind: 'stopped', reason: { kind: 'budget', scope: 'issue', detail: 'x' } });
    expect(fixture.state.claims.get('a')).toMatchObject({
      phase: 'blocked',
      method: 'budget_exceeded',
      runId,
    });
    expect(fixture.state.totals.usage.totalTokens).toBe(1000);
  });

  it('three runs in a row without anything new block early; one commit in between starts the count again', () => {
    const fixture = running();
    const idle = (): void =>
      void fixture.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 0 });
    idle();
    resume(fixture);
    fixture.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
    for (let n = 0; n < 3; n += 1) {
      resume(fixture);
      idle();
    }
    expect(fixture.state.claims.get('a')).toMatchObject({ phase: 'blocked', method: 'no_progress' });
  });

  it('a question blocks and shows the question', () => {
    const fixture = running().end('a', {
      kind: 'input_required',
      method: 'item/tool/requestUserInput',
      question: 'Red?',
    });
    expect(fixture.state.claims.get('a')).toMatchObject({
      phase: 'blocked',
      method: 'item/tool/requestUserInput',
      question: 'Red?',
    });
  });

  it('a quota wall waits for its reset and keeps the attempt; without a hint the wait grows (R-8.4-d)', () => {
    const fixture = running();
    fixture.end('a', { kind: 'quota', message: 'limit', resetAt: fixture.now + 3 * 86_400_000 });
    expect(retryOf(fixture)).toMatchObject({ kind: 'quota_backoff', attempt: 1, inMs: 3 * 86_400_000 });
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      resume(fixture).end('a', { kind: 'quota', message: 'limit', resetAt: null });
      waits.push(retryOf(fixture).inMs);
    }
    expect(waits).toEqual([20_000, 40_000, 80_000, 160_000]);
  });

  it('a tracker that cannot answer after a turn never ends a healthy run', () => {
    const fixture = running().turn('a', 1, unknown);
    expect(fixture.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
    fixture
      .send({ type: 'turn_ended', runId: fixture.run('a').runId, turn: 2, evidence: null })
      .failRefresh();
    expect(fixture.sent('answer_turn')[0]?.decision).toEqual({ kind: 'continue', state: 'Todo' });
  });

  it('a pull request the agent linked is part of the evidence', () => {
    const fixture = running();
    const effect = { kind: 'pull_request', url: 'https://forge.test/pulls/7' } as const;
    fixture.send({ type: 'tool_finished', runId: fixture.run('a').runId, effect }).end('a');
    expect(fixture.sent('record_run')[0]?.run.result.evidence.pullRequestUrl).toBe(effect.url);
  });

  it('the session of the last run is offered to the next', () => {
    const fixture = running().agent('a', {
      type: 'session_started',
      sessionId: 's1',
      pid: 7,
      model: null,
      resumed: false,
    });
    fixture.end('a', failed);
    resume(fixture);
    expect(fixture.sent('start_run')[0]?.run.resumeSessionId).toBe('s1');
  });

  it('every end saves the record and records exactly one run', () => {
    const fixture = running().end('a', failed);
    expect(fixture.sent('record_run')).toHaveLength(1);
    expect(fixture.sent('save_record').at(-1)?.record).toMatchObject({
      runs: 1,
      claim: { phase: 'retrying' },
    });
    const result = { end: failed, turns: 0, evidence: NO_EVIDENCE };
    expect(fixture.send({ type: 'run_ended', runId: 'no-such-run', result }).commands).toEqual([]);
  });
});
