import { describe, expect, it } from 'vitest';
import type { StopReason } from '../../../src/domain/run-outcome.ts';
import { RunStage } from './run-stage.ts';

const goOn = { kind: 'continue' } as const;

describe('a run that goes well', () => {
  it('workspace, hook, prompt, session, turn, question, end of session, after_run (R-3.1-e, R-10.7-a, R-16.5-j)', async () => {
    const stage = new RunStage();
    expect(await stage.run()).toMatchObject({ end: { kind: 'completed' }, turns: 1 });
    expect(stage.steps).toEqual([
      'prepare',
      'beforeRun',
      'prompt',
      'session',
      'turn 1',
      'ask 1',
      'stop session',
      'afterRun',
    ]);
  });

  it('tells its phases apart (R-7.2-a)', async () => {
    const stage = new RunStage();
    await stage.run();
    expect(stage.phases).toEqual([
      'PreparingWorkspace',
      'BuildingPrompt',
      'LaunchingAgentProcess',
      'InitializingSession',
      'StreamingTurn',
      'Finishing',
    ]);
  });

  it('after_create runs for a new workspace only, before before_run (R-5.3.4-a, R-9.2-a, R-17.2-f, R-4.1.4-a)', async () => {
    const fresh = new RunStage({ createdNow: true });
    await fresh.run();
    expect(fresh.steps.slice(0, 4)).toEqual(['prepare', 'afterCreate', 'confirmCreated', 'beforeRun']);
    const reused = new RunStage({ createdNow: false });
    await reused.run();
    expect(reused.steps).not.toContain('afterCreate');
  });

  it('asks after each turn; while it may go on, the next turn uses the same session (R-7.1-e, R-7.1-f, R-7.1-g, R-10.3-f, R-10.3-g, R-16.5-f)', async () => {
    const stage = new RunStage({ decisions: [goOn, goOn] });
    expect(await stage.run()).toMatchObject({ end: { kind: 'completed' }, turns: 3 });
    expect(stage.sessions).toHaveLength(1);
    expect(stage.steps.slice(3)).toEqual([
      'session',
      'turn 1',
      'ask 1',
      'turn 2',
      'ask 2',
      'turn 3',
      'ask 3',
      'stop session',
      'afterRun',
    ]);
  });

  it('the first turn gets the whole prompt, later ones guidance only (R-7.1-h, R-7.1-i, R-10.2-f, R-10.2-g)', async () => {
    const stage = new RunStage({ decisions: [goOn] });
    await stage.run();
    const [first, second] = stage.prompts;
    expect(first).toBe('The whole prompt of ENG-1');
    expect(second).toMatch(/Continue with ENG-1[\s\S]*turn 2 of 3/);
    expect(second).not.toContain('whole prompt');
  });

  it('the session gets the workspace as its directory, the tools and nothing of the worker’s environment (R-10.2-b, R-10.2-j, R-10.5-g, R-15.2-b)', async () => {
    const stage = new RunStage();
    await stage.run();
    expect(stage.sessions[0]).toMatchObject({
      workspacePath: '/w/ENG-1',
      environment: { PATH: '/bin' },
      tools: [{ name: 'issue_move' }],
    });
  });

  it('what the agent says is passed on as it comes (R-3.1-e, R-16.5-k)', async () => {
    const stage = new RunStage({
      onStep: (step) => {
        if (step === 'turn 1')
          stage.sessions[0]?.onEvent({ type: 'activity', kind: 'message', text: 'hello' });
      },
    });
    await stage.run();
    expect(stage.events).toContainEqual({
      type: 'agent',
      event: { type: 'activity', kind: 'message', text: 'hello' },
    });
  });
});

