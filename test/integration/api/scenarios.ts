import type { ActionName } from '../../../src/contract/actions.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import type { SchedulerSettings } from '../../../src/scheduler/core/settings.ts';
import { makeBudgets, makeProfiles } from '../../fakes/scheduler-fixture.ts';
import { Random } from '../../simulation/random.ts';
import type { Nature } from '../../simulation/sim-agents.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';

const MINUTE = 60_000;

/** One action over the API; the answer is checked against the contract. */
export type Act = (action: ActionName, body?: Readonly<Record<string, unknown>>) => Promise<void>;

/** A short story that leads a worker to places where stories of chance seldom come. */
export interface Scenario {
  readonly name: string;
  readonly settings?: Partial<SchedulerSettings>;
  readonly issues: Readonly<Record<string, { readonly nature?: Nature } & Partial<Issue>>>;
  play(simulated: SimulatedWorker, act: Act): Promise<void>;
}

export function worldOf({ settings = {}, issues }: Scenario): SimulatedWorker {
  const simulated = new SimulatedWorker(new Random(7), { maxConcurrentAgents: 1, ...settings });
  for (const [id, { nature = 'never_finishes', ...fields }] of Object.entries(issues)) {
    simulated.tracker.add(id, fields);
    simulated.agents.plans.set(id, { nature, work: 2, turnsDone: 0, asked: false });
  }
  return simulated;
}

/** Until the issue's run has said something. */
async function running(simulated: SimulatedWorker): Promise<void> {
  await simulated.start();
  await simulated.pass(5_000);
}

