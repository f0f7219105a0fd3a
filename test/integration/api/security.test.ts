import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/observability/logger.ts';
import type { SchedulerState } from '../../../src/scheduler/core/state.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { ask, sendRaw } from '../server/ask.ts';
import { hostileRequest } from './hostile-requests.ts';
import { sourceOf } from './simulated-source.ts';

const TOKEN = 'dummy-token-0123456789';
const MALFORMED = 10_000;
const MINUTE = 60_000;
const OVER_SOCKETS = 400;

let simulated: SimulatedWorker;
let before: SchedulerState;
let failures: unknown[];
let listener: Listener | null;

beforeEach(async () => {
  simulated = new SimulatedWorker(new Random(2), { maxConcurrentAgents: 1 });
  simulated.tracker.add('secret-plan', {});
  simulated.agents.plans.set('secret-plan', { nature: 'hangs', work: 1, turnsDone: 0, asked: false });
  await simulated.start();
  await simulated.pass(5_000);
  before = simulated.orchestrator.state;
  failures = [];
  listener = null;
});
afterEach(() => listener?.close());

/** Nothing happened to the worker, and nothing it answered gives anything away. */
function expectUntouched(): void {
  expect(simulated.orchestrator.state).toBe(before);
  expect(simulated.journal.listActions(10)).toEqual([]);
  expect(failures).toEqual([]);
}

function surface(token: string | null): App {
  const logger = {
    ...silentLogger,
    error: (text: string, fields?: object) => void failures.push([text, fields]),
  };
  return createApp(sourceOf(simulated), { token, logger });
}

describe('10,000 malformed and hostile requests', () => {
  it(
    'change nothing, leak nothing and break nothing',
    async () => {
      const apps = [surface(null), surface(TOKEN)];
      const random = new Random(77);
      const statuses = new Set<number>();
      const problems: string[] = [];
      for (let n = 0; n < MALFORMED; n += 1) {
        const app = apps[n % 2] ?? surface(null);
        const request = hostileRequest(random);
        const response = await ask(app, request.path, request.options);
        const body = await textOf(response);
        statuses.add(response.status);
        const faults = faultsOf(response, body, request.mustFail, n % 2 === 1);
        if (faults.length > 0) problems.push(`${JSON.stringify(request)}: ${faults.join(', ')}`);
      }
      expect(problems.slice(0, 5)).toEqual([]);
      expectUntouched();
      // The mixture reached every kind of refusal.
      expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 403, 404, 405, 421, 429]));
      for (const app of apps.slice(0, 1)) expect((await ask(app, '/api/v1/state')).status).toBe(200);
    },
    5 * MINUTE,
  );

  it(
    'do so over real sockets too, byte by byte',
    async () => {
      listener = await listen({
        app: surface(null),
        host: '127.0.0.1',
        port: 0,
        logger: silentLogger,
        limits: { headersTimeout: 300, requestTimeout: 400, connectionsCheckingInterval: 50 },
      });
      const { port, url } = listener;
      const random = new Random(78);
      const send = async (): Promise<void> => {
        const answer = await sendRaw(port, garbled(random), /\r\n\r\n/);
        expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
        expect(answer).not.toContain('root:');
      };
      for (let n = 0; n < OVER_SOCKETS; n += 50) await Promise.all(Array.from({ length: 50 }, send));
      expectUntouched();
      // The limits may be too short for an honest request, too, while the machine is busy.
      await expect.poll(async () => (await fetch(`${url}/livez`)).status).toBe(200);
    },
    5 * MINUTE,
  );
});

/** What is wrong with an answer to a hostile request. Plain comparisons: thousands of expectations take seconds. */
function faultsOf(response: Response, body: string, mustFail: boolean, isGuarded: boolean): string[] {
  const { status, headers } = response;
  const leaks = [TOKEN, 'root:', 'node_modules', ...(isGuarded ? ['secret-plan'] : [])];
  return [
    ...(status >= 500 || (mustFail && status < 400) ? [`status ${status}`] : []),
    ...leaks.filter((text) => body.includes(text)).map((text) => `shows ${text}`),
    ...(/\n {4}at /.test(body) ? ['shows a stack'] : []),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['may be sniffed']),
  ];
}

/** A stream is left at once: it would never end. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.includes('event-stream') !== true) return response.text();
  await response.body?.cancel();
  return '';
}

/** A request with some of its bytes wrong, which the server may close on or answer. */
function garbled(random: Random): string {
  const whole = `POST /api/v1/actions/pause HTTP/1.1\r\nHost: evil.example\r\nX-AIOPS-Refresh: true\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
  const bytes = [...whole];
  for (let n = random.between(1, 6); n > 0; n -= 1) {
    const at = random.between(0, bytes.length - 1);
    bytes[at] = random.pick(['\0', '\r', '\n', ':', ' ', '\x7f', 'é', '%', '{', '9']);
  }
  return bytes.slice(0, random.chance(0.2) ? random.between(1, bytes.length) : bytes.length).join('');
}

describe('a page of another site', () => {
  it.each([
    ...['/api/v1/refresh', '/api/v1/actions/pause', '/api/v1/actions/stop'],
    ...['/api/v1/tracker/issues', '/api/v1/tracker/issues/a', '/api/v1/tracker/issues/a/move'],
  ])('cannot act through the browser of somebody who may: POST %s', async (path) => {
    const app = surface(TOKEN);
    const authorization = `Basic ${Buffer.from(`aiops:${TOKEN}`).toString('base64')}`;
    for (const extra of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1.evil.example:4000' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Content-Type': 'text/plain' },
    ]) {
      const headers: Record<string, string> = { authorization, ...extra };
      const asForm = await ask(app, path, { method: 'POST', headers, body: '{"issue":"secret-plan"}' });
      expect(asForm.status).toBeGreaterThanOrEqual(400);
      if ('Content-Type' in extra) continue;
      const withHeader = { ...headers, 'X-AIOPS-Refresh': 'true' };
      expect((await ask(app, path, { method: 'POST', headers: withHeader })).status).toBe(403);
    }
    expectUntouched();
  });

  it('cannot ask whether it may', async () => {
    const response = await ask(surface(TOKEN), '/api/v1/actions/pause', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Headers': 'x-aiops-refresh' },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the token', () => {
  it('cannot be found out by how long a refusal takes', async () => {
    const app = surface(TOKEN);
    const measure = async (token: string, peer: string): Promise<number> => {
      const start = process.hrtime.bigint();
      await ask(app, '/api/v1/state', { headers: { authorization: `Bearer ${token}` }, peer });
      return Number(process.hrtime.bigint() - start);
    };
    const fars: number[] = [];
    const nears: number[] = [];
    // By turns, so that a machine that slows down slows both; the first ones warm up. A new address each time: guesses
    // from one are refused unseen.
    for (let n = -50; n < 200; n += 1) {
      const far = await measure('x'.repeat(TOKEN.length), `10.0.${n + 50}.1`);
      const near = await measure(`${TOKEN.slice(0, -1)}x`, `10.0.${n + 50}.2`);
      if (n < 0) continue;
      fars.push(far);
      nears.push(near);
    }
    const [far = 0, near = 0] = [fars, nears].map((times) => times.sort((a, b) => a - b)[20]);
    // A comparison that stops at the first difference could not be told apart here either; a gross leak could.
    expect(Math.max(near, far) / Math.min(near, far)).toBeLessThan(3);
    expectUntouched();
  });
});
