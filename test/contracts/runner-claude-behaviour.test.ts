import { describe, expect, test } from 'vitest';
import type { ClaudeSettings } from '../../src/runners/claude/settings.ts';
import { fakeClaudeSettings } from '../fakes/claude/settings.ts';
import { claudeBehaviours } from './runner-claude-behaviours.ts';
import { arrangeFakeClaude } from './runner-claude-fixture.ts';
import { processesOfRun } from './runner-fixture.ts';

const never = new AbortController().signal;

claudeBehaviours();

const claude = arrangeFakeClaude();

describe('the command line', () => {
  const argumentsOf = async (settings: Partial<ClaudeSettings>): Promise<string> => {
    await claude.run(await claude.open('shows_arguments', settings));
    return claude.said()[0] ?? '';
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
    await expect(claude.open('', { command: 'FOO=1 no-such-claude' })).rejects.toMatchObject({
      code: 'agent_not_found',
      hint: expect.stringContaining('claude.command'),
    });
    await expect(claude.open('', { command: '/no/such/claude' })).rejects.toMatchObject({
      code: 'agent_not_found',
    });
  });
});

describe('a command in text mode', () => {
  const text = (scenario: string): Partial<ClaudeSettings> => ({
    command: `${fakeClaudeSettings(scenario).command} -p --output-format text`,
  });

  test('gets the prompt, and its lines are what it says; every turn is a new process', async () => {
    const session = await claude.open('happy', text('happy'));
    expect(await claude.run(session)).toEqual({ kind: 'completed' });
    expect(await claude.run(session)).toEqual({ kind: 'completed' });
    expect(claude.said()).toEqual(['you said: Do the work.', 'bye', 'you said: Do the work.', 'bye']);
    expect(claude.fixture.events.at(-1)).toEqual({ type: 'turn_completed', turn: 2 });
    expect(processesOfRun(claude.fixture.runId)).toEqual([]);
  });

  test('fails with what it said last', async () => {
    expect(await claude.run(await claude.open('', text('exits_in_turn')))).toMatchObject({
      kind: 'failed',
      message: 'Claude exited with code 4: no credit',
    });
  });

  test('is interrupted and stopped', async () => {
    const session = await claude.open('', text('hangs'));
    const abort = new AbortController();
    const turn = session.runTurn('wait', abort.signal);
    await expect.poll(() => processesOfRun(claude.fixture.runId).length).toBeGreaterThan(0);
    abort.abort();
    expect(await turn).toEqual({ kind: 'interrupted' });
    const next = session.runTurn('wait', never);
    await session.stop();
    expect(await next).toEqual({ kind: 'interrupted' });
    expect(processesOfRun(claude.fixture.runId)).toEqual([]);
  });

  test('its limits are in the log', async () => {
    const warnings: string[] = [];
    const { logger } = claude.fixture.input();
    await claude.open('', text('happy'), {
      logger: { ...logger, warn: (message) => void warnings.push(message) },
    });
    expect(warnings.join()).toContain('no tools, questions, tokens or costs');
  });
});
