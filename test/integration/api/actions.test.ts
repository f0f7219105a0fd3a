import { beforeEach, describe, expect, it } from 'vitest';
import { ACTION_NAMES, actionLogSchema, actionResultSchema } from '../../../src/contract/actions.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { issueDetailSchema } from '../../../src/contract/issue-detail.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { makeBudgets } from '../../fakes/scheduler-fixture.ts';
import { Random } from '../../simulation/random.ts';
import type { Nature } from '../../simulation/sim-agents.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { ask } from '../server/ask.ts';
import { sourceOf } from './simulated-source.ts';

const TOKEN = 'dummy-own-token';
const ACT = { 'X-AIOPS-Refresh': 'true', authorization: `Bearer ${TOKEN}` };
const MINUTE = 60_000;

let simulated: SimulatedWorker;
let app: App;

beforeEach(async () => {
  simulated = new SimulatedWorker(new Random(1), {
    maxConcurrentAgents: 3,
    budgets: makeBudgets({ run: { turns: 3 }, issue: { turns: 6 } }),
  });
  const add = (id: string, nature: Nature): void => {
    simulated.tracker.add(id, {});
    simulated.agents.plans.set(id, { nature, work: 1_000, turnsDone: 0, asked: false });
  };
  add('hangs', 'hangs');
  add('asks', 'asks');
  app = createApp(sourceOf(simulated), { ownToken: TOKEN });
  await simulated.start();
});

