import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/contract/reduce.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { streamMessageSchema } from '../../../src/contract/stream.ts';
import { createApp } from '../../../src/server/app.ts';
import { EventHub } from '../../../src/server/stream/event-hub.ts';
import { Random } from '../../simulation/random.ts';
import { simulate } from '../../simulation/simulate.ts';
import { World } from '../../simulation/world.ts';
import { type Checked, checkRoutes } from './check-routes.ts';
import { sourceOf } from './world-source.ts';

const SEEDS = 5;
/** Not every step of a story: the answers are checked more often than the state changes its shape. */
const EVERY = 8;

describe('the contract, over stories of faults, kills and meddling', () => {
  it('holds for every answer of every route in every state that was reached', async () => {
    const checked: Checked = { problems: [], seen: new Set() };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      let step = 0;
      await simulate(seed, async (world) => {
        step += 1;
        if (step % EVERY === 0) await checkRoutes(createApp(sourceOf(world)), checked);
      });
    }
    expect(checked.problems.slice(0, 5)).toEqual([]);
    expect([...checked.seen].sort()).toEqual(
      expect.arrayContaining([
        'blocked',
        'ended',
        'retrying',
        'running',
        'waiting',
        'event phase',
        'event session_started',
        'event turn_started',
        'issue blocked',
        'issue finished',
        'issue retrying',
        'issue running',
        'issue waiting',
        'run ended',
        'run live',
      ]),
    );
  }, 60_000);

  it('holds for an issue that a person closed under a live run, and for one the worker let go', async () => {
    const world = new World(new Random(3), { maxConcurrentAgents: 1 });
    for (const id of ['closed', 'gone']) {
      world.tracker.add(id, {});
      world.agents.plans.set(id, { nature: 'never_finishes', work: 99, turnsDone: 0, asked: false });
    }
    await world.start();
    await world.pass(1_000);
    const running = [...world.orchestrator.state.live.values()][0]?.issue.id ?? '';
    world.tracker.move(running, 'Done');
    const checked: Checked = { problems: [], seen: new Set() };
    const app = createApp(sourceOf(world));
    for (let n = 0; n < 10; n += 1) {
      world.orchestrator.requestPoll();
      await world.pass(10_000);
      await checkRoutes(app, checked);
    }
    expect(checked.problems).toEqual([]);
    expect([...checked.seen]).toEqual(expect.arrayContaining(['stops', 'issue operator_terminal_stop']));
  });

  it('holds for every message of the stream, which adds up to the state itself', async () => {
    let messages = 0;
    for (let seed = 20; seed < 30; seed += 1) {
      let followed: { life: unknown; shown: () => StateSnapshot | null; flush: () => StateSnapshot } | null =
        null;
      await simulate(seed, async (world) => {
        if (followed?.life !== world.orchestrator) {
          const source = sourceOf(world);
          const hub = new EventHub(source, { flushMs: 1e9, heartbeatMs: 1e9 });
          let shown: StateSnapshot | null = null;
          const read = (bytes: Uint8Array): boolean => {
            for (const block of Buffer.from(bytes).toString('utf8').split('\n\n')) {
              const data = /^data: (.*)$/m.exec(block)?.[1];
              if (data === undefined) continue;
              messages += 1;
              shown = reduce(shown, streamMessageSchema.parse(JSON.parse(data)));
            }
            return true;
          };
          hub.connect(null, 'all', { send: read, end: () => {} });
          const flush = (): StateSnapshot => {
            // Somebody else who connects makes the hub send what has gathered.
            hub.connect(null, 'none', { send: () => false, end: () => {} });
            return source.snapshot();
          };
          followed = { life: world.orchestrator, shown: () => shown, flush };
        }
        const state = followed.flush();
        expect(withoutClocks(followed.shown())).toEqual(withoutClocks(state));
      });
    }
    expect(messages).toBeGreaterThan(500);
  }, 60_000);
});

/** Running times go on without being sent each time. */
function withoutClocks(state: StateSnapshot | null): unknown {
  const clocks = ['generated_at', 'runtime_seconds', 'seconds_running'];
  return JSON.parse(JSON.stringify(state, (key, value: unknown) => (clocks.includes(key) ? 0 : value)));
}