async function polled(simulated: SimulatedWorker, ms = 2_000): Promise<void> {
  simulated.orchestrator.requestPoll();
  await simulated.pass(ms);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'an operator does everything an operator can',
    issues: { a: { priority: 1 }, b: { nature: 'asks', priority: 2 }, c: { priority: 3 } },
    async play(simulated, act) {
      await running(simulated);
      await act('message', { issue: 'a', text: 'Mind the tests' });
      await act('pause', { by: 'test' });
      await act('pause');
      await act('stop', { issue: 'A' });
      await simulated.pass(20_000);
      await act('retry', { issue: 'a' });
      await act('resume');
      await simulated.pass(MINUTE);
      await act('stop', { issue: 'a' });
      await simulated.pass(MINUTE);
      await act('answer', { issue: 'b', text: 'The first' });
      await act('answer', { issue: 'c', text: 'Nobody asked' });
      await act('unblock', { issue: 'a' });
      await act('clear-stop', { issue: 'a' });
      await act('stop', { issue: 'nobody-knows' });
      await simulated.pass(10 * MINUTE);
    },
  },
  {
    name: 'a person closes the issue of a live run, and the run opens it again',
    issues: { a: {} },
    async play(simulated, act) {
      await running(simulated);
      simulated.tracker.move('a', 'Done');
      await polled(simulated, 500);
      simulated.tracker.move('a', 'Todo');
      await polled(simulated, 500);
      await simulated.pass(20_000);
      await polled(simulated);
      await act('clear-stop', { issue: 'a' });
      await simulated.pass(MINUTE);
    },
  },
  ...(['Done', 'Backlog', null] as const).map(
    (state): Scenario => ({
      name: `the issue of a live run becomes ${state ?? 'missing'}`,
      issues: { a: {}, b: {} },
      async play(simulated) {
        await running(simulated);
        const id = [...simulated.agents.live.values()][0]?.issue.id ?? '';
        if (state === null) simulated.tracker.issues.delete(id);
        else simulated.tracker.move(id, state);
        await polled(simulated, 20_000);
      },
    }),
  ),
  {
    name: 'labels become required',
    issues: { a: {}, b: { labels: ['go'] }, c: {} },
    async play(simulated) {
      await running(simulated);
      simulated.reload({ requiredLabels: ['ready'] });
      await simulated.pass(MINUTE);
    },
  },
  {
    name: 'issues that cannot be started',
    issues: {
      a: { dispatchable: false, undispatchableReason: 'blocked by B (Todo)' },
      b: { title: ' ' },
    },
    play: running,
  },
  {
    name: 'an issue that waited is deleted',
    issues: { a: { priority: 1 }, b: { priority: 2 } },
    async play(simulated) {
      await running(simulated);
      simulated.tracker.issues.delete('b');
      await polled(simulated, 5_000);
    },
  },
  {
    name: 'slots of states and profiles',
    settings: {
      maxConcurrentAgents: 5,
      maxConcurrentByState: new Map([['in progress', 1]]),
      profiles: makeProfiles({ careful: { maxConcurrentAgents: 1 } }),
    },
    issues: {
      a: { labels: ['agent:careful'] },
      b: { labels: ['agent:careful'] },
      c: { state: 'In Progress' },
      d: { state: 'In Progress' },
    },
    play: running,
  },
  {
    name: 'a run that takes too much time',
    settings: { budgets: makeBudgets({ run: { runtimeMs: 30_000 } }) },
    issues: { a: {} },
    async play(simulated) {
      await running(simulated);
      await simulated.pass(5 * MINUTE);
    },
  },
  {
    name: 'a day that is used up',
    settings: { budgets: makeBudgets({ day: { tokens: 10 } }) },
    issues: { a: {}, b: {} },
    async play(simulated) {
      await running(simulated);
      await simulated.pass(5 * MINUTE);
    },
  },
  {
    name: 'a worker that is used up',
    settings: { budgets: makeBudgets({ worker: { tokens: 10 } }) },
    issues: { a: {}, b: {} },
    async play(simulated) {
      await running(simulated);
      await simulated.pass(5 * MINUTE);
    },
  },
  ...(['idles', 'times_out', 'hangs', 'finishes', 'hits_quota', 'fails_at_random'] as const).map(
    (nature): Scenario => ({
      name: `an agent that ${nature}`,
      issues: { a: { nature }, b: { nature } },
      async play(simulated) {
        await running(simulated);
        await simulated.pass((nature === 'hits_quota' ? 240 : 60) * MINUTE);
      },
    }),
  ),
  {
    name: 'a tracker that is away, and a workflow that is broken',
    issues: { a: {}, b: {} },
    async play(simulated) {
      simulated.tracker.faults = { error: 1, unknown: 0, slow: 0, short: 0 };
      await running(simulated);
      simulated.tracker.faults = { error: 0, unknown: 0, slow: 0, short: 0 };
      await polled(simulated, 5_000);
      simulated.reload({ preflightErrors: ['simulated'] });
      await simulated.pass(MINUTE);
    },
  },
  {
    name: 'a finished issue is opened again while its workspace is removed',
    issues: { a: {}, b: {} },
    async play(simulated) {
      await running(simulated);
      const id = [...simulated.agents.live.values()][0]?.issue.id ?? '';
      simulated.tracker.move(id, 'Backlog');
      await polled(simulated, 20_000);
      for (let round = 0; round < 8; round += 1) {
        simulated.tracker.move(id, 'Done');
        simulated.orchestrator.requestPoll();
        while (
          simulated.orchestrator.state.cleaning.size === 0 &&
          simulated.clock.step(simulated.clock.now() + 1_000)
        )
          await simulated.pass(0);
        simulated.tracker.move(id, 'Todo');
        await simulated.pass(1_000);
        await polled(simulated, 1_000);
        simulated.tracker.move(id, 'Backlog');
        await polled(simulated, 20_000);
      }
    },
  },
  {
    name: 'one poll only',
    issues: { a: { nature: 'finishes' }, b: {} },
    async play(simulated) {
      await simulated.start('one_poll');
      await simulated.pass(10 * MINUTE);
    },
  },
  {
    name: 'a restart',
    issues: { a: { nature: 'asks' }, b: {} },
    async play(simulated) {
      await running(simulated);
      await simulated.pass(2 * MINUTE);
      await simulated.killAndRestart();
      await simulated.pass(2 * MINUTE);
    },
  },
  {
    name: 'the end',
    issues: { a: {}, b: {} },
    async play(simulated) {
      await running(simulated);
      void simulated.orchestrator.shutdown();
      await simulated.pass(20_000);
    },
  },
];
