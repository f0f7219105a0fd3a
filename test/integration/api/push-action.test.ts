import { beforeEach, describe, expect, it } from 'vitest';
import { actionResultSchema } from '../../../src/contract/actions.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { issueDetailSchema } from '../../../src/contract/issue-detail.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { ask } from '../server/ask.ts';
import { sourceOf } from './simulated-source.ts';

const MINUTE = 60_000;
const TOKEN = 'dummy-own-token';
const HEADERS = { 'X-AIOPS-Refresh': 'true', authorization: `Bearer ${TOKEN}` };

let simulated: SimulatedWorker;
let app: App;

beforeEach(async () => {
  simulated = new SimulatedWorker(new Random(3), {});
  simulated.tracker.add('a', {});
  const habits = { nature: 'finishes', work: 1, pushes: 'never' } as const;
  simulated.agents.plans.set('a', { ...habits, turnsDone: 0, asked: false });
  app = createApp(sourceOf(simulated), { ownToken: TOKEN });
  await simulated.start();
});

async function untilHeld(): Promise<void> {
  for (let n = 0; n < 60 && simulated.orchestrator.state.claims.get('a')?.phase !== 'blocked'; n += 1)
    await simulated.pass(MINUTE);
  expect(simulated.orchestrator.state.claims.get('a')).toMatchObject({
    phase: 'blocked',
    method: 'not_pushed',
  });
}

/** The answer to the action; time passes while the remote thinks. */
async function push(issue = 'A'): Promise<{ status: number; json: unknown }> {
  const answer = ask(app, '/api/v1/actions/push', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ issue, by: 'ada' }),
  });
  await simulated.pass(2 * MINUTE);
  const response = await answer;
  return { status: response.status, json: await response.json() };
}

async function detail() {
  return issueDetailSchema.parse(await (await ask(app, '/api/v1/a')).json());
}

describe('the action push', () => {
  it('answers what the remote answered: a refusal stays in the block, a success delivers', async () => {
    await untilHeld();
    simulated.remote = 'refuses';
    const refused = await push();
    expect(refused.status).toBe(409);
    const { error } = errorEnvelopeSchema.parse(refused.json);
    expect(error).toMatchObject({ code: 'push_failed', message: expect.stringContaining('not today') });
    expect(error.hint).toContain('push again');
    expect((await detail()).blocked?.error).toContain('not today');
    expect((await detail()).last_outcome?.outcome).toBe('blocked');

    simulated.remote = 'takes';
    const taken = await push('a');
    expect(taken.status).toBe(200);
    const result = actionResultSchema.parse(taken.json);
    expect(result).toMatchObject({ action: 'push', changed: true, issue_identifier: 'A', by: 'ada' });
    expect(result.message).toMatch(/^ai\/a at c{12} is pushed$/);
    const after = await detail();
    expect(after).toMatchObject({
      status: 'finished',
      blocked: null,
      last_outcome: { outcome: 'delivered' },
    });
    expect(after.last_outcome?.summary).toContain('ada had ai/a');
    expect(after.ended[0]?.outcome).toBe('blocked');
    expect(simulated.journal.listActions(5).map(({ action, by }) => [action, by])).toEqual([
      ['push', 'ada'],
      ['push', 'ada'],
    ]);
  });

  it('asked for twice at once is done once, and answered twice', async () => {
    await untilHeld();
    simulated.remote = 'takes';
    const [first, second] = await Promise.all([push(), push()]);
    expect([first.status, second.status]).toEqual([200, 200]);
    const changed = [first, second].map(({ json }) => actionResultSchema.parse(json).changed);
    expect(changed.toSorted()).toEqual([false, true]);
    expect(simulated.journal.listActions(5)).toHaveLength(1);
  });

  it('does not apply while the agent works', async () => {
    for (let n = 0; n < 100 && simulated.orchestrator.state.live.size === 0; n += 1) await simulated.pass(10);
    const { status, json } = await push();
    expect(status).toBe(409);
    expect(errorEnvelopeSchema.parse(json).error.code).toBe('action_not_applicable');
  });

  it('is held over a restart, and let go without a push when a person says so', async () => {
    await untilHeld();
    await simulated.killAndRestart();
    await simulated.pass(MINUTE);
    const restarted = createApp(sourceOf(simulated), { ownToken: TOKEN });
    expect(simulated.orchestrator.state.claims.get('a')).toMatchObject({ method: 'not_pushed' });
    const answer = await ask(restarted, '/api/v1/actions/retry', {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ issue: 'a' }),
    });
    expect(actionResultSchema.parse(await answer.json()).message).toContain('let go without a push');
    expect(simulated.orchestrator.state.claims.has('a')).toBe(false);
  });
});
