import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatStatus } from '../../../src/cli/remote/format-status.ts';
import { PLAIN } from '../../../src/cli/terminal/look.ts';
import { actionResultSchema } from '../../../src/contract/actions.ts';
import { stateSnapshotSchema } from '../../../src/contract/state.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { runInProcess } from '../../fakes/in-process-cli.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { emptyState, richState } from '../server/state-fixture.ts';
import { sourceOf } from './simulated-source.ts';

const TOKEN = 'dummy-token';
const UTC = { ...PLAIN, utc: true };
let simulated: SimulatedWorker;
let listener: Listener;

beforeEach(async () => {
  simulated = new SimulatedWorker(new Random(1), { maxConcurrentAgents: 2 });
  for (const [id, nature] of [
    ['hangs', 'hangs'],
    ['asks', 'asks'],
    ['waits', 'finishes'],
  ] as const) {
    simulated.tracker.add(id, { priority: id === 'waits' ? 4 : 1 });
    simulated.agents.plans.set(id, { nature, work: 99, turnsDone: 0, asked: false });
  }
  await simulated.start();
  await simulated.pass(5_000);
  const app = createApp(sourceOf(simulated), { token: TOKEN });
  listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
});
afterEach(() => listener.close());

function cli(args: readonly string[], environment: Record<string, string> = {}, input = '') {
  return runInProcess(args, {
    stdin: async () => input,
    environment: {
      AIOPS_DASHBOARD_URL: listener.url,
      AIOPS_STATE_API_TOKEN: TOKEN,
      USER: 'ada',
      ...environment,
    },
    cwd: '/',
  });
}

describe('aiops status', () => {
  it('shows who runs and who waits, and why', async () => {
    const { code, out } = await cli(['status']);
    expect(code).toBe(0);
    expect(out).toMatch(/2 of 2 running/);
    expect(out).toMatch(/RUNNING\n\s+\S+/);
    expect(out).toMatch(/WAITING\n.*waiting for a slot/);
  });

  it('prints the state as it came with --json', async () => {
    const { out } = await cli(['status', '--json']);
    expect(stateSnapshotSchema.parse(JSON.parse(out)).running).toHaveLength(2);
  });

  it('shows one issue, and says when there is none', async () => {
    const { out } = await cli(['status', 'WAITS']);
    expect(out).toMatch(/Status\s+waiting/);
    const unknown = await cli(['status', 'nobody']);
    expect([unknown.code, unknown.out]).toEqual([1, '']);
    expect(unknown.err).toMatch(/^aiops: the worker has not seen an issue "nobody"/m);
  });
});

describe('the tracker in aiops status', () => {
  const now = Date.parse('2026-07-01T09:30:00.000Z');
  const later = (seconds: number) => new Date(now + seconds * 1000).toISOString();

  it('is a line with polls, allowances and webhooks', () => {
    const state = richState(now);
    const allowances = [
      { name: 'graphql', limit: 5_000, remaining: 12, reset_at: later(600) },
      { name: 'core', limit: 5_000, remaining: 4_988, reset_at: later(1_200) },
    ];
    const webhooks = {
      received_total: 3,
      last: { at: later(-61), result: 'bad_signature' as const },
      last_wake_at: null,
    };
    const shown = formatStatus(
      {
        ...state,
        tracker: { ...state.tracker, kind: 'github', allowances, slowed_until: later(300) },
        webhooks,
      },
      UTC,
    );
    expect(shown.split('\n').slice(1, 3)).toEqual([
      'github: polled 4s ago (2 requests, 1 of them unchanged); next in 26s; 12 of 5,000 graphql left until 09:40:00 UTC; 4,988 of 5,000 core left until 09:50:00 UTC; last webhook 1m 01s ago, bad signature',
      '! new issues are not looked for until 09:35:00 UTC, so that the token lasts until its reset',
    ]);
  });

  it('says when it asked for silence, and when nothing is known', () => {
    const state = emptyState(now);
    const paused = { ...state.tracker, paused_until: later(60), slowed_until: later(60) };
    expect(
      formatStatus({ ...state, tracker: paused }, UTC)
        .split('\n')
        .slice(1, 3),
    ).toEqual(['local: not polled yet; polling now', '! the tracker asked for silence until 09:31:00 UTC']);
  });
});

