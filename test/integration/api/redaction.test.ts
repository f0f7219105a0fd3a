import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { ask } from '../server/ask.ts';
import { sourceOf } from './simulated-source.ts';

const HOUR = 3_600_000;

it('shows nobody a secret that a title, a question, an error or the tracker let slip', async () => {
  const simulated = new SimulatedWorker(new Random(6), { maxConcurrentAgents: 1, preflightErrors: [] });
  for (const [id, nature] of [
    ['a', 'asks'],
    ['b', 'fails_at_random'],
    ['c', 'finishes'],
  ] as const) {
    simulated.tracker.add(id, { title: 'Rotate dummy-secret everywhere' });
    simulated.agents.plans.set(id, { nature, work: 1, turnsDone: 0, asked: false });
  }
  const app = createApp(sourceOf(simulated));
  await simulated.start();
  let texts = '';
  for (let n = 0; n < 6; n += 1) {
    const runs = [
      ...simulated.orchestrator.state.live.keys(),
      ...simulated.orchestrator.history.runs.map((run) => run.runId),
    ];
    const paths = [
      '/api/v1/state',
      '/api/v1/a',
      '/api/v1/b',
      '/api/v1/c',
      '/api/v1/runs',
      ...runs.slice(0, 3).map((run) => `/api/v1/runs/${run}`),
    ];
    for (const path of paths) texts += await (await ask(app, path)).text();
    await simulated.pass(HOUR / 2);
    if (n === 3) simulated.reload({ preflightErrors: ['the key dummy-secret was refused'] });
  }
  expect(texts).not.toContain('dummy-secret');
  expect(texts).toContain('Rotate <redacted> everywhere');
  expect(texts).toContain('the key <redacted> was refused');
});
