import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { reduce } from '../../../src/contract/reduce.ts';
import { ACTION_HEADER } from '../../../src/contract/refresh.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { streamMessageSchema } from '../../../src/contract/stream.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { EventHub } from '../../../src/server/stream/event-hub.ts';
import { simulate } from '../../simulation/simulate.ts';
import type { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { type Checked, checkOtherRoutes, checkRoute, checkRoutes } from './check-routes.ts';
import { EVERYTHING, featuresOf } from './reached.ts';
import { SCENARIOS, type Scenario, worldOf } from './scenarios.ts';
import { sourceOf } from './simulated-source.ts';

/** Simulated trackers have a page of their own: what these routes answer otherwise is held to the contract in tracker-issues.test.ts. */
const EDITOR_ROUTES = ['trackerBoard', 'createIssue', 'trackerIssue', 'changeIssue', 'moveIssue'] as const;
const SEEDS = 6;
const MINUTE = 60_000;

/** What was asked of workers, what they were in, and in how many different ways. */
interface Survey extends Checked {
  readonly reached: Set<string>;
  readonly shapes: Set<string>;
  steps: number;
}

/** Checks every route whenever the worker is in a combination of things in which no worker was found before. */
async function surveyStep(simulated: SimulatedWorker, survey: Survey): Promise<void> {
  survey.steps += 1;
  const features = featuresOf(simulated.orchestrator, simulated.clock.now());
  for (const feature of features) survey.reached.add(feature);
  const shape = [...features].sort().join(', ');
  if (survey.shapes.has(shape)) return;
  survey.shapes.add(shape);
  await checkRoutes(appOf(simulated), survey);
}

const OWN_TOKEN = 'dummy-own-token';
const ACT = { [ACTION_HEADER]: 'true', authorization: `Bearer ${OWN_TOKEN}` };

/** A worker's app lives as long as the worker, as it does in a process. */
const apps = new WeakMap<object, App>();
function appOf(simulated: SimulatedWorker): App {
  const app = apps.get(simulated.orchestrator) ?? createApp(sourceOf(simulated), { ownToken: OWN_TOKEN });
  apps.set(simulated.orchestrator, app);
  return app;
}

const emptySurvey = (): Survey => ({
  problems: [],
  seen: new Set(),
  known: new Set(),
  reached: new Set(),
  shapes: new Set(),
  steps: 0,
});

async function play(scenario: Scenario, survey: Survey): Promise<void> {
  const simulated = worldOf(scenario);
  simulated.onStep = () => surveyStep(simulated, survey);
  await surveyStep(simulated, survey);
  await scenario.play(simulated, async (action, body = {}) => {
    const headers = { ...ACT, 'content-type': 'application/json' };
    const options = { headers, body: JSON.stringify(body) };
    await checkRoute(appOf(simulated), survey, 'act', { action }, '', options);
    await surveyStep(simulated, survey);
  });
  for (const id of Object.keys(scenario.issues)) {
    const detail = await checkRoute(appOf(simulated), survey, 'issueShort', { issue: id.toUpperCase() });
    if (detail === null) survey.problems.push(`${scenario.name}: ${id} is forgotten`);
    else survey.seen.add(`issue ${detail.status}`);
  }
  const headers = { [ACTION_HEADER]: 'true' };
  await checkRoute(appOf(simulated), survey, 'refresh', {}, '', { headers });
  await checkRoute(appOf(simulated), survey, 'worker');
  const link = await checkRoute(appOf(simulated), survey, 'link', {}, '', { headers: ACT });
  const body = JSON.stringify({ code: link?.code });
  await checkRoute(appOf(simulated), survey, 'session', {}, '', { headers, body });
  await checkRoute(appOf(simulated), survey, 'session', {}, '', { headers, body });
  await checkRoute(appOf(simulated), survey, 'webhook', { kind: 'github' }, '', { body: '{}' });
  for (const name of EDITOR_ROUTES)
    await checkRoute(appOf(simulated), survey, name, { issue: 'a' }, '', { headers: ACT });
  await checkOtherRoutes(appOf(simulated), survey);
  await simulated.pass(1_000);
}

describe('the contract', () => {
  it(
    'holds for every answer of every route in everything a worker can be in',
    async () => {
      const survey = emptySurvey();
      for (const scenario of SCENARIOS) await play(scenario, survey);
      expect(survey.problems.slice(0, 5)).toEqual([]);
      expect(EVERYTHING.filter((name) => !survey.reached.has(name))).toEqual([]);
      const refused: readonly string[] = ['webhook', ...EDITOR_ROUTES];
      const routes = Object.keys(API_ROUTES).filter((name) => !refused.includes(name));
      expect(routes.filter((name) => !survey.seen.has(`route ${name}`))).toEqual([]);
      const errors = ['issue', 'run', 'runDiff', 'act', 'session', ...refused].map(
        (name) => `error of ${name}`,
      );
      const rows = ['running', 'blocked', 'retrying', 'waiting', 'ended', 'stops'];
      const details = [
        'running',
        'blocked',
        'retrying',
        'waiting',
        'finished',
        'operator_terminal_stop',
        'released',
      ];
      const expected = [
        ...[...errors, ...rows, ...details.map((status) => `issue ${status}`), 'run live', 'run ended'],
        ...['phase', 'workspace', 'session_started', 'turn_started', 'usage'].map((kind) => `event ${kind}`),
        ...['/livez', '/readyz', '/metrics', '/api/v1/openapi.json', '/'],
      ];
      expect(expected.filter((name) => !survey.seen.has(name))).toEqual([]);
    },
    5 * MINUTE,
  );

  it(
    'holds in every different state that simulations of faults, kills and meddling came to',
    async () => {
      const survey = emptySurvey();
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const look = (simulated: SimulatedWorker): Promise<void> => surveyStep(simulated, survey);
        await simulate(seed, look, look);
      }
      expect(survey.problems.slice(0, 5)).toEqual([]);
      expect([survey.steps > 5_000, survey.shapes.size > 300]).toEqual([true, true]);
    },
    5 * MINUTE,
  );

  it(
    'holds for every message of the stream, which adds up to the state itself',
    async () => {
      let messages = 0;
      for (let seed = 20; seed < 30; seed += 1) {
        let followed: {
          life: unknown;
          shown: () => StateSnapshot | null;
          flush: () => StateSnapshot;
        } | null = null;
        await simulate(seed, async (simulated) => {
          if (followed?.life !== simulated.orchestrator) {
            const source = sourceOf(simulated);
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
            followed = { life: simulated.orchestrator, shown: () => shown, flush };
          }
          const state = followed.flush();
          const shown = followed.shown();
          if (!isSame(shown, state)) expect(withoutClocks(shown)).toEqual(withoutClocks(state));
        });
      }
      expect(messages).toBeGreaterThan(500);
    },
    5 * MINUTE,
  );
});

/** Running times go on without being sent each time. */
const CLOCKS = new Set(['generated_at', 'runtime_seconds', 'seconds_running']);

/** Thousands of states are compared: an expectation for each takes seconds, so only a difference gets one. */
function isSame(shown: unknown, state: unknown): boolean {
  if (!isObject(shown) || !isObject(state)) return shown === state;
  return Object.keys({ ...shown, ...state }).every(
    (key) => CLOCKS.has(key) || isSame(shown[key], state[key]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function withoutClocks(state: StateSnapshot | null): unknown {
  return JSON.parse(JSON.stringify(state, (key, value: unknown) => (CLOCKS.has(key) ? 0 : value)));
}