describe('aiops logs', () => {
  it('prints the timeline of the latest run, or its last lines', async () => {
    const { code, out } = await cli(['logs', 'hangs']);
    expect(code).toBe(0);
    expect(out).toMatch(/phase\s+PreparingWorkspace/);
    expect(out).toMatch(/turn_started\s+turn 1 started/);
    const last = await cli(['logs', 'hangs', '-n', '1', '--json']);
    expect(last.out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(last.out)).toMatchObject({ seq: expect.any(Number), kind: expect.any(String) });
  });

  it('follows until the run ends', async () => {
    const following = cli(['logs', 'hangs', '--follow']);
    simulated.orchestrator.act({ kind: 'stop', issue: 'hangs', by: 'test' });
    await simulated.pass(60_000);
    expect(await following).toMatchObject({ code: 0 });
  });

  it('has nothing to show of an issue that has not run', async () => {
    const { code, err } = await cli(['logs', 'waits']);
    expect(code).toBe(1);
    expect(err).toContain('has had no run yet');
  });
});

describe('operating the worker', () => {
  it('pauses and resumes, and says when there was nothing to do', async () => {
    expect((await cli(['pause'])).out).toContain('no new run starts');
    expect((await cli(['pause'])).out).toContain('nothing had to change');
    expect(simulated.orchestrator.state.paused).toBe(true);
    const { out } = await cli(['resume', '--json']);
    expect(actionResultSchema.parse(JSON.parse(out))).toMatchObject({
      action: 'resume',
      changed: true,
      by: 'ada',
    });
    expect(simulated.journal.listActions(5).map(({ by }) => by)).toEqual(['ada', 'ada']);
  });

  it('stops and retries', async () => {
    expect(await cli(['stop', 'hangs', '--by', 'grace'])).toMatchObject({ code: 0 });
    await simulated.pass(60_000);
    expect(simulated.orchestrator.state.claims.get('hangs')?.phase).toBe('blocked');
    expect(await cli(['retry', 'hangs', '--reset-budget'])).toMatchObject({ code: 0 });
    expect(simulated.orchestrator.state.claims.get('hangs')?.phase).not.toBe('blocked');
  });

  it('reads a long text from standard input', async () => {
    expect(await cli(['message', 'hangs', '-'], {}, 'please\nhurry\n')).toMatchObject({ code: 0 });
    expect(simulated.journal.listActions(1)[0]?.detail).toBe('from 127.0.0.1; please\nhurry');
    expect(await cli(['message', 'hangs', 'two', 'words'])).toMatchObject({ code: 0 });
    expect(simulated.journal.listActions(1)[0]?.detail).toContain('two words');
  });

  it.each([
    [['retry', 'waits'], {}, 5, /neither blocked nor waiting/],
    [['answer', 'hangs', 'yes'], {}, 5, /no open question/],
    [['stop', 'nobody'], {}, 1, /has not seen/],
    [['stop'], {}, 2, /missing required argument/],
    [['message', 'hangs', ' '], {}, 2, /text/],
    [['status', '--url', 'ftp://x'], {}, 2, /not the address of a worker/],
    [['status'], { AIOPS_STATE_API_TOKEN: 'wrong' }, 4, /asks for a token/],
    [
      ['status'],
      { AIOPS_DASHBOARD_URL: 'http://127.0.0.1:9' },
      3,
      /no worker answers at http:\/\/127.0.0.1:9.*aiops worker/,
    ],
  ] as const)('%j %j ends with %i', async (args, environment, code, text) => {
    const result = await cli(args, environment);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toMatch(text);
    const lines = result.err.trim().split('\n');
    expect(lines.filter((line) => !/^aiops: worker of \/WORKFLOW\.md at http/.test(line))).toHaveLength(1);
  });
});
