import { expect, it } from 'vitest';
import { RunFixture } from '../../fakes/run-fixture.ts';

const goOn = { kind: 'continue', state: 'Todo' } as const;
const enough = { kind: 'finish', why: 'left_active' } as const;

function fixture(changes: Partial<RunFixture> = {}): RunFixture {
  return Object.assign(new RunFixture(), changes);
}

it('after_create is for a new workspace only (R-5.3.4-a, R-4.1.4-a, R-17.2-f)', async () => {
  const fresh = fixture();
  await fresh.run();
  expect(fresh.log.slice(0, 4)).toEqual(['prepare', 'afterCreate', 'confirm', 'beforeRun']);
  const reused = fixture({ workspace: { ...fresh.workspace, createdNow: false } });
  await reused.run();
  expect(reused.log.slice(0, 2)).toEqual(['prepare', 'beforeRun']);
  expect(reused.log).not.toContain('afterCreate');
});

it('the scheduler is asked after each turn, and all turns share one session (R-7.1-e, R-7.1-f, R-7.1-g, R-10.3-f, R-10.3-g, R-16.5-f)', async () => {
  const run = fixture({ decisions: [goOn, goOn, enough] });
  const ended: number[] = [];
  run.turns = [1, 2, 3].map((turn) => () => {
    ended.push(run.decisions.length);
    return { kind: 'completed', turn } as const;
  });
  expect(await run.run()).toMatchObject({ end: { kind: 'completed' }, turns: 3 });
  expect(ended).toEqual([3, 2, 1]);
  expect(run.decisions).toEqual([]);
  expect(run.log.filter((step) => step === 'start' || step === 'stop')).toEqual(['start', 'stop']);
});

it('later turns get guidance, not the prompt again (R-10.2-f, R-10.2-g)', async () => {
  const run = fixture({ decisions: [goOn, enough] });
  await run.run();
  expect(run.prompts).toEqual(['PROMPT', expect.stringContaining('Continue with A')]);
});

it('what the agent says is passed on as it comes (R-3.1-e, R-16.5-k)', async () => {
  const run = fixture();
  await run.run();
  const said = run.events.flatMap((event) => (event.type === 'agent' ? [event.event] : []));
  expect(said).toEqual([{ type: 'session_started', sessionId: 's', pid: 1, model: null, resumed: false }]);
});

it('a stop order does not wait for an answer that never comes (R-5.3.4-c)', async () => {
  const run = fixture();
  run.turns = [
    () => {
      queueMicrotask(() => run.stop({ kind: 'terminal', state: 'Done' }));
      return { kind: 'completed' };
    },
  ];
  expect((await run.run()).end).toEqual({ kind: 'stopped', reason: { kind: 'terminal', state: 'Done' } });
  expect(run.log.slice(-3)).toEqual(['stop', 'afterRun', 'evidence']);
});
