import { describe, expect, it } from 'vitest';
import { RunFixture } from '../../test/fakes/run-fixture.ts';
import type { TurnDecision } from '../domain/run-event.ts';
import type { ToolResult } from '../domain/tool.ts';
import type { TurnResult } from '../runners/runner.ts';

function fixture(changes: Partial<RunFixture> = {}): RunFixture {
  return Object.assign(new RunFixture(), changes);
}

const NEW = ['prepare', 'afterCreate', 'confirm'];

describe('one run', () => {
  it('goes workspace, hooks, prompt, session, turns, stop, after_run, evidence (R-3.1-e, R-7.2-a, R-9.2-a, R-10.3-a, R-10.7-a, R-16.5-j)', async () => {
    const run = fixture();
    expect(await run.run()).toMatchObject({
      end: { kind: 'completed' },
      turns: 1,
      evidence: { newCommits: 1 },
    });
    expect(run.log).toEqual([...NEW, 'beforeRun', 'task files', 'start', 'stop', 'afterRun', 'evidence']);
    const phases = run.events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []));
    expect(phases).toEqual([
      'PreparingWorkspace',
      'BuildingPrompt',
      'LaunchingAgentProcess',
      'InitializingSession',
      'StreamingTurn',
      'Finishing',
    ]);
  });

  it('sends the prompt once and guidance after that, while the scheduler says go on (R-7.1-h, R-7.1-i)', async () => {
    const run = fixture({
      decisions: [
        { kind: 'continue', state: 'Todo' },
        { kind: 'continue', state: 'In Progress' },
        { kind: 'finish', why: 'turn_limit' },
      ],
    });
    expect(await run.run()).toMatchObject({ turns: 3 });
    expect(run.prompts[0]).toBe('PROMPT');
    expect(run.prompts[1]).toContain('turn 2 of 5');
    expect(run.prompts[2]).toContain('state: In Progress');
    expect(run.prompts[2]).not.toContain('PROMPT');
  });

  it('shows what it hands over, and takes one more turn to push it', async () => {
    const run = fixture({
      evidence: { branch: 'ai/a', headCommit: 'abcdef0123456789', commitsAhead: 2, pushed: false },
      decisions: [
        { kind: 'inspect', state: 'Human Review' },
        { kind: 'push_first', state: 'Human Review' },
        { kind: 'inspect', state: 'Human Review' },
        { kind: 'finish', why: 'left_active' },
      ],
    });
    expect(await run.run()).toMatchObject({ end: { kind: 'completed' }, turns: 2 });
    expect(run.shown.map(({ pushed }) => pushed)).toEqual([false, false]);
    expect(run.prompts[1]).toContain(
      'Branch ai/a has 2 commits, up to abcdef012345, that are not on the remote',
    );
    expect(run.prompts[1]).toContain('`git push`');
    expect(run.prompts[1]).not.toContain('branch_push');
  });

  it('names the tool for pushing when it is offered', async () => {
    const tool = { name: 'branch_push', description: '', inputSchema: {} };
    const run = fixture({
      spec: { tools: [tool] },
      evidence: { commitsAhead: 0, uncommittedFiles: 1 },
      decisions: [
        { kind: 'inspect', state: 'Done' },
        { kind: 'push_first', state: 'Done' },
      ],
    });
    await run.run();
    expect(run.prompts[1]).toContain('1 changed file is not committed, and nothing else is');
    expect(run.prompts[1]).toContain('`branch_push`');
  });

  it('says in the turn for pushing how the last push was refused, unless a later one went through', async () => {
    const decisions = (): TurnDecision[] => [
      { kind: 'inspect', state: 'Done' },
      { kind: 'push_first', state: 'Done' },
    ];
    const tool = { name: 'branch_push', description: '', inputSchema: {} };
    const evidence = { branch: 'ai/a', commitsAhead: 1, pushed: false };
    const message = 'The remote refused ai/a: pre-receive hook declined\nThe remote said:\nSign it off.';
    const refused: ToolResult = { success: false, error: { code: 'rejected', message } };
    const answers: ToolResult[] = [];
    const run = fixture({ spec: { tools: [tool] }, evidence, decisions: decisions() });
    run.callTool = async () => answers.shift() ?? { success: true, output: null };
    const pushOnce = async (): Promise<TurnResult> => {
      await run.agentTool({ name: 'branch_push', arguments: {} });
      await run.agentTool({ name: 'issue_get', arguments: {} });
      return { kind: 'completed' };
    };
    answers.push(refused);
    run.turns = [pushOnce];
    await run.run();
    expect(run.prompts[1]).toContain(
      '- Your last push was refused: The remote refused ai/a: pre-receive hook declined The remote said:\n    remote: Sign it off.\n',
    );
    answers.push(refused);
    run.decisions = decisions();
    run.turns = [
      async () => {
        await pushOnce();
        return pushOnce();
      },
    ];
    await run.run();
    expect(run.prompts[3]).toContain('not on the remote');
    expect(run.prompts[3]).not.toContain('refused:');
  });

  it('a workspace that cannot be prepared fails the run, without hooks (R-16.5-a, R-9.3-a)', async () => {
    const run = fixture({ failing: 'workspace' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed', code: 'workspace_unusable' });
    expect(run.log).toEqual([]);
  });

  it('a failed after_create leaves the workspace unconfirmed (R-5.3.4-a, R-9.4-d)', async () => {
    const run = fixture({ failingHook: 'afterCreate' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed', code: 'hook_failed' });
    expect(run.log).not.toContain('confirm');
    expect(run.log).not.toContain('start');
  });

  it('a failed before_run ends the attempt before the agent, and after_run still follows (R-5.3.4-b, R-9.4-e, R-16.5-b, R-17.2-g, D6)', async () => {
    const run = fixture({ failingHook: 'beforeRun' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed', code: 'hook_failed' });
    expect(run.log).toEqual([...NEW, 'beforeRun', 'afterRun', 'evidence']);
  });

  it('a failed after_run changes nothing (R-9.4-f, R-17.2-h)', async () => {
    expect((await fixture({ failingHook: 'afterRun' }).run()).end).toEqual({ kind: 'completed' });
  });

  it('a prompt that does not render fails the attempt without starting an agent (R-5.5-c, R-12.4-a, R-16.5-d, D7)', async () => {
    const run = fixture({ failing: 'prompt' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed' });
    expect(run.log).not.toContain('start');
    expect(run.log).toContain('afterRun');
  });

  it('a workspace that hooks turned into something else is never entered (R-9.5-a)', async () => {
    const run = fixture({ failing: 'check' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed' });
    expect(run.log).not.toContain('start');
  });

  it('a session that does not start fails the attempt, after_run follows (R-16.5-c)', async () => {
    const run = fixture({ failing: 'start' });
    expect((await run.run()).end).toMatchObject({ kind: 'failed', message: 'start failed' });
    expect(run.log.slice(-2)).toEqual(['afterRun', 'evidence']);
  });

  it.each([
    [{ kind: 'failed', code: 'turn_failed', message: 'no' }, 'failed'],
    [{ kind: 'input_required', method: 'ask', question: 'Which?' }, 'input_required'],
    [{ kind: 'timed_out', message: 'silent' }, 'timed_out'],
    [{ kind: 'interrupted' }, 'failed'],
  ] as const)(
    'a turn that ends as %o ends the session and the run (R-10.3-b, R-10.3-c, R-10.5-b, R-10.5-w, R-10.5-x, R-16.5-e)',
    async (result, kind) => {
      const run = fixture({ turns: [() => result] });
      expect(await run.run()).toMatchObject({ end: { kind }, turns: 0 });
      expect(run.log.slice(-3)).toEqual(['stop', 'afterRun', 'evidence']);
    },
  );

  it('a quota without a time gets one from the agent’s words', async () => {
    const run = fixture({
      turns: [() => ({ kind: 'quota', message: 'try again in 2 days', resetAt: null })],
    });
    const before = Date.now();
    const { end } = await run.run();
    if (end.kind !== 'quota' || end.resetAt === null) throw new Error(`ended as ${JSON.stringify(end)}`);
    expect(Math.round((end.resetAt - before) / 86_400_000)).toBe(2);
  });

  it('a stop order in the middle of a turn wins over what it broke; after_run follows (R-5.3.4-c, D6)', async () => {
    const run = fixture();
    run.turns = [
      () => {
        run.stop({ kind: 'terminal', state: 'Done' });
        return { kind: 'failed', code: 'port_exit', message: 'died' };
      },
    ];
    expect((await run.run()).end).toEqual({ kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
    expect(run.log.slice(-3)).toEqual(['stop', 'afterRun', 'evidence']);
  });

  it('a stop order while after_run runs ends it, and one before it leaves it a little time', async () => {
    for (const when of ['before', 'during'] as const) {
      const run = fixture();
      const timers: number[] = [];
      run.ports = {
        clock: {
          now: () => 1_000,
          elapsed: () => 1_000,
          paused: () => 0,
          setTimer(delayMs, callback) {
            timers.push(delayMs);
            if (delayMs < 10_000) queueMicrotask(callback);
            return () => {};
          },
        },
        runHook: (name, _spec, _workspace, signal) =>
          new Promise((resolve, reject) => {
            if (name !== 'afterRun') return resolve();
            signal.addEventListener('abort', () => reject(signal.reason));
            if (when === 'during') run.stop();
          }),
      };
      if (when === 'before')
        run.turns = [
          () => {
            run.stop();
            return { kind: 'interrupted' };
          },
        ];
      const { end } = await run.run();
      expect(end.kind).toBe(when === 'before' ? 'stopped' : 'completed');
      expect(timers).toContain(3_000);
    }
  });

  it('a stop order before the agent starts keeps it from starting', async () => {
    const run = fixture();
    run.stop();
    expect((await run.run()).end).toMatchObject({ kind: 'stopped' });
    expect(run.log).not.toContain('start');
  });

  it.each([
    [null, 'agent.timeout'],
    ['careful', 'the timeout of profile careful'],
  ])('the whole run is bounded: profile %s, %s', async (profile, limit) => {
    const run = fixture({ timeoutMs: 20, spec: { profile } });
    run.turns = [() => new Promise((resolve) => setTimeout(() => resolve({ kind: 'interrupted' }), 60))];
    expect((await run.run()).end).toMatchObject({
      kind: 'timed_out',
      message: expect.stringContaining(`longer than ${limit} (`),
    });
  });

  it('an answer goes alone to a resumed session, and behind the prompt to a new one', async () => {
    const resumed = fixture({
      resumes: true,
      spec: { answer: 'Blue.', retryKind: 'continuation', attempt: 1 },
    });
    await resumed.run();
    expect(resumed.prompts[0]).toContain('Blue.');
    expect(resumed.prompts[0]).not.toContain('PROMPT');
    const fresh = fixture({ spec: { answer: 'Blue.', retryKind: 'continuation', attempt: 1 } });
    await fresh.run();
    expect(fresh.prompts[0]).toMatch(/^PROMPT[\s\S]*Blue\./);
  });

  it('a continued, resumed session gets guidance instead of the whole prompt (R-7.1-h)', async () => {
    const run = fixture({ resumes: true, spec: { retryKind: 'continuation', attempt: 1 } });
    await run.run();
    expect(run.prompts[0]).toContain('Continue with A');
  });

  it('an operator’s message reaches an agent that can listen, and the timeline says when it did not', async () => {
    const heard: string[] = [];
    const run = fixture({
      steer: async (text) => {
        heard.push(text);
        return true;
      },
    });
    run.turns = [
      () => {
        run.say('Use tabs.');
        return { kind: 'completed' };
      },
    ];
    await run.run();
    expect(heard).toEqual(['Use tabs.']);
    const deaf = fixture();
    deaf.turns = [
      () => {
        deaf.say('Use tabs.');
        return { kind: 'completed' };
      },
    ];
    await deaf.run();
    const notes = deaf.events.flatMap((event) =>
      event.type === 'agent' && event.event.type === 'notification' ? [event.event.name] : [],
    );
    expect(notes).toEqual([expect.stringContaining('not sent')]);
  });
});
