import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toolFailure } from '../../src/domain/tool.ts';
import { createMockRunner } from '../../src/runners/mock/runner.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import {
  createStage,
  ISSUE,
  isOfType,
  processesOfRun,
  type Stage,
  TOOLS,
  writeHook,
} from './runner-stage.ts';

const never = new AbortController().signal;

describe('mock agent', () => {
  let stage: Stage;
  let sessions: AgentSession[];

  beforeEach(() => {
    stage = createStage();
    sessions = [];
  });

  afterEach(async () => {
    await Promise.all(sessions.map((session) => session.stop()));
    const survivors = processesOfRun(stage.runId);
    stage.dispose();
    expect(survivors).toEqual([]);
  });

  async function open(script: string, overrides: Partial<SessionInput> = {}): Promise<AgentSession> {
    const description = `Say hello.\n\n\`\`\`mock\nstep_ms: 0\n${script}\n\`\`\`\n`;
    const runner = createMockRunner({ stopGrace: { inputEndMs: 500, termMs: 200 }, interruptGraceMs: 300 });
    const session = await runner.start(
      stage.input({ issue: { ...ISSUE, description }, ...overrides }),
      never,
    );
    sessions.push(session);
    return session;
  }

  /** One run of a single turn, from start to stop. */
  async function runOnce(script: string, overrides: Partial<SessionInput> = {}): Promise<TurnResult> {
    const session = await open(script, overrides);
    const result = await session.runTurn('Do the work.', never);
    await session.stop();
    return result;
  }

  function subjects(): string[] {
    return stage.git('log', '--format=%s', 'main..HEAD').trim().split('\n').filter(Boolean);
  }

  function remoteHead(branch = stage.branch): string {
    return stage.remoteGit('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`).trim();
  }

  function said(): string {
    return stage.events.flatMap((event) => (isOfType(event, 'activity') ? [event.text] : [])).join('\n');
  }

  test('commits as itself on a machine without git configuration, then comments and moves the issue', async () => {
    expect(await runOnce('state: In Review\ntokens_per_turn: 1000')).toEqual({ kind: 'completed' });
    expect(stage.git('log', '-1', '--format=%an <%ae>%n%s%n%b').trim()).toBe(
      'Mock Agent <mock-agent@aiops.invalid>\nENG-7: Greet the visitor\nStep 1 of 1.',
    );
    expect(stage.git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('notes/ENG-7.md');
    expect(stage.toolCalls.map((call) => call.name)).toEqual(['issue_comment', 'issue_move']);
    expect(stage.toolCalls[0]?.arguments).toEqual({ body: expect.stringContaining(stage.branch) });
    expect(stage.toolCalls[1]?.arguments).toEqual({ state: 'In Review' });
    const usage = stage.events.findLast((event) => isOfType(event, 'usage'));
    expect(usage?.usage).toEqual({ inputTokens: 800, outputTokens: 200, totalTokens: 1000 });
  });

  test('a rerun of finished work adds no commit and no comment, but hands off again', async () => {
    await runOnce('');
    const head = stage.git('rev-parse', 'HEAD').trim();
    stage.clear();
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(stage.git('rev-parse', 'HEAD').trim()).toBe(head);
    expect(remoteHead()).toBe(head);
    expect(stage.toolCalls.map((call) => call.name)).toEqual(['issue_move']);
  });

  test('after a crash between commit and push the next run pushes that commit', async () => {
    const script = 'behaviour: crash\nwhen: after_commit\ntimes: 1';
    expect(await runOnce(script)).toMatchObject({ kind: 'failed', code: 'port_exit' });
    const head = stage.git('rev-parse', 'HEAD').trim();
    expect(subjects()).toHaveLength(1);
    expect(remoteHead()).toBe('');
    expect(await runOnce(script)).toEqual({ kind: 'completed' });
    expect(stage.git('rev-parse', 'HEAD').trim()).toBe(head);
    expect(remoteHead()).toBe(head);
  });

  test('an edit that was not committed is committed once, next to edits that are not the agent’s', async () => {
    mkdirSync(join(stage.workspace, 'notes'));
    writeFileSync(join(stage.workspace, 'notes', 'ENG-7.md'), '# ENG-7: Greet the visitor\n\n- [x] step 1\n');
    writeFileSync(join(stage.workspace, 'README.md'), '# Edited by hand\n');
    expect(await runOnce('')).toEqual({ kind: 'completed' });
    expect(readFileSync(join(stage.workspace, 'notes', 'ENG-7.md'), 'utf8').match(/step 1/g)).toHaveLength(1);
    expect(subjects()).toHaveLength(1);
    expect(stage.git('status', '--porcelain').trim()).toBe('M README.md');
  });

  test('work of several turns goes on in the next run where it was', async () => {
    const first = await open('behaviour: turns\nturns: 3');
    await first.runTurn('Go.', never);
    await first.stop();
    expect(subjects()).toHaveLength(1);
    const second = await open('behaviour: turns\nturns: 3');
    await second.runTurn('Go on.', never);
    expect(stage.toolCalls).toEqual([]);
    await second.runTurn('Go on.', never);
    expect(subjects()).toHaveLength(3);
    expect(stage.toolCalls.map((call) => call.name)).toContain('issue_move');
  });

  test('fails as often as it is told, over separate runs, then succeeds', async () => {
    const kinds: string[] = [];
    for (let run = 0; run < 3; run += 1) kinds.push((await runOnce('behaviour: fail\ntimes: 2')).kind);
    expect(kinds).toEqual(['failed', 'failed', 'completed']);
  });

  test('a damaged memory file is forgotten', async () => {
    writeFileSync(join(stage.workspace, '.git', 'aiops-mock.json'), '{"issue-7":{"runs":"many"');
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
    expect(await stage.seen('rate_limits')).toMatchObject({ rateLimits: { resetAt: first.resetAt } });
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
    expect(stage.toolCalls).toEqual([]);
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
    const { bytes } = await stage.seen('malformed');
    expect(bytes).toBeGreaterThan(3 * 1024 * 1024);
  });

  test('a session id of another agent is not resumed', async () => {
    await open('', { resumeSessionId: '0199-codex-thread' });
    expect(await stage.seen('session_started')).toMatchObject({
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
      expect(await stage.seen('tool_call')).toMatchObject({ tool: 'issue_comment', success: false });
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

  describe('workspaces', () => {
    test('a plain directory is worked in without git, even inside somebody’s repository', async () => {
      const plain = join(stage.workspace, 'plain');
      mkdirSync(plain);
      expect(await runOnce('behaviour: turns\nturns: 1', { workspacePath: plain })).toEqual({
        kind: 'completed',
      });
      expect(readFileSync(join(plain, 'notes', 'ENG-7.md'), 'utf8')).toContain('- [x] step 1');
      expect(existsSync(join(plain, '.aiops', 'mock.json'))).toBe(true);
      expect(subjects()).toEqual([]);
      expect(stage.toolCalls.map((call) => call.name)).toEqual(['issue_comment', 'issue_move']);
    });

    test('without a remote the commit stays local', async () => {
      stage.git('remote', 'remove', 'origin');
      expect(await runOnce('')).toEqual({ kind: 'completed' });
      expect(subjects()).toHaveLength(1);
    });

    test('the remote’s default branch is left alone', async () => {
      stage.git('switch', '--quiet', 'main');
      const before = remoteHead('main');
      expect(await runOnce('')).toEqual({ kind: 'completed' });
      expect(await runOnce('')).toEqual({ kind: 'completed' });
      expect(remoteHead('main')).toBe(before);
      expect(stage.remoteGit('rev-list', '--count', 'main..mock/ENG-7').trim()).toBe('1');
    });

    test('the repository’s own hooks decide', async () => {
      writeHook(stage, 'pre-commit', 'echo "no commits on a Sunday" >&2; exit 1');
      expect(await runOnce('')).toEqual({
        kind: 'failed',
        code: 'turn_failed',
        message: 'git commit failed: no commits on a Sunday',
      });
      expect(subjects()).toEqual([]);
    });

    test('a hook that leaves a process behind does not hold up the agent', async () => {
      writeHook(stage, 'post-commit', 'sleep 600 &');
      expect(await runOnce('')).toEqual({ kind: 'completed' });
    });

    test('a branch that moved on in the remote is never overwritten', async () => {
      await runOnce('');
      const theirs = remoteHead();
      stage.git('reset', '--quiet', '--hard', 'main');
      rmSync(join(stage.workspace, 'notes'), { recursive: true, force: true });
      expect(await runOnce('behaviour: turns\nturns: 2')).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('git push failed'),
      });
      expect(remoteHead()).toBe(theirs);
    });

    test('a detached HEAD is refused in words', async () => {
      stage.git('switch', '--quiet', '--detach');
      await expect(open('')).rejects.toMatchObject({
        code: 'port_exit',
        message: expect.stringContaining('detached HEAD'),
      });
    });

    test('a workspace that is gone is refused', async () => {
      await expect(open('', { workspacePath: join(stage.root, 'gone') })).rejects.toMatchObject({
        code: 'invalid_workspace_cwd',
      });
      expect(stage.events.map((event) => event.type)).toEqual(['startup_failed']);
    });

    test('odd identifiers and titles become a safe file name and one subject line', async () => {
      const issue = { ...ISSUE, identifier: '../octo/repo#12', title: '-m "x"\n$(touch pwned) `id`' };
      expect(await runOnce('', { issue })).toEqual({ kind: 'completed' });
      expect(stage.git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('notes/octo-repo-12.md');
      expect(subjects()).toEqual(['../octo/repo#12: -m "x" $(touch pwned) `id`']);
    });
  });

  test('an invalid mock block fails each turn and says what is valid', async () => {
    const session = await open('behavior: fail');
    const result = await session.runTurn('Go.', never);
    expect(result).toMatchObject({ kind: 'failed', code: 'turn_failed' });
    if (result.kind === 'failed') expect(result.message).toMatch(/"behavior".*Valid keys: behaviour, turns/);
    expect(stage.events.map((event) => event.type)).toEqual([
      'session_started',
      'turn_started',
      'turn_failed',
    ]);
  });
});
