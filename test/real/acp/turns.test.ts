import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOfType, processesOfRun } from '../../contracts/runner-fixture.ts';
import { TOKENS_PER_ANSWER } from '../../fakes/acp/gemini-model.ts';
import { ageConversations, geminiProgram, never, openGeminiFixture } from './gemini-fixture.ts';

const shell = (command: string) => ({
  call: 'run_shell_command',
  args: { command, description: 'as asked' },
});
const COMMIT = shell(
  'echo hi > GREETING && git add GREETING && git -c user.name=G -c user.email=g@x.invalid commit -qm Greet',
);
const HAND_OFF = { call: 'mcp_aiops_issue_move', args: { state: 'Human Review' } };
const DONE = { parts: [{ say: 'Done.' }] };

describe.runIf(geminiProgram !== null)('the real Gemini', () => {
  test('edits, commits and hands over, and its tokens add up', async () => {
    const { fixture, model, open, said } = await openGeminiFixture((_request, number) => {
      if (number === 1) return { parts: [COMMIT] };
      return number === 2 ? { parts: [HAND_OFF] } : DONE;
    });
    const session = await open({ permissions: 'allow' });
    expect(await session.runTurn('Greet the visitor.', never)).toEqual({ kind: 'completed' });
    expect(await session.runTurn('Is it done?', never)).toEqual({ kind: 'completed' });
    expect(fixture.git('log', '-1', '--format=%s').trim()).toBe('Greet');
    expect(fixture.toolCalls).toEqual([{ name: 'issue_move', arguments: { state: 'Human Review' } }]);
    expect(said()).toEqual([COMMIT.args.command, 'issue_move (aiops MCP Server)', 'Done.', 'Done.']);
    const usage = fixture.events.filter((event) => isOfType(event, 'usage')).at(-1)?.usage;
    expect(usage?.totalTokens).toBe(4 * TOKENS_PER_ANSWER);
    expect(model.requests[0]?.tools).toContain('mcp_aiops_issue_comment');
    await session.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
  });

  test('asks, goes on in the same conversation with exactly what was approved, and may use its own tools', async () => {
    const { fixture, model, open, home } = await openGeminiFixture((_request, number) => {
      if (number <= 2) return { parts: [shell('touch ASKED')] };
      return number === 3 ? { parts: [HAND_OFF] } : DONE;
    });
    const first = await open();
    const asked = await first.runTurn('Ask for it.', never);
    if (asked.kind !== 'input_required') throw new Error(`the turn ended as ${asked.kind}`);
    expect(asked.question).toContain('touch ASKED');
    expect(existsSync(join(fixture.workspace, 'ASKED'))).toBe(false);
    const { sessionId } = await fixture.seen('session_started');
    await first.stop();
    ageConversations(home);
    fixture.clear();
    const answer = /approve [0-9a-f]{8}/.exec(asked.question)?.[0] ?? '';
    const second = await open({}, { resumeSessionId: sessionId, answer });
    expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    expect(await second.runTurn('Yes.', never)).toEqual({ kind: 'completed' });
    expect(existsSync(join(fixture.workspace, 'ASKED'))).toBe(true);
    expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_move']);
    expect(model.requests[1]?.contents).toContain('Ask for it.');
  });

  test('goes on with its conversation after it was killed in a turn', async () => {
    const { fixture, model, open, home } = await openGeminiFixture((_request, number) =>
      number === 2 ? 'hang' : DONE,
    );
    const first = await open();
    await first.runTurn('Remember the word mulberry.', never);
    const { sessionId, pid } = await fixture.seen('session_started');
    const turn = first.runTurn('Think.', never);
    await model.seen(2);
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await turn).toMatchObject({ kind: 'failed', code: 'port_exit' });
    await first.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
    ageConversations(home);
    fixture.clear();
    const second = await open({}, { resumeSessionId: sessionId });
    expect(await second.runTurn('Which word?', never)).toEqual({ kind: 'completed' });
    expect(await fixture.seen('session_started')).toMatchObject({ sessionId, resumed: true });
    expect(model.requests[2]?.contents).toContain('mulberry');
  });

  test('ends a turn when it is told to, with the command that runs, and takes another', async () => {
    const { fixture, open } = await openGeminiFixture((_request, number) =>
      number === 1 ? { parts: [shell('sleep 600')] } : DONE,
    );
    const session = await open({ permissions: 'allow', stallTimeoutMs: 1_000 });
    const stop = new AbortController();
    const turn = session.runTurn('Sleep.', stop.signal);
    await fixture.seen('notification', ({ name }) => name === 'still running: sleep 600');
    stop.abort();
    expect(await turn).toEqual({ kind: 'interrupted' });
    expect(await session.runTurn('Go on.', never)).toEqual({ kind: 'completed' });
    await session.stop();
    expect(processesOfRun(fixture.runId)).toEqual([]);
  });

  test('tells a used-up quota from a failure', async () => {
    const message = 'You exceeded your current quota.';
    const { open } = await openGeminiFixture((_request, number) =>
      number === 1
        ? { status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message } } }
        : { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'odd' } } },
    );
    const session = await open();
    expect(await session.runTurn('Try.', never)).toMatchObject({ kind: 'quota' });
    expect(await session.runTurn('Try.', never)).toMatchObject({ kind: 'failed', code: 'turn_failed' });
  });

  test('says that it is not signed in', async () => {
    const { fixture, open, home } = await openGeminiFixture(() => DONE);
    writeFileSync(join(home, '.gemini', 'settings.json'), '{}');
    const environment = { ...fixture.environment, HOME: home };
    await expect(open({}, { environment })).rejects.toMatchObject({ code: 'agent_unauthorized' });
    expect(processesOfRun(fixture.runId)).toEqual([]);
  });
});
