import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClaudeConfig } from '../../src/config/config.ts';
import { createClaudeRunner } from '../../src/runners/claude/runner.ts';
import type { AgentSession, SessionInput } from '../../src/runners/runner.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';
import { createStage, isOfType, processesOfRun, type Stage } from './runner-stage.ts';

const never = new AbortController().signal;
let stage: Stage;
let sessions: AgentSession[] = [];

beforeEach(() => {
  stage = createStage();
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop()));
  sessions = [];
  stage.dispose();
});

async function open(
  scenario: string,
  claude: Partial<ClaudeConfig> = {},
  input: Partial<SessionInput> = {},
): Promise<AgentSession> {
  const runner = createClaudeRunner({
    claude: fakeClaudeSettings(scenario, claude),
    timing: { interruptGraceMs: 300, stopGrace: { inputEndMs: 150, termMs: 150 } },
  });
  const session = await runner.start(stage.input(input), never);
  sessions.push(session);
  return session;
}

const run = (session: AgentSession) => session.runTurn('Do the work.', never);
const said = (): string[] =>
  stage.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : []));
const lastUsage = () => stage.events.findLast((event) => isOfType(event, 'usage'));

describe('how turns end', () => {
  test.each([
    ['unauthorized', { kind: 'failed', code: 'agent_unauthorized' }],
    ['overloaded', { kind: 'failed', code: 'agent_overloaded' }],
    ['overflows', { kind: 'failed', code: 'context_overflow' }],
    ['takes_too_long', { kind: 'failed', message: expect.stringContaining('claude.max_turns') }],
    ['spends_all', { kind: 'input_required', question: expect.stringContaining('claude.max_budget_usd') }],
  ])('%s', async (scenario, expected) => {
    expect(await run(await open(scenario))).toMatchObject(expected);
  });

  test('a quota says when it is lifted', async () => {
    const result = await run(await open('meets_quota'));
    expect(result).toMatchObject({ kind: 'quota', resetAt: expect.any(Number) });
    expect(stage.events.map(({ type }) => type)).toContain('rate_limits');
  });

  test('silence beyond claude.turn_timeout_ms ends the turn', async () => {
    const result = await run(await open('works_slowly', { turnTimeoutMs: 300 }));
    expect(result).toMatchObject({
      kind: 'timed_out',
      message: expect.stringContaining('claude.turn_timeout_ms'),
    });
  });
});

describe('usage and cost', () => {
  test('add up over turns, caches included', async () => {
    const session = await open('several_turns');
    await run(session);
    await run(session);
    expect(lastUsage()).toMatchObject({
      usage: { inputTokens: 2600, outputTokens: 100, totalTokens: 2700 },
      costUsd: 1,
    });
    expect(stage.events).toContainEqual({ type: 'model_changed', model: 'fake-model' });
  });

  test('of a resumed conversation leave out what was used before', async () => {
    const first = await open('several_turns');
    await run(first);
    const { sessionId } = await stage.seen('session_started');
    await first.stop();
    stage.clear();
    await run(await open('several_turns', {}, { resumeSessionId: sessionId }));
    expect(lastUsage()).toMatchObject({ usage: { totalTokens: 1350 }, costUsd: 0.5 });
  });

  test('are taken from totals of a version that does not tell what a turn added', async () => {
    const session = await open('old_version');
    await run(session);
    await run(session);
    expect(lastUsage()).toMatchObject({ costUsd: 1 });
    expect(lastUsage()?.usage.totalTokens).toBeGreaterThanOrEqual(2100);
  });
});

