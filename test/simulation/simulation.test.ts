import { describe, expect, it } from 'vitest';
import { makeBudgets } from '../fakes/scheduler-fixture.ts';
import { Random } from './random.ts';
import { simulate } from './simulate.ts';
import { SimulatedWorker } from './simulated-worker.ts';

const HOUR = 3_600_000;

describe('the whole worker in virtual time', () => {
  it('keeps its promises over 40 simulations of faults, kills and meddling', async () => {
    const failures: string[] = [];
    for (let seed = 1; seed <= 40; seed += 1) {
      const { problems } = await simulate(seed);
      if (problems.length > 0) {
        failures.push(`npm run simulate -- --seed ${seed}\n  ${problems.slice(0, 3).join('\n  ')}`);
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);

  it.each([0, 20])(
    'the pathological set, with %i kills: six delivered, four held or backed off, budgets kept',
    async (kills) => {
      const random = new Random(42 + kills);
      const budget = 6;
      const simulated = new SimulatedWorker(random, {
        maxConcurrentAgents: 2,
        budgets: makeBudgets({ run: { turns: 3 }, issue: { turns: budget } }),
      });
      const add = (
        id: string,
        nature: 'finishes' | 'never_finishes' | 'fails_at_random',
        priority: number,
      ): void => {
        simulated.tracker.add(id, { priority });
        const work = nature === 'fails_at_random' ? 1_000 : 2;
        simulated.agents.plans.set(id, { nature, work, turnsDone: 0, asked: false });
      };
      for (const n of [1, 2]) add(`unfinishable${n}`, 'never_finishes', 1);
      for (const n of [1, 2]) add(`flaky${n}`, 'fails_at_random', 1);
      for (const n of [1, 2, 3, 4, 5, 6]) add(`good${n}`, 'finishes', 4);
      await simulated.start();
      for (let n = 0; n < kills; n += 1) {
        await simulated.pass(random.between(1_000, 90_000));
        await simulated.killAndRestart();
      }
      await simulated.pass(24 * HOUR);
      expect(simulated.problems).toEqual([]);
      for (const n of [1, 2, 3, 4, 5, 6])
        expect(simulated.tracker.issues.get(`good${n}`)?.state).toBe('Human Review');
      const { claims } = simulated.orchestrator.state;
      for (const id of ['unfinishable1', 'unfinishable2'])
        expect(claims.get(id)).toMatchObject({ phase: 'blocked' });
      for (const id of ['flaky1', 'flaky2'])
        expect(['blocked', 'retrying', 'running']).toContain(claims.get(id)?.phase);
      const turns = [...simulated.agents.plans.values()].map((plan) => plan.turnsDone);
      expect(Math.max(...turns)).toBeLessThanOrEqual(budget + kills);
    },
  );

  it('is deterministic: the same seed gives the same simulation', async () => {
    expect(await simulate(7)).toEqual(await simulate(7));
  });
});
