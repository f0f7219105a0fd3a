import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCodexRunner } from '../../src/runners/codex/runner.ts';
import type { CodexSettings } from '../../src/runners/codex/settings.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import type { Timing } from '../../src/runners/session/timing.ts';
import { fakeCodexCommand, fakeCodexSettings } from '../fakes/codex/settings.ts';
import { createFixture, type Fixture, isOfType, processesOfRun } from './runner-fixture.ts';

const never = new AbortController().signal;
let fixture: Fixture;
let sessions: AgentSession[];

beforeEach(() => {
  fixture = createFixture();
  sessions = [];
});

afterEach(async () => {
  await Promise.all(sessions.map((session) => session.stop()));
  const survivors = processesOfRun(fixture.runId);
  fixture.dispose();
  expect(survivors).toEqual([]);
});

interface Setting {
  readonly codex?: Partial<CodexSettings>;
  readonly input?: Partial<SessionInput>;
  readonly timing?: Partial<Timing>;
}

async function open(scenario: string, { codex, input, timing }: Setting = {}): Promise<AgentSession> {
  const runner = createCodexRunner({
    codex: fakeCodexSettings(scenario, codex),
    timing: { interruptGraceMs: 2_000, stopGrace: { inputEndMs: 300, termMs: 150 }, ...timing },
  });
  const session = await runner.start(fixture.input(input), never);
  sessions.push(session);
  return session;
}

const run = (session: AgentSession): Promise<TurnResult> => session.runTurn('Do the work.', never);

function said(): string[] {
  return fixture.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : []));
}

describe('requests', () => {
  test('R-10.1-c R-10.2-e R-10.2-h R-10.2-j R-17.5-d R-17.5-o the thread and each turn carry policy, directory and tools', async () => {
    await run(await open('shows_request', { codex: { approvalPolicy: 'on-request' } }));
    const { thread, turn } = JSON.parse(said().at(-1) ?? '');
    expect(thread).toEqual({
      cwd: fixture.workspace,
      approvalPolicy: 'on-request',
      sandbox: 'workspace-write',
      config: { allow_login_shell: false, 'features.shell_snapshot': false },
      dynamicTools: fixture.input().tools.map((tool) => ({ type: 'function', ...tool })),
    });
    expect(turn).toMatchObject({
      cwd: fixture.workspace,
      input: [{ type: 'text', text: 'Do the work.' }],
      approvalPolicy: 'on-request',
      sandboxPolicy: {
        type: 'workspaceWrite',
        writableRoots: [`${fixture.workspace}/.git`],
        excludeSlashTmp: true,
      },
    });
  });

  test('R-5.3.6-c R-10.1-a R-17.5-a a command with shell syntax runs in the workspace', async () => {
    const command = `exec ${fakeCodexCommand('shows_request')} "$(pwd)"`;
    await run(await open('shows_request', { codex: { command } }));
    expect(JSON.parse(said().at(-1) ?? '').argv.at(-1)).toBe(fixture.workspace);
  });

  test.each(['/nowhere/codex app-server', 'nowhere-codex app-server; true; exit 127'])(
    '%s is not found, and says so',
    async (command) => {
      await expect(open('happy', { codex: { command } })).rejects.toMatchObject({
        code: 'agent_not_found',
        hint: expect.stringMatching(/Install|chmod/),
      });
    },
  );

  test('R-10.5-b every request of the server is answered, id 0, text ids and unknown ones too', async () => {
    expect(await run(await open('asks_oddly'))).toEqual({ kind: 'completed' });
    expect(said().some((text) => /^time: \d{10}$/.test(text))).toBe(true);
  });
});

