import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors/app-error.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import { createFixture, environmentOf, type Fixture, isOfType, processesOfRun } from './runner-fixture.ts';
import type { Arrangement, RunnerUnderTest, Scenario } from './runner-scenarios.ts';

/** The longest text one event may carry, whatever the agent prints. */
const MAX_EVENT_TEXT = 10_000;
const never = new AbortController().signal;

/** What every runner must do, whatever its agent does. */
export function runnerContract(subject: RunnerUnderTest): void {
  describe(`runner contract: ${subject.name}`, () => {
    let fixture: Fixture;
    let arranged: Arrangement | null = null;
    let sessions: AgentSession[] = [];

    beforeEach(() => {
      fixture = createFixture();
    });

    afterEach(async () => {
      await Promise.all(sessions.map((session) => session.stop()));
      await arranged?.dispose?.();
      arranged = null;
      sessions = [];
      const survivors = processesOfRun(fixture.runId);
      fixture.dispose();
      expect(survivors, 'processes of the run that outlived its end').toEqual([]);
    });

    async function open(
      scenario: Scenario,
      overrides: Partial<SessionInput> = {},
      signal: AbortSignal = never,
    ): Promise<AgentSession> {
      arranged ??= await subject.arrange(scenario, fixture);
      const { runner, issue } = arranged;
      const environment = { ...fixture.environment, ...arranged.environment };
      const session = await runner.start(fixture.input({ issue, environment, ...overrides }), signal);
      sessions.push(session);
      return session;
    }

    function run(session: AgentSession, signal: AbortSignal = never): Promise<TurnResult> {
      return session.runTurn('Do the work.', signal);
    }

    function agentPid(): number {
      const started = fixture.events.find((event) => isOfType(event, 'session_started'));
      if (typeof started?.pid !== 'number') throw new Error('the session reported no process id');
      return started.pid;
    }

    test('a turn delivers its work and reports it in order (R-10.2-b, R-10.3-a)', async () => {
      const session = await open('happy');
      expect(await run(session)).toEqual({ kind: 'completed' });

      const types = fixture.events.map((event) => event.type);
      expect(types[0]).toBe('session_started');
      expect(types.filter((type) => type === 'session_started')).toHaveLength(1);
      expect(types[1]).toBe('turn_started');
      expect(types.at(-1)).toBe('turn_completed');
      expect(types).toEqual(expect.arrayContaining(['activity', 'usage', 'tool_call']));
      expect(fixture.events[0]).toMatchObject({ resumed: false, pid: expect.any(Number) });

      const totals = fixture.events.flatMap((event) =>
        isOfType(event, 'usage') ? [event.usage.totalTokens] : [],
      );
      expect(totals).toEqual(totals.toSorted((a, b) => a - b));
      expect(totals.at(-1)).toBeGreaterThan(0);

      expect(fixture.toolCalls).toContainEqual({ name: 'issue_move', arguments: { state: 'Human Review' } });
      expect(fixture.git('rev-list', '--count', 'main..HEAD').trim()).toBe('1');
      expect(fixture.remoteGit('rev-parse', fixture.branch)).toBe(fixture.git('rev-parse', 'HEAD'));
      expect(fixture.git('status', '--porcelain')).toBe('');
    });

    test('several turns run in one process and their tokens add up', async () => {
      const session = await open('several_turns');
      const totals: number[] = [];
      for (const turn of [1, 2, 3]) {
        expect(await run(session)).toEqual({ kind: 'completed' });
        expect(fixture.events.at(-1)).toEqual({ type: 'turn_completed', turn });
        const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
        totals.push(usage?.usage.totalTokens ?? 0);
      }
      expect(fixture.events.filter((event) => event.type === 'session_started')).toHaveLength(1);
      expect(new Set(totals).size).toBe(3);
      expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    });

    test('an agent that exits before its session opens fails the start', async () => {
      await expect(open('exits_before_session')).rejects.toMatchObject({
        name: 'AppError',
        code: 'port_exit',
      });
      expect(fixture.events.map((event) => event.type)).toEqual(['startup_failed']);
      expect(processesOfRun(fixture.runId)).toEqual([]);
    });

    test('an agent that exits in its turn fails the turn, and the next one (R-10.3-e)', async () => {
      const session = await open('exits_in_turn');
      expect(await run(session)).toMatchObject({ kind: 'failed', code: 'port_exit' });
      expect(fixture.events.at(-1)).toMatchObject({ type: 'turn_failed', turn: 1 });
      expect(await run(session)).toMatchObject({ kind: 'failed', code: 'port_exit' });
    });

    test('a failure the agent reports is a failed turn', async () => {
      const session = await open('fails');
      const result = await run(session);
      expect(result).toMatchObject({ kind: 'failed', code: 'turn_failed' });
      expect(fixture.events.at(-1)).toMatchObject({ type: 'turn_failed', turn: 1 });
    });

    test('an agent that never opens a session times out', async () => {
      await expect(open('hangs_before_session')).rejects.toMatchObject({
        name: 'AppError',
        code: 'response_timeout',
      });
      expect(fixture.events.at(-1)?.type).toBe('startup_failed');
      expect(processesOfRun(fixture.runId)).toEqual([]);
    });

    test('aborting the start ends the agent', async () => {
      const abort = new AbortController();
      const refused = open('hangs_before_session', {}, abort.signal).then(
        () => 'opened',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
      await waitUntil(() => process.platform !== 'linux' || processesOfRun(fixture.runId).length > 0);
      abort.abort();
      expect(await refused).toBe('agent_failed');
      expect(processesOfRun(fixture.runId)).toEqual([]);
    });

    test('a start that is already aborted launches nothing', async () => {
      await expect(open('happy', {}, AbortSignal.abort())).rejects.toThrow();
      expect(fixture.events).toEqual([]);
    });

    test('an interrupt ends a hanging turn', async () => {
      const session = await open('hangs');
      const abort = new AbortController();
      const turn = run(session, abort.signal);
      await fixture.seen('activity');
      abort.abort();
      expect(await turn).toEqual({ kind: 'interrupted' });
      expect(fixture.events.at(-1)).toEqual({ type: 'turn_cancelled', turn: 1 });
      expect(await run(session)).toMatchObject({ kind: 'failed', code: 'port_exit' });
    });

    test('an agent that heeds the interrupt keeps its session', async () => {
      const session = await open('works_slowly');
      const abort = new AbortController();
      const turn = run(session, abort.signal);
      await fixture.seen('activity');
      abort.abort();
      expect(await turn).toEqual({ kind: 'interrupted' });
      expect(fixture.events.at(-1)).toEqual({ type: 'turn_cancelled', turn: 1 });
      expect(processIsAlive(agentPid())).toBe(true);
    });

    test('a turn that is already aborted is not begun', async () => {
      const session = await open('happy');
      expect(await run(session, AbortSignal.abort())).toEqual({ kind: 'interrupted' });
      expect(fixture.events.map((event) => event.type)).not.toContain('activity');
    });

    test('a flood is survived and cut', async () => {
      const session = await open('floods');
      expect(await run(session)).toEqual({ kind: 'completed' });
      const longest = Math.max(
        ...fixture.events.map((event) => (isOfType(event, 'activity') ? event.text.length : 0)),
      );
      expect(longest).toBeLessThanOrEqual(MAX_EVENT_TEXT);
      expect(fixture.toolCalls.map((call) => call.name)).toContain('issue_move');
    });

    test('garbage is reported and the turn goes on', async () => {
      const session = await open('prints_garbage');
      expect(await run(session)).toEqual({ kind: 'completed' });
      expect(fixture.events.map((event) => event.type)).toContain('malformed');
      expect(fixture.toolCalls.map((call) => call.name)).toContain('issue_move');
    });

    test('an agent that ignores SIGTERM is ended all the same', async () => {
      const session = await open('ignores_sigterm');
      const turn = run(session);
      await fixture.seen('activity');
      const pid = agentPid();
      await session.stop();
      expect(processIsAlive(pid)).toBe(false);
      expect(await turn).toEqual({ kind: 'interrupted' });
    });

    test.runIf(process.platform === 'linux')('a grandchild in a session of its own is ended', async () => {
      const session = await open('leaves_grandchild');
      expect(await run(session)).toEqual({ kind: 'completed' });
      expect(processesOfRun(fixture.runId).filter((pid) => pid !== agentPid())).not.toEqual([]);
      await session.stop();
      expect(processesOfRun(fixture.runId)).toEqual([]);
    });

    test('a question is a result, not a wait (R-10.5-b, R-10.5-w)', async () => {
      const session = await open('asks');
      const result = await run(session);
      expect(result).toEqual({
        kind: 'input_required',
        method: expect.any(String),
        question: expect.stringMatching(/./),
      });
      expect(fixture.events.at(-1)).toMatchObject({ type: 'turn_input_required', turn: 1 });
    });

    test('a used-up quota is told from a failure', async () => {
      const session = await open('meets_quota');
      const result = await run(session);
      expect(result).toMatchObject({ kind: 'quota', message: expect.stringMatching(/./) });
      if (result.kind === 'quota' && result.resetAt !== null)
        expect(result.resetAt).toBeGreaterThan(Date.now());
    });

    test('a session is resumed by its id', async () => {
      const first = await open('happy');
      await run(first);
      const { sessionId } = await fixture.seen('session_started');
      await first.stop();
      fixture.clear();
      const second = await open('happy', { resumeSessionId: sessionId });
      expect(await run(second)).toEqual({ kind: 'completed' });
      expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    });

    test('an unknown tool is refused and the session goes on (R-10.5-e, R-17.5-k)', async () => {
      const session = await open('calls_unknown_tool');
      expect(await run(session)).toEqual({ kind: 'completed' });
      const refused = await fixture.seen('unsupported_tool_call');
      expect(fixture.toolCalls.map((call) => call.name)).not.toContain(refused.tool);
      expect(fixture.toolCalls.map((call) => call.name)).toContain('issue_move');
    });

    test('stopping ends the turn, may be repeated, and nothing is reported after it', async () => {
      const session = await open('works_slowly');
      const turn = run(session);
      await fixture.seen('activity');
      await Promise.all([session.stop(), session.stop()]);
      const reported = fixture.events.length;
      expect(await turn).toEqual({ kind: 'interrupted' });
      await session.stop();
      expect(await run(session)).toEqual({ kind: 'interrupted' });
      expect(fixture.events).toHaveLength(reported);
    });

    test.runIf(process.platform === 'linux')(
      'the agent gets its own environment and nothing else',
      async () => {
        const session = await open('works_slowly');
        const turn = run(session);
        await fixture.seen('activity');
        const names = environmentOf(agentPid()).map((entry) => entry.slice(0, entry.indexOf('=')));
        const allowed = [
          ...Object.keys(fixture.environment),
          ...Object.keys(arranged?.environment ?? {}),
          'AIOPS_RUN_ID',
        ];
        expect(names.toSorted()).toEqual(allowed.toSorted());
        await session.stop();
        await turn;
      },
    );
  });
}

function processIsAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Polls a condition that has no event of its own. */
async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
