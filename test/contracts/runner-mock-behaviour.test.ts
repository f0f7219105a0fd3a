import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolFailure } from '../../src/domain/tool.ts';
import type { SessionInput } from '../../src/runners/runner.ts';
import { isOfType, TOOLS } from './runner-fixture.ts';
import { never, useMockRuns } from './runner-mock-runs.ts';

describe('mock agent', () => {
  const { fixture, open, runOnce, subjects, remoteHead, said } = useMockRuns();

  test('commits as itself on a machine without git configuration, then comments and moves the issue', async () => {
    expect(await runOnce('state: In Review\ntokens_per_turn: 1000')).toEqual({ kind: 'completed' });
    expect(fixture().git('log', '-1', '--format=%an <%ae>%n%s%n%b').trim()).toBe(
      'Mock Agent <mock-agent@aiops.invalid>\nENG-7: Greet the visitor\nStep 1 of 1.',
    );
    expect(fixture().git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('notes/ENG-7.md');
    expect(fixture().toolCalls.map((call) => call.name)).toEqual(['issue_comment', 'issue_move']);
    expect(fixture().toolCalls[0]?.arguments).toEqual({ body: expect.stringContaining(fixture().branch) });
    expect(fixture().toolCalls[1]?.arguments).toEqual({ state: 'In Review' });
    const usage = fixture().events.findLast((event) => isOfType(event, 'usage'));
    expect(usage?.usage).toEqual({ inputTokens: 800, outputTokens: 200, totalTokens: 1000 });
  });

  test('a rerun of finished work adds no commit and no comment, but hands off again', async () => {
    await runOnce('');
    const head = fixture().git('rev-parse', 'HEAD').trim();
    fixture().clear();
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(fixture().git('rev-parse', 'HEAD').trim()).toBe(head);
    expect(remoteHead()).toBe(head);
    expect(fixture().toolCalls.map((call) => call.name)).toEqual(['issue_move']);
  });

  test('after a crash between commit and push the next run pushes that commit', async () => {
    const script = 'behaviour: crash\nwhen: after_commit\ntimes: 1';
    expect(await runOnce(script)).toMatchObject({ kind: 'failed', code: 'port_exit' });
    const head = fixture().git('rev-parse', 'HEAD').trim();
    expect(subjects()).toHaveLength(1);
    expect(remoteHead()).toBe('');
    expect(await runOnce(script)).toEqual({ kind: 'completed' });
    expect(fixture().git('rev-parse', 'HEAD').trim()).toBe(head);
    expect(remoteHead()).toBe(head);
  });

  test('an edit that was not committed is committed once, next to edits that are not the agent’s', async () => {
    mkdirSync(join(fixture().workspace, 'notes'));
    writeFileSync(
      join(fixture().workspace, 'notes', 'ENG-7.md'),
      '# ENG-7: Greet the visitor\n\n- [x] step 1\n',
    );
    writeFileSync(join(fixture().workspace, 'README.md'), '# Edited by hand\n');
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(
      readFileSync(join(fixture().workspace, 'notes', 'ENG-7.md'), 'utf8').match(/step 1/g),
    ).toHaveLength(1);
    expect(subjects()).toHaveLength(1);
    expect(fixture().git('status', '--porcelain').trim()).toBe('M README.md');
  });

  test('work of several turns goes on in the next run where it was', async () => {
    const first = await open('behaviour: turns\nturns: 3');
    await first.runTurn('Go.', never);
    await first.stop();
    expect(subjects()).toHaveLength(1);
    const second = await open('behaviour: turns\nturns: 3');
    await second.runTurn('Go on.', never);
    expect(fixture().toolCalls).toEqual([]);
    await second.runTurn('Go on.', never);
    expect(subjects()).toHaveLength(3);
    expect(fixture().toolCalls.map((call) => call.name)).toContain('issue_move');
  });

  test('fails as often as it is told, over separate runs, then succeeds', async () => {
    const kinds: string[] = [];
    for (let run = 0; run < 3; run += 1) kinds.push((await runOnce('behaviour: fail\ntimes: 2')).kind);
    expect(kinds).toEqual(['failed', 'failed', 'completed']);
  });

  test('a damaged memory file is forgotten', async () => {
    writeFileSync(join(fixture().workspace, '.git', 'aiops-mock.json'), '{"issue-7":{"runs":"many"');
    expect((await runOnce('behaviour: fail')).kind).toBe('failed');
    expect((await runOnce('behaviour: fail')).kind).toBe('completed');
  });

  test('asks once and goes on when it is run again', async () => {
    expect(await runOnce('behaviour: ask\nquestion: Tea or coffee?')).toEqual({
      kind: 'input_required',
      method: 'mock/ask',
      question: 'Tea or coffee?',
    });
    expect((await runOnce('behaviour: ask')).kind).toBe('completed');
  });

  test('quota keeps its reset time from run to run and is back after it', async () => {
    const script = 'behaviour: quota\nreset_in_s: 1';
    const first = await runOnce(script);
    if (first.kind !== 'quota' || first.resetAt === null) throw new Error(`not a quota: ${first.kind}`);
    expect(await fixture().seen('rate_limits')).toMatchObject({ rateLimits: { resetAt: first.resetAt } });
    const second = await runOnce(script);
    if (Date.now() < first.resetAt) expect(second).toEqual(first);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, (first.resetAt ?? 0) - Date.now() + 1)));
    expect((await runOnce(script)).kind).toBe('completed');
  });

  test('never_finish commits each turn when asked to, and never touches its issue', async () => {
    const session = await open('behaviour: never_finish\ncommits: true');
    await session.runTurn('Go.', never);
    await session.runTurn('Go on.', never);
    expect(subjects()).toHaveLength(2);
    expect(fixture().toolCalls).toEqual([]);
    await session.stop();
    expect((await runOnce('behaviour: never_finish')).kind).toBe('completed');
    expect(subjects()).toHaveLength(2);
  });

  test('a crash by signal is told as such', async () => {
    const result = await runOnce('behaviour: crash\nsignal: SIGKILL');
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('SIGKILL') });
  });

  test('a crash by exit code is told with the last words of the agent', async () => {
    const result = await runOnce('behaviour: crash\nexit_code: 42');
    expect(result).toMatchObject({ message: expect.stringMatching(/code 42: .*crashing/) });
  });

  test('a single line beyond the limit is reported with its size and costs nothing else', async () => {
    expect(await runOnce('behaviour: flood\nmegabytes: 3\nline_kb: 3072')).toEqual({ kind: 'completed' });
    const { bytes } = await fixture().seen('malformed');
    expect(bytes).toBeGreaterThan(3 * 1024 * 1024);
  });

  test('a session id of another agent is not resumed', async () => {
    await open('', { resumeSessionId: '0199-codex-thread' });
    expect(await fixture().seen('session_started')).toMatchObject({
      resumed: false,
      sessionId: expect.stringMatching(/^mock-/),
    });
  });

  describe('tools', () => {
    test('without tools the work is done and the issue stays', async () => {
      expect(await runOnce('', { tools: [] })).toEqual({ kind: 'completed' });
      expect(subjects()).toHaveLength(1);
      expect(said()).toContain('No tool to move ENG-7');
    });

    test('a refused comment is noted, a refused move fails the turn', async () => {
      const callTool: SessionInput['callTool'] = async ({ name }) =>
        toolFailure('forbidden', `${name} refused`);
      expect(await runOnce('', { callTool })).toEqual({
        kind: 'failed',
        code: 'turn_failed',
        message: 'ENG-7 could not be moved to Human Review: issue_move refused',
      });
      expect(said()).toContain('issue_comment refused');
      expect(await fixture().seen('tool_call')).toMatchObject({ tool: 'issue_comment', success: false });
    });

    test('a tool that throws is a failure the agent can read', async () => {
      const callTool: SessionInput['callTool'] = async () => {
        throw new Error('the tracker broke');
      };
      const result = await runOnce('', {
        callTool,
        tools: TOOLS.filter((tool) => tool.name === 'issue_move'),
      });
      expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('the tracker broke') });
    });
  });

  test('an invalid mock block fails each turn and says what is valid', async () => {
    const session = await open('behavior: fail');
    const result = await session.runTurn('Go.', never);
    expect(result).toMatchObject({ kind: 'failed', code: 'turn_failed' });
    if (result.kind === 'failed') expect(result.message).toMatch(/"behavior".*Valid keys: behaviour, turns/);
    expect(fixture().events.map((event) => event.type)).toEqual([
      'session_started',
      'turn_started',
      'turn_failed',
    ]);
  });
});