describe('approvals', () => {
  test('R-10.5-c R-17.5-j a policy that asks nobody approves and reports it', async () => {
    expect(await run(await open('asks_approval'))).toEqual({ kind: 'completed' });
    expect(said()).toContain('decision: acceptForSession');
    expect(fixture.events).toContainEqual({
      type: 'approval_auto_approved',
      method: 'item/commandExecution/requestApproval',
    });
  });

  test('R-17.5-l a question can be answered: the answer resumes the thread and allows exactly what was asked', async () => {
    const codex = { approvalPolicy: 'untrusted' };
    const first = await run(await open('asks_approval', { codex }));
    expect(first).toMatchObject({
      kind: 'input_required',
      question: expect.stringContaining('git push --force'),
    });
    expect(said()).toContain('decision: cancel');
    const { sessionId } = await fixture.seen('session_started');
    const code =
      first.kind === 'input_required' ? /approve [0-9a-f]{8}/.exec(first.question)?.[0] : undefined;
    await sessions[0]?.stop();
    fixture.clear();
    const input = { resumeSessionId: sessionId, answer: `Fine, ${code}.` };
    expect(await run(await open('asks_approval', { codex, input }))).toEqual({ kind: 'completed' });
    expect(said()).toContain('decision: accept');
    expect(fixture.events[0]).toMatchObject({ type: 'session_started', sessionId, resumed: true });
  });
});

describe('time', () => {
  test('R-10.3-d R-10.6-b R-17.5-g a silent turn ends as timed out', async () => {
    const session = await open('silent', { timing: { silenceMs: 200 } });
    expect(await run(session)).toMatchObject({
      kind: 'timed_out',
      message: expect.stringContaining('silent'),
    });
  });

  test('retrying for ever is silence too, and is told once', async () => {
    const session = await open('offline', { timing: { silenceMs: 600 } });
    expect(await run(session)).toMatchObject({ kind: 'timed_out' });
    expect(fixture.events.filter(({ type }) => type === 'notification')).toEqual([
      { type: 'notification', name: expect.stringContaining('waiting for network') },
    ]);
  });

  test('R-10.6-b a turn that talks is never too long', async () => {
    const session = await open('talks_slowly', { timing: { silenceMs: 400, pulseMs: 100 } });
    expect(await run(session)).toEqual({ kind: 'completed' });
    const pulses = fixture.events.filter(({ type }) => type === 'notification');
    expect(pulses.length).toBeGreaterThan(0);
    expect(pulses.length).toBeLessThan(12);
  });
});

describe('ends of turns', () => {
  test.each([
    ['unauthorized', 'agent_unauthorized'],
    ['overloaded', 'agent_overloaded'],
  ])('%s', async (scenario, code) => {
    expect(await run(await open(scenario))).toMatchObject({ kind: 'failed', code });
  });

  test('a full context is left behind for a new thread', async () => {
    expect(await run(await open('overflows'))).toMatchObject({ kind: 'failed', code: 'context_overflow' });
    const ids = fixture.events.flatMap((event) =>
      isOfType(event, 'session_started') ? [event.sessionId] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('an end that was too long to read is asked for', async () => {
    expect(await run(await open('loses_end'))).toEqual({ kind: 'completed' });
    expect(fixture.events.map(({ type }) => type)).toContain('malformed');
  });

  test('a thread that is gone is followed by a new one', async () => {
    const session = await open('happy', { input: { resumeSessionId: 'no-such-thread' } });
    expect(await fixture.seen('session_started')).toMatchObject({ resumed: false });
    expect(await run(session)).toEqual({ kind: 'completed' });
  });
});

test('what is said in a turn reaches the agent; after it, it came too late', async () => {
  const session = await open('listens');
  const turn = run(session);
  await fixture.seen('activity');
  expect(await session.steer?.('use tabs')).toBe(true);
  expect(await turn).toEqual({ kind: 'completed' });
  expect(said()).toContain('heard: use tabs');
  expect(await session.steer?.('too late')).toBe(false);
});

test('R-17.5-m R-17.5-n model, cost and unknown notifications are followed', async () => {
  expect(await run(await open('reroutes'))).toEqual({ kind: 'completed' });
  expect(fixture.events).toContainEqual({ type: 'model_changed', model: 'gpt-5' });
  const usage = await fixture.seen('usage');
  expect(usage.costUsd).toBeCloseTo((800 * 1.25 + 200 * 0.125 + 50 * 10) / 1e6, 9);
});

test('tokens of earlier runs on the thread are not counted again', async () => {
  await run(await open('several_turns'));
  const { sessionId } = await fixture.seen('session_started');
  await sessions[0]?.stop();
  fixture.clear();
  await run(await open('several_turns', { input: { resumeSessionId: sessionId } }));
  expect(fixture.events.findLast((event) => isOfType(event, 'usage'))).toMatchObject({
    usage: { totalTokens: 1050 },
  });
});
