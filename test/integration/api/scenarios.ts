import type { ActionName } from '../../../src/contract/actions.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import type { SchedulerSettings } from '../../../src/scheduler/core/settings.ts';
import { makeBudgets, makeProfiles } from '../../fakes/scheduler-driver.ts';
import { Random } from '../../simulation/random.ts';
import type { Nature } from '../../simulation/sim-agents.ts';
import { World } from '../../simulation/world.ts';

const MINUTE = 60_000;

/** One action over the API; the answer is checked against the contract. */
export type Act = (action: ActionName, body?: Readonly<Record<string, unknown>>) => Promise<void>;

/** A short story that leads a worker to places where stories of chance seldom come. */
export interface Scenario {
  readonly name: string;
  readonly settings?: Partial<SchedulerSettings>;
  readonly issues: Readonly<Record<string, { readonly nature?: Nature } & Partial<Issue>>>;
  play(world: World, act: Act): Promise<void>;
}

export function worldOf({ settings = {}, issues }: Scenario): World {
  const world = new World(new Random(7), { maxConcurrentAgents: 1, ...settings });
  for (const [id, { nature = 'never_finishes', ...fields }] of Object.entries(issues)) {
    world.tracker.add(id, fields);
    world.agents.plans.set(id, { nature, work: 2, turnsDone: 0, asked: false });
  }
  return world;
}

/** Until the issue's run has said something. */
async function running(world: World): Promise<void> {
  await world.start();
  await world.pass(5_000);
}

async function polled(world: World, ms = 2_000): Promise<void> {
  world.orchestrator.requestPoll();
  await world.pass(ms);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'an operator does everything an operator can',
    issues: { a: { priority: 1 }, b: { nature: 'asks', priority: 2 }, c: { priority: 3 } },
    async play(world, act) {
      await running(world);
      await act('message', { issue: 'a', text: 'Mind the tests' });
      await act('pause', { by: 'test' });
      await act('pause');
      await act('stop', { issue: 'A' });
      await world.pass(20_000);
      await act('retry', { issue: 'a' });
      await act('resume');
      await world.pass(MINUTE);
      await act('stop', { issue: 'a' });
      await world.pass(MINUTE);
      await act('answer', { issue: 'b', text: 'The first' });
      await act('answer', { issue: 'c', text: 'Nobody asked' });
      await act('unblock', { issue: 'a' });
      await act('clear-stop', { issue: 'a' });
      await act('stop', { issue: 'nobody-knows' });
      await world.pass(10 * MINUTE);
    },
  },
  {
    name: 'a person closes the issue of a live run, and the run opens it again',
    issues: { a: {} },
    async play(world, act) {
      await running(world);
      world.tracker.move('a', 'Done');
      await polled(world, 500);
      world.tracker.move('a', 'Todo');
      await polled(world, 500);
      await world.pass(20_000);
      await polled(world);
      await act('clear-stop', { issue: 'a' });
      await world.pass(MINUTE);
    },
  },
  ...(['Done', 'Backlog', null] as const).map(
    (state): Scenario => ({
      name: `the issue of a live run becomes ${state ?? 'missing'}`,
      issues: { a: {}, b: {} },
      async play(world) {
        await running(world);
        const id = [...world.agents.live.values()][0]?.issue.id ?? '';
        if (state === null) world.tracker.issues.delete(id);
        else world.tracker.move(id, state);
        await polled(world, 20_000);
      },
    }),
  ),
  {
    name: 'labels become required',
    issues: { a: {}, b: { labels: ['go'] }, c: {} },
    async play(world) {
      await running(world);
      world.reload({ requiredLabels: ['ready'] });
      await world.pass(MINUTE);
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
    async play(world) {
      await running(world);
      world.tracker.issues.delete('b');
      await polled(world, 5_000);
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
    async play(world) {
      await running(world);
      await world.pass(5 * MINUTE);
    },
  },
  {
    name: 'a day that is used up',
    settings: { budgets: makeBudgets({ day: { tokens: 10 } }) },
    issues: { a: {}, b: {} },
    async play(world) {
      await running(world);
      await world.pass(5 * MINUTE);
    },
  },
  {
    name: 'a worker that is used up',
    settings: { budgets: makeBudgets({ worker: { tokens: 10 } }) },
    issues: { a: {}, b: {} },
    async play(world) {
      await running(world);
      await world.pass(5 * MINUTE);
    },
  },
  ...(['idles', 'times_out', 'hangs', 'finishes', 'hits_quota', 'fails_at_random'] as const).map(
    (nature): Scenario => ({
      name: `an agent that ${nature}`,
      issues: { a: { nature }, b: { nature } },
      async play(world) {
        await running(world);
        await world.pass((nature === 'hits_quota' ? 240 : 60) * MINUTE);
      },
    }),
  ),
  {
    name: 'a tracker that is away, and a workflow that is broken',
    issues: { a: {}, b: {} },
    async play(world) {
      world.tracker.faults = { error: 1, unknown: 0, slow: 0, short: 0 };
      await running(world);
      world.tracker.faults = { error: 0, unknown: 0, slow: 0, short: 0 };
      await polled(world, 5_000);
      world.reload({ preflightErrors: ['simulated'] });
      await world.pass(MINUTE);
    },
  },
  {
    name: 'a finished issue is opened again while its workspace is removed',
    issues: { a: {}, b: {} },
    async play(world) {
      await running(world);
      const id = [...world.agents.live.values()][0]?.issue.id ?? '';
      world.tracker.move(id, 'Backlog');
      await polled(world, 20_000);
      for (let round = 0; round < 8; round += 1) {
        world.tracker.move(id, 'Done');
        world.orchestrator.requestPoll();
        while (world.orchestrator.state.cleaning.size === 0 && world.clock.step(world.clock.now() + 1_000))
          await world.pass(0);
        world.tracker.move(id, 'Todo');
        await world.pass(1_000);
        await polled(world, 1_000);
        world.tracker.move(id, 'Backlog');
        await polled(world, 20_000);
      }
    },
  },
  {
    name: 'one poll only',
    issues: { a: { nature: 'finishes' }, b: {} },
    async play(world) {
      await world.start('one_poll');
      await world.pass(10 * MINUTE);
    },
  },
  {
    name: 'a restart',
    issues: { a: { nature: 'asks' }, b: {} },
    async play(world) {
      await running(world);
      await world.pass(2 * MINUTE);
      await world.killAndRestart();
      await world.pass(2 * MINUTE);
    },
  },
  {
    name: 'the end',
    issues: { a: {}, b: {} },
    async play(world) {
      await running(world);
      void world.orchestrator.shutdown();
      await world.pass(20_000);
    },
  },
];
