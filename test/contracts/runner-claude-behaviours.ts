import { describe, expect, test } from 'vitest';
import { arrangeFakeClaude } from './runner-claude-fixture.ts';
import { isOfType, processesOfRun } from './runner-fixture.ts';

/** What the Claude runner does. */
export function claudeBehaviours(): void {
  const claude = arrangeFakeClaude();
  const lastUsage = () => claude.fixture.events.findLast((event) => isOfType(event, 'usage'));

  describe('how turns end', () => {
    test.each([
      ['no_credit', { kind: 'quota', message: 'Credit balance is too low' }],
      ['on_hold', { kind: 'failed', code: 'agent_unauthorized' }],
      ['unauthorized', { kind: 'failed', code: 'agent_unauthorized' }],
      ['overloaded', { kind: 'failed', code: 'agent_overloaded' }],
      ['overflows', { kind: 'failed', code: 'context_overflow' }],
      ['takes_too_long', { kind: 'failed', message: expect.stringContaining('claude.max_turns') }],
      ['spends_all', { kind: 'input_required', question: expect.stringContaining('claude.max_budget_usd') }],
    ])('%s', async (scenario, expected) => {
      expect(await claude.run(await claude.open(scenario))).toMatchObject(expected);
    });

    test('a quota says when it is lifted', async () => {
      const result = await claude.run(await claude.open('meets_quota'));
      expect(result).toMatchObject({ kind: 'quota', resetAt: expect.any(Number) });
      expect(claude.fixture.events.map(({ type }) => type)).toContain('rate_limits');
    });

    test('a retry says when and why', async () => {
      await claude.run(await claude.open('retries'));
      const name = 'the model is asked again in 4 s (2 of 10): overloaded';
      expect(claude.fixture.events).toContainEqual({ type: 'notification', name });
    });

    test('silence beyond claude.turn_timeout_ms ends the turn', async () => {
      const result = await claude.run(await claude.open('works_slowly', { turnTimeoutMs: 300 }));
      expect(result).toMatchObject({
        kind: 'timed_out',
        message: expect.stringContaining('claude.turn_timeout_ms'),
      });
    });
  });

  describe('usage and cost', () => {
    test('add up over turns, caches included', async () => {
      const session = await claude.open('several_turns');
      await claude.run(session);
      await claude.run(session);
      expect(lastUsage()).toMatchObject({
        usage: { inputTokens: 2600, outputTokens: 100, totalTokens: 2700 },
        costUsd: 1,
      });
      expect(claude.fixture.events).toContainEqual({ type: 'model_changed', model: 'fake-model' });
    });

    test('of a resumed conversation leave out what was used before', async () => {
      const first = await claude.open('several_turns');
      await claude.run(first);
      const { sessionId } = await claude.fixture.seen('session_started');
      await first.stop();
      claude.fixture.clear();
      await claude.run(await claude.open('several_turns', {}, { resumeSessionId: sessionId }));
      expect(lastUsage()).toMatchObject({ usage: { totalTokens: 1350 }, costUsd: 0.5 });
    });

    test('are taken from totals of a version that does not tell what a turn added', async () => {
      const session = await claude.open('old_version');
      await claude.run(session);
      await claude.run(session);
      expect(lastUsage()).toMatchObject({ costUsd: 1 });
      expect(lastUsage()?.usage.totalTokens).toBeGreaterThanOrEqual(2100);
    });
  });

  describe('permissions', () => {
    test('a request ends the turn with a question, and its code allows exactly it in the next run', async () => {
      const asked = await claude.run(await claude.open('asks_permission'));
      if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${asked.kind}`);
      expect(asked.question).toContain('rm -rf build');
      expect(claude.fixture.git('log', '--format=%s', 'main..HEAD')).toBe('');
      const code = /approve ([0-9a-f]{8})/.exec(asked.question)?.[1];
      const wrong = await claude.run(
        await claude.open('asks_permission', {}, { answer: 'approve 00000000' }),
      );
      expect(wrong.kind).toBe('input_required');
      const session = await claude.open('asks_permission', {}, { answer: `Yes: approve ${code}` });
      expect(await claude.run(session)).toEqual({ kind: 'completed' });
      expect(claude.fixture.events).toContainEqual({
        type: 'approval_auto_approved',
        method: 'can_use_tool/Bash',
      });
    });

    test("the run's own tools are granted, and none that is only named like them", async () => {
      expect(await claude.run(await claude.open('asks_for_own_tool'))).toEqual({ kind: 'completed' });
      expect(await claude.run(await claude.open('asks_for_alike'))).toMatchObject({
        kind: 'input_required',
        question: expect.stringContaining('mcp__aiops__drop_everything'),
      });
    });

    test('a question carries its choices', async () => {
      expect(await claude.run(await claude.open('asks'))).toMatchObject({
        question: 'Red or blue? (Red / Blue)',
      });
    });

    test('requests it does not know are refused and the turn goes on', async () => {
      expect(await claude.run(await claude.open('asks_oddly'))).toEqual({ kind: 'completed' });
      expect(claude.said()).toContain('error -32601');
    });

    test('the refusal of root is explained with its fix', async () => {
      await expect(claude.open('refuses_root')).rejects.toMatchObject({
        code: 'port_exit',
        message: expect.stringContaining('root/sudo'),
        hint: expect.stringContaining('claude.allowed_tools'),
      });
    });
  });

  describe('a message in the middle of a turn', () => {
    test('is heard in the same turn', async () => {
      const session = await claude.open('listens');
      const turn = claude.run(session);
      await claude.fixture.seen('activity', ({ text }) => text === 'listening');
      expect(await session.steer?.('take the blue one')).toBe(true);
      expect(await turn).toEqual({ kind: 'completed' });
      expect(claude.said()).toContain('heard: take the blue one');
      expect(claude.fixture.events.filter(({ type }) => type === 'turn_completed')).toHaveLength(1);
      expect(await session.steer?.('too late')).toBe(false);
    });

    test('that comes after the last word is answered before the turn ends', async () => {
      const session = await claude.open('listens_late');
      const turn = claude.run(session, 'the task');
      await claude.fixture.seen('activity');
      expect(await session.steer?.('one more thing')).toBe(true);
      expect(await turn).toEqual({ kind: 'completed' });
      expect(claude.said()).toEqual(['answering the task', 'answering one more thing']);
      expect(await claude.run(session, 'the next task')).toEqual({ kind: 'completed' });
      expect(claude.said().at(-1)).toBe('answering the next task');
    });

    test('does not keep a turn going that failed', async () => {
      const session = await claude.open('listens_late');
      const turn = claude.run(session, 'fail');
      await claude.fixture.seen('activity');
      expect(await session.steer?.('go on anyway')).toBe(true);
      expect(await turn).toMatchObject({ kind: 'failed', message: 'no' });
      expect(processesOfRun(claude.fixture.runId)).toEqual([]);
      expect(await claude.run(session)).toMatchObject({ kind: 'failed', code: 'port_exit' });
    });

    test('is forgotten with an interrupt', async () => {
      const session = await claude.open('works_slowly');
      const abort = new AbortController();
      const turn = session.runTurn('work', abort.signal);
      await claude.fixture.seen('activity');
      expect(await session.steer?.('and this')).toBe(true);
      abort.abort();
      expect(await turn).toEqual({ kind: 'interrupted' });
      expect(claude.said()).toEqual(['working']);
    });

    test('is not sent to a version that does not tell what becomes of it', async () => {
      const session = await claude.open('old_and_slow');
      const turn = claude.run(session);
      await claude.fixture.seen('activity');
      expect(await session.steer?.('hello?')).toBe(false);
      await session.stop();
      expect(await turn).toEqual({ kind: 'interrupted' });
    });
  });

  test('a text may hold what other readers take for the end of a line', async () => {
    expect(await claude.run(await claude.open('separates_lines'))).toEqual({ kind: 'completed' });
    expect(claude.said()).toEqual(['one\u2028two\u2029three']);
  });

  test('an end that nobody knows is a failed turn', async () => {
    expect(await claude.run(await claude.open('ends_oddly'))).toMatchObject({ kind: 'failed' });
  });

  test('a flood of activities is cut, and its end is told', async () => {
    expect(await claude.run(await claude.open('chatters'))).toEqual({ kind: 'completed' });
    expect(claude.said().length).toBeLessThan(500);
    expect(claude.said().at(-1)).toBe('word 2000');
    const names = claude.fixture.events.flatMap((event) =>
      isOfType(event, 'notification') ? [event.name] : [],
    );
    expect(names.join()).toMatch(/\d+ activities came too fast/);
  });

  test('a conversation that is too long is not resumed', async () => {
    await claude.run(await claude.open('overflows'));
    const ids = claude.fixture.events.flatMap((event) =>
      isOfType(event, 'session_started') ? [event.sessionId] : [],
    );
    expect(ids).toHaveLength(2);
    claude.fixture.clear();
    const session = await claude.open('several_turns', {}, { resumeSessionId: ids[1] ?? null });
    expect(await claude.run(session)).toEqual({ kind: 'completed' });
    expect(claude.fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false });
  });

  test('a conversation that is gone is followed by a new one', async () => {
    const session = await claude.open(
      'several_turns',
      {},
      { resumeSessionId: 'a0000000-0000-4000-8000-000000000000' },
    );
    expect(await claude.run(session)).toEqual({ kind: 'completed' });
    expect(claude.fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false });
  });
}