describe('permissions', () => {
  test('a request ends the turn with a question, and its code allows exactly it in the next run', async () => {
    const asked = await run(await open('asks_permission'));
    if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${asked.kind}`);
    expect(asked.question).toContain('rm -rf build');
    expect(stage.git('log', '--format=%s', 'main..HEAD')).toBe('');
    const code = /approve ([0-9a-f]{8})/.exec(asked.question)?.[1];
    const wrong = await run(await open('asks_permission', {}, { answer: 'approve 00000000' }));
    expect(wrong.kind).toBe('input_required');
    const session = await open('asks_permission', {}, { answer: `Yes: approve ${code}` });
    expect(await run(session)).toEqual({ kind: 'completed' });
    expect(stage.events).toContainEqual({ type: 'approval_auto_approved', method: 'can_use_tool/Bash' });
  });

  test('a question carries its choices', async () => {
    expect(await run(await open('asks'))).toMatchObject({ question: 'Red or blue? (Red / Blue)' });
  });

  test('requests it does not know are refused and the turn goes on', async () => {
    expect(await run(await open('asks_oddly'))).toEqual({ kind: 'completed' });
    expect(said()).toContain('error -32601');
  });

  test('the refusal of root is explained with its fix', async () => {
    await expect(open('refuses_root')).rejects.toMatchObject({
      code: 'port_exit',
      message: expect.stringContaining('root/sudo'),
      hint: expect.stringContaining('claude.allowed_tools'),
    });
  });
});

describe('the command line', () => {
  const argumentsOf = async (claude: Partial<ClaudeConfig>): Promise<string> => {
    await run(await open('shows_arguments', claude));
    return said()[0] ?? '';
  };

  test('carries the settings', async () => {
    const line = await argumentsOf({
      model: 'opus',
      maxTurns: 7,
      maxBudgetUsd: 1.5,
      allowedTools: ['Bash(npm test:*)', 'Edit'],
      disallowedTools: ['WebFetch'],
    });
    expect(line).toContain('"--model","opus"');
    expect(line).toContain('"--max-turns","7","--max-budget-usd","1.5"');
    expect(line).toContain('"--allowedTools","Bash(npm test:*)","Edit","--disallowedTools","WebFetch"');
    expect(line).toContain('"--permission-mode","acceptEdits"');
  });

  test('leaves options to a command that sets them itself', async () => {
    const { command } = fakeClaudeSettings('shows_arguments');
    const line = await argumentsOf({
      command: `${command} --model mine --permission-mode=plan`,
      model: 'opus',
    });
    expect(line).toContain('"--model","mine","--permission-mode=plan"');
    expect(line).not.toMatch(/opus|acceptEdits/);
  });

  test('may need a shell', async () => {
    const { command } = fakeClaudeSettings('shows_arguments');
    expect(await argumentsOf({ command: `FOO="$HOME" ${command}` })).toContain('"--session-id"');
  });

  test('of a program that is not there fails the start and says how to get it', async () => {
    await expect(open('', { command: 'FOO=1 no-such-claude' })).rejects.toMatchObject({
      code: 'agent_not_found',
      hint: expect.stringContaining('claude.command'),
    });
    await expect(open('', { command: '/no/such/claude' })).rejects.toMatchObject({ code: 'agent_not_found' });
  });
});

test('a conversation that is too long is not resumed', async () => {
  await run(await open('overflows'));
  const ids = stage.events.flatMap((event) => (isOfType(event, 'session_started') ? [event.sessionId] : []));
  expect(ids).toHaveLength(2);
  stage.clear();
  const session = await open('several_turns', {}, { resumeSessionId: ids[1] ?? null });
  expect(await run(session)).toEqual({ kind: 'completed' });
  expect(stage.events[0]).toMatchObject({ type: 'session_started', resumed: false });
});

test('a conversation that is gone is followed by a new one', async () => {
  const session = await open(
    'several_turns',
    {},
    { resumeSessionId: 'a0000000-0000-4000-8000-000000000000' },
  );
  expect(await run(session)).toEqual({ kind: 'completed' });
  expect(stage.events[0]).toMatchObject({ type: 'session_started', resumed: false });
});

describe('a command in text mode', () => {
  const text = (scenario: string): Partial<ClaudeConfig> => ({
    command: `${fakeClaudeSettings(scenario).command} -p --output-format text`,
  });

  test('gets the prompt, and its lines are what it says; every turn is a new process', async () => {
    const session = await open('happy', text('happy'));
    expect(await run(session)).toEqual({ kind: 'completed' });
    expect(await run(session)).toEqual({ kind: 'completed' });
    expect(said()).toEqual(['you said: Do the work.', 'bye', 'you said: Do the work.', 'bye']);
    expect(stage.events.at(-1)).toEqual({ type: 'turn_completed', turn: 2 });
    expect(processesOfRun(stage.runId)).toEqual([]);
  });

  test('fails with what it said last', async () => {
    expect(await run(await open('', text('exits_in_turn')))).toMatchObject({
      kind: 'failed',
      message: 'Claude exited with code 4: no credit',
    });
  });

  test('is interrupted and stopped', async () => {
    const session = await open('', text('hangs'));
    const abort = new AbortController();
    const turn = session.runTurn('wait', abort.signal);
    await expect.poll(() => processesOfRun(stage.runId).length).toBeGreaterThan(0);
    abort.abort();
    expect(await turn).toEqual({ kind: 'interrupted' });
    const next = session.runTurn('wait', never);
    await session.stop();
    expect(await next).toEqual({ kind: 'interrupted' });
    expect(processesOfRun(stage.runId)).toEqual([]);
  });

  test('its limits are in the log', async () => {
    const warnings: string[] = [];
    const { logger } = stage.input();
    await open('', text('happy'), { logger: { ...logger, warn: (message) => void warnings.push(message) } });
    expect(warnings.join()).toContain('no tools, questions, tokens or costs');
  });
});
