import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOfType, processesOfRun } from '../../contracts/runner-fixture.ts';
import { TOKENS_PER_ANSWER } from '../../fakes/claude/messages-server.ts';
import { killAgent } from '../kill-scenarios.ts';
import { claudeBinary, describeClaude, never, openClaudeFixture } from './claude-fixture.ts';

const WRITE = (file: string) => ({ call: 'Write', input: { file_path: file, content: 'hello\n' } });
const BASH = (command: string) => ({ call: 'Bash', input: { command, description: 'work' } });
const MOVE = { call: 'mcp__aiops__issue_move', input: { state: 'Human Review' } };

describeClaude('the real Claude', () => {
  test('edits, commits, calls a tool and says so', async () => {
    const { fixture, model, open, said } = await openClaudeFixture((_request, number) => {
      if (number === 1) return { blocks: [WRITE(join(fixture.workspace, 'GREETING'))] };
      if (number === 2) return { blocks: [BASH('git add GREETING')] };
      if (number === 3) {
        fixture.git('config', 'user.name', 'C');
        fixture.git('config', 'user.email', 'c@example.invalid');
        return { blocks: [BASH('git commit -qm Greet')] };
      }
      return { blocks: number === 4 ? [MOVE] : [{ say: 'All done.' }] };
    });
    const session = await open();
    expect(await session.runTurn('Greet the visitor.', never)).toEqual({ kind: 'completed' });
    expect(fixture.git('log', '--format=%s', 'main..HEAD').trim()).toBe('Greet');
    expect(fixture.toolCalls).toEqual([{ name: 'issue_move', arguments: { state: 'Human Review' } }]);
    expect(said()).toEqual(expect.arrayContaining(['git commit -qm Greet', 'All done.']));
    expect(fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false });
    expect(fixture.events.at(-1)).toEqual({ type: 'turn_completed', turn: 1 });
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { totalTokens: 5 * TOKENS_PER_ANSWER } });
    expect(usage?.costUsd).toBeGreaterThan(0);
    expect(model.requests[0]?.model).toBe('claude-sonnet-4-5');
    expect(model.requests[0]?.tools).not.toContain('ScheduleWakeup');
  });

  test('several turns share one process and the conversation', async () => {
    const { fixture, model, open } = await openClaudeFixture((_request, number) => ({
      blocks: [{ say: `answer ${number}` }],
    }));
    const session = await open();
    for (const text of ['first words', 'second words', 'third words']) {
      expect(await session.runTurn(text, never)).toEqual({ kind: 'completed' });
    }
    expect(model.requests.at(-1)?.messages).toMatch(
      /first words.*answer 1.*second words.*answer 2.*third words/s,
    );
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { totalTokens: 3 * TOKENS_PER_ANSWER } });
    expect(fixture.events.filter(({ type }) => type === 'session_started')).toHaveLength(1);
  });

  test('a conversation is resumed after Claude was killed in a turn, and its old tokens are not counted again', async () => {
    const { fixture, model, open } = await openClaudeFixture((_request, number) =>
      number === 2 ? 'hang' : { blocks: [{ say: `answer ${number}` }] },
    );
    expect(await killAgent(fixture, model, (input) => open({}, input))).toBe(TOKENS_PER_ANSWER);
    expect(model.requests.at(-1)?.messages).toContain('remember the word plum');
  });

  test('a conversation it does not know is followed by a new one', async () => {
    const { fixture, open } = await openClaudeFixture(() => ({ blocks: [{ say: 'hi' }] }));
    const session = await open({}, { resumeSessionId: 'a0000000-0000-4000-8000-000000000000' });
    expect(await session.runTurn('hello', never)).toEqual({ kind: 'completed' });
    expect(fixture.events[0]).toMatchObject({ type: 'session_started', resumed: false });
  });

  test('an interrupt ends the turn and its command, and the next turn works', async () => {
    const { fixture, open } = await openClaudeFixture((_request, number) =>
      number === 1 ? { blocks: [BASH('tail -f /dev/null')] } : { blocks: [{ say: 'again' }] },
    );
    const session = await open({ allowedTools: ['Bash'] });
    const abort = new AbortController();
    const turn = session.runTurn('sleep', abort.signal);
    await fixture.seen('activity', ({ text }) => text === 'tail -f /dev/null');
    await expect.poll(() => processesOfRun(fixture.runId).length, { timeout: 10_000 }).toBeGreaterThan(1);
    abort.abort();
    expect(await turn).toEqual({ kind: 'interrupted' });
    expect(await session.runTurn('go on', never)).toEqual({ kind: 'completed' });
    await session.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
  });

  test('a command that is not allowed is a question; the answer allows exactly it', async () => {
    const { fixture, open } = await openClaudeFixture((_request, number) =>
      number <= 2 ? { blocks: [BASH('mkfifo pipe && chmod 777 pipe')] } : { blocks: [{ say: 'done' }] },
    );
    const first = await open({ permissionMode: 'default' });
    const asked = await first.runTurn('make a pipe', never);
    if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${JSON.stringify(asked)}`);
    expect(asked.question).toContain('mkfifo pipe');
    expect(existsSync(join(fixture.workspace, 'pipe'))).toBe(false);
    const { sessionId } = await fixture.seen('session_started');
    await first.stop();
    const answer = /approve [0-9a-f]{8}/.exec(asked.question)?.[0] ?? '';
    const second = await open({ permissionMode: 'default' }, { resumeSessionId: sessionId, answer });
    expect(await second.runTurn('go on', never)).toEqual({ kind: 'completed' });
    expect(existsSync(join(fixture.workspace, 'pipe'))).toBe(true);
  });

  test('a question of the model is a question for a person', async () => {
    const options = ['Red', 'Blue'].map((label) => ({ label, description: label }));
    const questions = [{ question: 'Which colour?', header: 'Colour', options, multiSelect: false }];
    const { open } = await openClaudeFixture(() => ({
      blocks: [{ call: 'AskUserQuestion', input: { questions } }],
    }));
    const session = await open();
    expect(await session.runTurn('paint', never)).toEqual({
      kind: 'input_required',
      method: 'can_use_tool/AskUserQuestion',
      question: 'Which colour? (Red / Blue)',
    });
  });

  test.each([
    [429, 'rate_limit_error', { kind: 'quota' }],
    [401, 'authentication_error', { kind: 'failed', code: 'agent_unauthorized' }],
    [500, 'api_error', { kind: 'failed', code: 'turn_failed' }],
    [529, 'overloaded_error', { kind: 'failed', code: 'agent_overloaded' }],
  ])('an API error %i is no success', async (status, type, expected) => {
    const { open } = await openClaudeFixture(() => ({ status, type, message: 'scripted' }));
    const session = await open();
    expect(await session.runTurn('work', never)).toMatchObject(expected);
  });

  test('limits of turns and dollars hold', async () => {
    const { fixture, open } = await openClaudeFixture((_request, number) => ({
      blocks: [BASH(`echo ${number}`)],
    }));
    const short = await open({ maxTurns: 2, allowedTools: ['Bash'] });
    expect(await short.runTurn('work', never)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('claude.max_turns'),
    });
    const cheap = await open({ maxBudgetUsd: 0.001, allowedTools: ['Bash'] });
    expect(await cheap.runTurn('work', never)).toMatchObject({ kind: 'input_required' });
    expect(fixture.events.map(({ type }) => type)).toContain('usage');
  });

  test.runIf(process.getuid?.() === 0)('root is told how to go on', async () => {
    const { open } = await openClaudeFixture(() => ({ blocks: [{ say: 'hi' }] }));
    await expect(open({ permissionMode: 'bypassPermissions' })).rejects.toMatchObject({
      message: expect.stringContaining('root'),
      hint: expect.stringContaining('claude.permission_mode'),
    });
  });

  test('a message in the middle of a turn is heard in it', async () => {
    const { fixture, model, open } = await openClaudeFixture((_request, number) =>
      number === 1
        ? { blocks: [BASH('until [ -e told ]; do sleep 0.05; done')] }
        : { blocks: [{ say: 'I take the blue one.' }] },
    );
    const session = await open({ allowedTools: ['Bash'] });
    const turn = session.runTurn('Paint it.', never);
    await fixture.seen('activity');
    expect(await session.steer?.('Take the blue one, please.')).toBe(true);
    writeFileSync(join(fixture.workspace, 'told'), '');
    expect(await turn).toEqual({ kind: 'completed' });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages).toContain('Take the blue one, please.');
  });

  test('a message after the last word is answered before the turn ends, and the next turn is its own', async () => {
    let release = (): void => {};
    const { fixture, model, open, said } = await openClaudeFixture((_request, number) => {
      const blocks = [{ say: `answer ${number}` }];
      return number > 1 ? { blocks } : { blocks, until: new Promise<void>((resolve) => (release = resolve)) };
    });
    const session = await open();
    const turn = session.runTurn('first', never);
    await model.seen(1);
    expect(await session.steer?.('and one more thing')).toBe(true);
    release();
    expect(await turn).toEqual({ kind: 'completed' });
    expect(said()).toEqual(['answer 1', 'answer 2']);
    expect(await session.runTurn('third', never)).toEqual({ kind: 'completed' });
    expect(said().at(-1)).toBe('answer 3');
    const usage = fixture.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage).toMatchObject({ usage: { totalTokens: 3 * TOKENS_PER_ANSWER } });
  });
});

describe.runIf(claudeBinary !== null)('the real Claude in text mode', () => {
  test('a text-mode command works, with its limits', async () => {
    const { fixture, open, said } = await openClaudeFixture(() => ({
      blocks: [{ say: 'plain answer' }],
    }));
    const session = await open({
      command: `${claudeBinary} -p --output-format text --model claude-sonnet-4-5`,
    });
    expect(await session.runTurn('hello', never)).toEqual({ kind: 'completed' });
    expect(said()).toContain('plain answer');
    expect(processesOfRun(fixture.runId)).toEqual([]);
  });
});