async function act(action: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await ask(app, `/api/v1/actions/${action}`, {
    method: 'POST',
    headers: { ...ACT, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json, result: () => actionResultSchema.parse(json) };
}

async function refused(action: string, body?: unknown, headers: Record<string, string> = {}) {
  const { status, json } = await act(action, body, headers);
  return [status, errorEnvelopeSchema.parse(json).error.code];
}

async function untilBlocked(id: string): Promise<void> {
  for (
    let waited = 0;
    waited < 600 && simulated.orchestrator.state.claims.get(id)?.phase !== 'blocked';
    waited += 1
  )
    await simulated.pass(MINUTE);
  expect(simulated.orchestrator.state.claims.get(id)?.phase).toBe('blocked');
}

describe('operator actions', () => {
  it('pause and resume dispatch, once each, with who asked on record', async () => {
    expect((await act('pause', { by: 'ada' })).result()).toMatchObject({ changed: true, by: 'ada' });
    expect(simulated.orchestrator.state.paused).toBe(true);
    expect((await act('pause')).result().changed).toBe(false);
    expect((await act('resume', '')).result()).toMatchObject({ changed: true, by: 'api' });
    expect(simulated.orchestrator.state.paused).toBe(false);
    const log = actionLogSchema.parse(await (await ask(app, '/api/v1/actions')).json());
    expect(log.actions.map(({ by, action, detail }) => [by, action, detail])).toEqual([
      ['api', 'resume', 'from 127.0.0.1'],
      ['ada', 'pause', 'from 127.0.0.1'],
    ]);
  });

  it('stop a live run, which is then held until it is retried', async () => {
    await simulated.pass(MINUTE);
    const first = (await act('stop', { issue: 'HANGS', by: 'ada' })).result();
    expect(first).toMatchObject({ changed: true, issue_id: 'hangs', issue_identifier: expect.any(String) });
    await untilBlocked('hangs');
    expect(await refused('stop', { issue: 'hangs' })).toEqual([409, 'action_not_applicable']);
    expect((await act('retry', { issue: 'hangs' })).result().changed).toBe(true);
    await simulated.pass(MINUTE);
    expect(simulated.orchestrator.state.claims.get('hangs')?.phase).toBe('running');
  });

  it('say what a retry really waits for: a paused worker has no lack of slots', async () => {
    await untilBlocked('asks');
    expect((await act('pause')).result().changed).toBe(true);
    const when = 'as soon as the worker starts runs again (paused)';
    expect((await act('retry', { issue: 'asks' })).result()).toMatchObject({
      changed: true,
      message: `its run starts ${when}`,
    });
    expect((await act('retry', { issue: 'asks' })).result()).toMatchObject({
      changed: false,
      message: `its run starts ${when}`,
    });
    const [scheduled] = simulated.journal.recentEvents(1);
    expect(scheduled?.message).toBe(`continuation run ${when} (attempt 1)`);
    const detail = issueDetailSchema.parse(await (await ask(app, '/api/v1/issues/asks')).json());
    expect(detail.retry).toMatchObject({ reason: 'paused', error: null });
  });

  it('answer the question an issue is blocked on, and keep secrets out of the record', async () => {
    await untilBlocked('asks');
    expect(await refused('answer', { issue: 'hangs', text: 'yes' })).toEqual([409, 'action_not_applicable']);
    const answer = { issue: 'asks', text: 'yes, with dummy-secret' };
    expect((await act('answer', answer)).result().changed).toBe(true);
    expect(await refused('answer', answer)).toEqual([409, 'action_not_applicable']);
    const [recorded] = simulated.journal.listActions(1);
    expect(recorded?.detail).toBe('from 127.0.0.1; yes, with <redacted>');
  });

  it('reset the budgets of a blocked issue', async () => {
    await untilBlocked('asks');
    expect((await act('unblock', { issue: 'asks' })).result().changed).toBe(true);
    expect(simulated.orchestrator.state.records.get('asks')?.turns).toBe(0);
  });

  it('do a request with a known key only once', async () => {
    await simulated.pass(MINUTE);
    const key = { 'Idempotency-Key': 'k1' };
    const body = { issue: 'hangs', text: 'please hurry' };
    expect((await act('message', body, key)).result().changed).toBe(true);
    expect((await act('message', body, key)).result().changed).toBe(false);
    expect((await act('message', { ...body, text: 'other' }, key)).result().changed).toBe(true);
    expect(simulated.journal.listActions(10)).toHaveLength(2);
  });

  it('clear a stop only where there is one', async () => {
    await simulated.pass(MINUTE);
    expect((await act('clear-stop', { issue: 'hangs' })).result().changed).toBe(false);
    expect(simulated.journal.listActions(10)).toEqual([]);
  });

  it('show their effect to whoever looks next', async () => {
    await ask(app, '/api/v1/state');
    await act('pause');
    expect(await (await ask(app, '/api/v1/state')).json()).toMatchObject({ paused: true });
  });
});

describe('actions that make no sense', () => {
  it.each([
    ['stop', { issue: 'nobody' }, 404, 'issue_not_found'],
    ['stop', {}, 400, 'invalid_action_body'],
    ['stop', { issue: '' }, 400, 'invalid_action_body'],
    ['stop', { issue: 7 }, 400, 'invalid_action_body'],
    ['stop', { issue: 'hangs', force: true }, 400, 'invalid_action_body'],
    ['stop', '[]', 400, 'invalid_action_body'],
    ['stop', '{"issue":"hangs"', 400, 'invalid_action_body'],
    ['answer', { issue: 'hangs' }, 400, 'invalid_action_body'],
    ['answer', { issue: 'hangs', text: ' ' }, 400, 'invalid_action_body'],
    ['message', { issue: 'hangs', text: 'x'.repeat(20_001) }, 400, 'invalid_action_body'],
    ['message', `{"issue":"hangs","text":"${'x'.repeat(300_000)}"}`, 413, 'request_too_large'],
    ['explode', {}, 404, 'not_found'],
    ['pause/now', {}, 404, 'not_found'],
    ['', {}, 404, 'not_found'],
  ])('%s %.30j is refused with %i %s', async (action, body, status, code) => {
    const before = simulated.orchestrator.state;
    expect(await refused(action, body)).toEqual([status, code]);
    expect(simulated.orchestrator.state).toBe(before);
  });

  it.each(ACTION_NAMES)('%s needs the header, its own origin and POST', async (action) => {
    const before = simulated.orchestrator.state;
    const body = { issue: 'hangs', text: 'x' };
    expect(await refused(action, body, { 'X-AIOPS-Refresh': '' })).toEqual([403, 'action_header_required']);
    expect(await refused(action, body, { Origin: 'https://evil.example' })).toEqual([403, 'forbidden']);
    expect(await refused(action, body, { 'Sec-Fetch-Site': 'cross-site' })).toEqual([403, 'forbidden']);
    const get = await ask(app, `/api/v1/actions/${action}`, { headers: ACT });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect(simulated.orchestrator.state).toBe(before);
    expect(simulated.journal.listActions(1)).toEqual([]);
  });
});
