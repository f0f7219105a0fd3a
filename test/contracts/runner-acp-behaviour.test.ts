import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAcpRunner } from '../../src/runners/acp/runner.ts';
import type { AcpSettings } from '../../src/runners/acp/settings.ts';
import type { AgentSession, SessionInput } from '../../src/runners/runner.ts';
import { fakeAcpSettings } from '../fakes/acp/settings.ts';
import { createFixture, type Fixture, isOfType } from './runner-fixture.ts';

const never = new AbortController().signal;
let fixture: Fixture;
let sessions: AgentSession[] = [];

beforeEach(() => {
  fixture = createFixture();
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop()));
  sessions = [];
  fixture.dispose();
});

async function open(
  scenario: string,
  acp: Partial<AcpSettings> = {},
  input: Partial<SessionInput> = {},
): Promise<AgentSession> {
  const timing = { interruptGraceMs: 300, stopGrace: { inputEndMs: 150, termMs: 150 } };
  const runner = createAcpRunner({ acp: fakeAcpSettings(scenario, acp), timing });
  const session = await runner.start(fixture.input(input), never);
  sessions.push(session);
  return session;
}

const run = (session: AgentSession) => session.runTurn('Do the work.', never);
const said = (): string[] =>
  fixture.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : []));

test('chunks of a message are one activity', async () => {
  await run(await open('happy'));
  expect(said()).toEqual(['git commit', 'The work is handed over.']);
});

test('what a resumed session replays is not reported again; an unknown one is followed by a new one', async () => {
  const first = await open('several_turns');
  await run(first);
  const { sessionId } = await fixture.seen('session_started');
  await first.stop();
  fixture.clear();
  await run(await open('several_turns', {}, { resumeSessionId: sessionId }));
  expect(said()).toEqual(['turn 1']);
  fixture.clear();
  await open('several_turns', {}, { resumeSessionId: 'nobody' });
  expect(fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false, model: 'fake-model' });
});

test('an agent that resumes without telling the past is asked for that', async () => {
  const first = await open('resumes_without_history');
  await run(first);
  const { sessionId } = await fixture.seen('session_started');
  await first.stop();
  fixture.clear();
  expect(await run(await open('resumes_without_history', {}, { resumeSessionId: sessionId }))).toEqual({
    kind: 'completed',
  });
  expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
});

test('a permission is a question whose code allows exactly it, or granted by the workflow', async () => {
  const asked = await run(await open('asks'));
  if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${asked.kind}`);
  expect(asked.question).toContain('rm -rf build');
  const code = /approve [0-9a-f]{8}/.exec(asked.question)?.[0] ?? '';
  const wrong = await run(await open('asks', {}, { answer: 'approve 00000000' }));
  expect(wrong.kind).toBe('input_required');
  expect(await run(await open('asks', {}, { answer: code }))).toEqual({ kind: 'completed' });
  expect(await run(await open('asks', { permissions: 'allow' }))).toEqual({ kind: 'completed' });
});

test("the worker's own tools need no permission", async () => {
  expect(await run(await open('asks_for_own_tool'))).toEqual({ kind: 'completed' });
  expect(said()).toContain('issue_move (aiops MCP Server)');
  expect(fixture.events).toContainEqual({
    type: 'approval_auto_approved',
    method: 'session/request_permission',
  });
});

test('silence beyond acp.turn_timeout_ms ends the turn', async () => {
  const result = await run(await open('works_slowly', { turnTimeoutMs: 300 }));
  expect(result).toMatchObject({
    kind: 'timed_out',
    message: expect.stringContaining('acp.turn_timeout_ms'),
  });
});

test('an agent that takes no tools over HTTP is said to have none', async () => {
  const warnings: string[] = [];
  const { logger } = fixture.input();
  await open('takes_no_tools', {}, { logger: { ...logger, warn: (text) => void warnings.push(text) } });
  expect(warnings.join()).toContain('takes no tools over HTTP');
});

test('a command that runs in silence is reported, so that it is no stall', async () => {
  const stop = new AbortController();
  const session = await open('runs_quietly', { stallTimeoutMs: 200 });
  const turn = session.runTurn('Do the work.', stop.signal);
  await fixture.seen('notification', ({ name }) => name === 'still running: make world');
  stop.abort();
  expect(await turn).toEqual({ kind: 'interrupted' });
});

test('a flood of tool calls is thinned out, and a flood of requests is answered and told once', async () => {
  await run(await open('floods_calls'));
  expect(said().length).toBeLessThan(500);
  expect(said().at(-1)).toBe('call 2999');
  fixture.clear();
  await run(await open('floods_requests'));
  expect(said()).toEqual(['refused 3000']);
  expect(fixture.events.filter((event) => isOfType(event, 'notification'))).toHaveLength(3);
});

test('a line of 100 MB is skipped, and garbage leaves no trace on the console', async () => {
  const printed = vi.spyOn(console, 'error');
  onTestFinished(() => printed.mockRestore());
  expect(await run(await open('prints_long_line'))).toEqual({ kind: 'completed' });
  expect((await fixture.seen('malformed')).bytes).toBeGreaterThanOrEqual(100_000_000);
  expect(await run(await open('prints_garbage'))).toEqual({ kind: 'completed' });
  expect(printed.mock.calls).toEqual([]);
});

test('tokens are added up over the turns, with cached ones; the cost is of this session alone', async () => {
  const first = await open('tells_cost');
  await run(first);
  await run(first);
  const usage = { inputTokens: 500, outputTokens: 100, totalTokens: 600 };
  expect(fixture.events.filter((event) => isOfType(event, 'usage')).at(-1)).toMatchObject({
    usage,
    costUsd: 0.5,
  });
  const { sessionId } = await fixture.seen('session_started');
  await first.stop();
  fixture.clear();
  const resumed = await open('tells_cost', {}, { resumeSessionId: sessionId });
  await run(resumed);
  expect(await fixture.seen('usage')).toMatchObject({ usage: { totalTokens: 300 }, costUsd: null });
  await run(resumed);
  expect(fixture.events.filter((event) => isOfType(event, 'usage')).at(-1)).toMatchObject({ costUsd: 0.25 });
  fixture.clear();
  await run(await open('counts_like_gemini'));
  expect(await fixture.seen('usage')).toMatchObject({ usage: { totalTokens: 10 }, costUsd: null });
});

test('an agent of another version, or one that is not signed in, fails the start with what to do', async () => {
  await expect(open('speaks_another_version')).rejects.toMatchObject({
    code: 'agent_failed',
    message: expect.stringContaining('version 2'),
  });
  await expect(open('wants_sign_in')).rejects.toMatchObject({
    code: 'agent_unauthorized',
    hint: expect.stringContaining('A key'),
  });
});

test.each([
  ['loses_sign_in', 'agent_unauthorized', 'Authentication required'],
  ['fails', 'turn_failed', 'the model refused'],
  ['fails_without_code', 'turn_failed', 'only words'],
  ['answers_nonsense', 'turn_failed', 'session/prompt'],
])('a turn that %s fails as %s', async (scenario, code, message) => {
  expect(await run(await open(scenario))).toEqual({
    kind: 'failed',
    code,
    message: expect.stringContaining(message),
  });
});

test('a program that is not there fails the start', async () => {
  await expect(open('', { command: '/no/such/agent' })).rejects.toMatchObject({ code: 'agent_not_found' });
});