describe('a run that fails', () => {
  it('without a workspace: nothing else happens (R-16.5-a, R-9.3-a, R-17.2-e)', async () => {
    const stage = new RunStage({ fails: ['prepare'] });
    expect(await stage.run()).toMatchObject({ end: { kind: 'failed', message: 'prepare failed' }, turns: 0 });
    expect(stage.steps).toEqual(['prepare']);
  });

  it('in after_create: no agent, and the workspace is not taken for complete (R-5.3.4-a, R-9.4-d)', async () => {
    const stage = new RunStage({ createdNow: true, fails: ['afterCreate'] });
    expect((await stage.run()).end).toMatchObject({ kind: 'failed', code: 'hook_failed' });
    expect(stage.steps).toEqual(['prepare', 'afterCreate', 'afterRun']);
  });

  it('in before_run: no agent; after_run follows all the same (R-5.3.4-b, R-9.4-e, R-16.5-b, R-17.2-g)', async () => {
    const stage = new RunStage({ fails: ['beforeRun'] });
    expect((await stage.run()).end).toMatchObject({ kind: 'failed', code: 'hook_failed' });
    expect(stage.steps).toEqual(['prepare', 'beforeRun', 'afterRun']);
  });

  it('in its prompt: no agent is launched, after_run follows (R-5.5-c, R-12.4-a, R-16.5-d)', async () => {
    const stage = new RunStage({ fails: ['prompt'] });
    expect((await stage.run()).end).toMatchObject({ kind: 'failed', message: 'prompt failed' });
    expect(stage.steps).toEqual(['prepare', 'beforeRun', 'prompt', 'afterRun']);
  });

  it('opening its session: after_run follows (R-16.5-c)', async () => {
    const stage = new RunStage({ fails: ['session'] });
    expect((await stage.run()).end).toMatchObject({ kind: 'failed', message: 'session failed' });
    expect(stage.steps.slice(-2)).toEqual(['session', 'afterRun']);
  });

  it.each([
    ['failed', { kind: 'failed', code: 'turn_failed', message: 'no' }, 'failed'],
    ['whose process exited', { kind: 'failed', code: 'port_exit', message: 'gone' }, 'failed'],
    ['the agent cancelled itself', { kind: 'interrupted' }, 'failed'],
    ['that fell silent', { kind: 'timed_out', message: 'silent' }, 'timed_out'],
  ] as const)(
    'in a turn %s: the session is stopped, after_run follows (R-16.5-e, R-10.3-b, R-10.3-c, R-10.3-e)',
    async (_name, result, kind) => {
      const stage = new RunStage({ turns: [result] });
      expect((await stage.run()).end.kind).toBe(kind);
      expect(stage.steps.slice(-3)).toEqual(['turn 1', 'stop session', 'afterRun']);
    },
  );

  it('by a question: the run ends at once and shows it (R-10.5-b, R-10.5-w, R-10.5-x)', async () => {
    const asked = { kind: 'input_required', method: 'ask', question: 'Which?' } as const;
    const stage = new RunStage({ turns: [asked] });
    expect((await stage.run()).end).toEqual(asked);
    expect(stage.steps.slice(-2)).toEqual(['stop session', 'afterRun']);
  });
});

describe('after_run', () => {
  it('that fails is logged and changes nothing (R-5.3.4-c, R-9.4-f, R-17.2-h)', async () => {
    const stage = new RunStage({ fails: ['afterRun'] });
    expect((await stage.run()).end).toEqual({ kind: 'completed' });
    expect(stage.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'after_run hook failed',
        fields: expect.objectContaining({ issue_id: 'a', issue_identifier: 'ENG-1' }),
      }),
    );
  });

  it.each(['beforeRun', 'prompt', 'turn 1', 'ask 1'])(
    'follows a run canceled during %s (R-5.3.4-c)',
    async (when) => {
      const reason: StopReason = { kind: 'terminal', state: 'Done' };
      const stage = new RunStage({
        onStep: (step) => {
          if (step === when) stage.stop(reason);
        },
      });
      expect((await stage.run()).end).toEqual({ kind: 'stopped', reason });
      expect(stage.steps.at(-1)).toBe('afterRun');
      if (stage.sessions.length > 0) expect(stage.steps.at(-2)).toBe('stop session');
    },
  );
});
