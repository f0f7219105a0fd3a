import { describe, expect, it } from 'vitest';
import type { IssueDetail } from '../../../src/contract/issue-detail.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { AgentEvent } from '../../../src/domain/agent-event.ts';
import { RecentHistory } from '../../../src/orchestrator/history/recent-history.ts';
import { buildIssueDetail } from '../../../src/orchestrator/snapshot/issue-detail.ts';
import { buildStateSnapshot, type SnapshotInput } from '../../../src/orchestrator/snapshot/state-snapshot.ts';
import { current, makeIssue, SchedulerFixture } from '../../fakes/scheduler-fixture.ts';
import { configOf } from './workflow.ts';

const a = makeIssue('a', { identifier: 'ENG-1', url: 'https://tracker.example/ENG-1' });
const session: AgentEvent = {
  type: 'session_started',
  sessionId: 'thread1',
  pid: 77,
  model: 'm',
  resumed: false,
};
const usage = (input: number, output: number): AgentEvent => ({
  type: 'usage',
  usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
  costUsd: null,
});

/** A driven scheduler and what people are shown of it. */
class Scene {
  readonly fixture = new SchedulerFixture({ maxConcurrentAgents: 1 });
  readonly history = new RecentHistory();
  readonly #config = configOf();

  constructor() {
    this.fixture.start().list(a);
  }

  do(step: (fixture: SchedulerFixture) => void): this {
    step(this.fixture);
    for (const { event } of this.fixture.sent('publish')) this.history.addEvent(event);
    for (const { run } of this.fixture.sent('record_run')) this.history.addRun(run);
    return this;
  }

  get #input(): SnapshotInput {
    const { state, settings, now } = this.fixture;
    return {
      state,
      activity: this.fixture.activity.view,
      workflow: { config: this.#config, tracker: null, tools: null, settings },
      history: this.history,
      now,
      startedAt: 0,
      version: '0',
      reloadError: null,
      journal: { ok: true, path: null, problem: null },
    };
  }

  get shown(): StateSnapshot {
    return buildStateSnapshot(this.#input);
  }

  issue(name: string): IssueDetail | null {
    return buildIssueDetail(this.#input, name);
  }
}

describe('GET /api/v1/state', () => {
  it('has the top level of the SPEC (R-4.1.8-a, R-13.3-a, R-13.7.2-a, R-13.7.2-d, R-13.7.2-e, R-13.7.2-j, R-17.4-n)', () => {
    const { shown } = new Scene();
    expect(shown).toMatchObject({
      generated_at: '1970-01-01T00:16:40.000Z',
      counts: { running: 1, retrying: 0 },
      poll_interval_ms: 30_000,
      max_concurrent_agents: 1,
      retrying: [],
      completed: [],
      codex_totals: { input_tokens: 0, output_tokens: 0, total_tokens: 0, seconds_running: 0 },
      rate_limits: null,
    });
    expect(shown.running).toHaveLength(1);
  });

  it('running rows know issue, session, process, turn, last event and tokens (R-4.1.5-a, R-4.1.6-a, R-4.2-h, R-7.3-d, R-10.2-k, R-13.3-b, R-13.3-c, R-13.7.2-b)', () => {
    const scene = new Scene().do((fixture) => {
      fixture.event('a', { type: 'workspace', path: '/w/ENG-1', branch: 'ai/a', createdNow: true });
      fixture.agent('a', session).agent('a', { type: 'turn_started', turn: 1, turnId: 'turn1' });
      fixture.agent('a', usage(100, 20)).advance(4_000);
      fixture.agent('a', { type: 'activity', kind: 'message', text: 'Reading the code' }).advance(1_000);
    });
    expect(scene.shown.running[0]).toMatchObject({
      issue_id: 'a',
      issue_identifier: 'ENG-1',
      issue_url: a.url,
      state: 'Todo',
      phase: 'PreparingWorkspace',
      workspace_path: '/w/ENG-1',
      session_id: 'thread1-turn1',
      codex_app_server_pid: 77,
      turn_count: 1,
      last_event: 'activity',
      last_message: 'Reading the code',
      started_at: '1970-01-01T00:16:40.000Z',
      last_event_at: '1970-01-01T00:16:44.000Z',
      tokens: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
    });
  });

  it('turn_count counts the turns of this run only (R-4.1.6-c)', () => {
    const scene = new Scene().do((fixture) => {
      fixture.turn('a', 1, current(a)).turn('a', 2, current(a));
    });
    expect(scene.shown.running[0]?.turn_count).toBe(2);
    scene.do((fixture) => fixture.end('a', { kind: 'completed' }, 2, { newCommits: 1 }));
    scene.do((fixture) => {
      fixture
        .advance(1_000)
        .send({ type: 'timer_fired', key: 'retry:a' })
        .refresh({ a: current(a) });
    });
    expect(scene.shown.running[0]?.turn_count).toBe(0);
  });

  it('retrying rows know attempt, due time and error (R-13.3-c, R-13.7.2-c)', () => {
    const scene = new Scene().do((fixture) =>
      fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'it broke' }),
    );
    expect(scene.shown.counts).toMatchObject({ running: 0, retrying: 1 });
    expect(scene.shown.retrying).toMatchObject([
      {
        issue_id: 'a',
        issue_identifier: 'ENG-1',
        issue_url: a.url,
        attempt: 1,
        due_at: '1970-01-01T00:16:50.000Z',
        error: 'it broke',
      },
    ]);
  });

  it('a due retry without a slot says so in the SPEC’s words (R-8.4-i, R-17.4-m)', () => {
    const scene = new Scene().do((fixture) => {
      fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'it broke' });
      fixture
        .poll([a], [a, makeIssue('b')])
        .advance(10_000)
        .send({ type: 'timer_fired', key: 'retry:a' });
    });
    expect(scene.shown.retrying[0]).toMatchObject({ attempt: 1, error: 'no available orchestrator slots' });
  });

  it('completed names issues whose runs ended normally (R-4.1.8-a)', () => {
    const scene = new Scene().do((fixture) => fixture.turn('a', 1, current(a)).end('a'));
    expect(scene.shown.completed).toEqual(['a']);
  });
});

describe('sums', () => {
  it('of absolute counters only the growth is added, also over repeats and falls (R-4.1.6-b, R-13.5-d, R-13.5-f, R-17.6-d)', () => {
    const scene = new Scene();
    const sumsAfter = (report: AgentEvent): number[] => {
      const { running, codex_totals: sums } = scene.do((fixture) => fixture.agent('a', report)).shown;
      expect(sums).toMatchObject({ ...running[0]?.tokens });
      return [sums.input_tokens, sums.output_tokens, sums.total_tokens];
    };
    expect(sumsAfter(usage(100, 10))).toEqual([100, 10, 110]);
    expect(sumsAfter(usage(100, 10))).toEqual([100, 10, 110]);
    expect(sumsAfter(usage(150, 20))).toEqual([150, 20, 170]);
    expect(sumsAfter(usage(30, 5))).toEqual([150, 20, 170]);
    expect(sumsAfter(usage(160, 20))).toEqual([160, 20, 180]);
    scene.do((fixture) => fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'no' }));
    scene.do((fixture) => {
      fixture
        .advance(10_000)
        .send({ type: 'timer_fired', key: 'retry:a' })
        .refresh({ a: current(a) });
      fixture.agent('a', usage(40, 0));
    });
    expect(scene.shown.codex_totals.total_tokens).toBe(220);
  });

  it('seconds include live sessions when looked at, without a tick in between (R-13.3-d, R-13.5-g, R-13.5-h2)', () => {
    const scene = new Scene();
    expect(scene.do((fixture) => fixture.advance(1_500)).shown.codex_totals.seconds_running).toBe(1.5);
    expect(scene.do((fixture) => fixture.advance(1_000)).shown.codex_totals.seconds_running).toBe(2.5);
  });

  it.each([
    ['normally', { kind: 'completed' } as const],
    ['by a failure', { kind: 'failed', code: 'turn_failed', message: 'no' } as const],
    ['by a stop', { kind: 'stopped', reason: { kind: 'operator', by: 'me' } } as const],
  ])('a session that ended %s keeps its seconds (R-13.5-h)', (_name, end) => {
    const scene = new Scene()
      .do((fixture) => fixture.advance(60_000).end('a', end))
      .do((fixture) => fixture.advance(5_000));
    expect(scene.shown.codex_totals.seconds_running).toBe(60);
  });

  it('the newest rate limits of any agent are kept, also after its run (R-13.5-i, R-13.7.2-e)', () => {
    const limits = (left: number): AgentEvent => ({ type: 'rate_limits', rateLimits: { primary: { left } } });
    const scene = new Scene().do((fixture) => fixture.agent('a', limits(5)).agent('a', limits(4)).end('a'));
    expect(scene.shown.rate_limits).toEqual({ primary: { left: 4 } });
  });
});

describe('GET /api/v1/<issue>', () => {
  it('a running issue has the SPEC’s fields (R-13.7.2-f, R-13.7.2-g)', () => {
    const scene = new Scene().do((fixture) => {
      fixture.event('a', { type: 'workspace', path: '/w/ENG-1', branch: 'ai/a', createdNow: true });
      fixture.agent('a', session).agent('a', usage(1, 2));
    });
    expect(scene.issue('eng-1')).toMatchObject({
      issue_identifier: 'ENG-1',
      issue_id: 'a',
      status: 'running',
      workspace: { path: '/w/ENG-1' },
      attempts: { restart_count: 0, current_retry_attempt: null },
      running: {
        session_id: 'thread1',
        turn_count: 0,
        state: 'Todo',
        started_at: expect.any(String),
        last_event: 'usage',
        last_message: expect.any(String),
        last_event_at: expect.any(String),
        tokens: { total_tokens: 3 },
      },
      retry: null,
      logs: { codex_session_logs: expect.any(Array) },
      recent_events: expect.any(Array),
      last_error: null,
      tracked: {},
    });
  });

  it('a retrying issue tells its attempts, its error and its events (R-13.7.2-f)', () => {
    const scene = new Scene().do((fixture) =>
      fixture.end('a', { kind: 'failed', code: 'turn_failed', message: 'it broke' }),
    );
    const detail = scene.issue('ENG-1');
    expect(detail).toMatchObject({
      status: 'retrying',
      attempts: { current_retry_attempt: 1 },
      running: null,
      retry: { attempt: 1 },
      last_error: 'it broke',
    });
    expect(detail?.recent_events[0]).toMatchObject({
      event: expect.any(String),
      message: expect.any(String),
    });
    expect(scene.issue('ENG-2')).toBeNull();
  });
});

describe('humanised texts', () => {
  it('decide nothing: two runs that differ only in them end alike (R-13.6-a)', () => {
    const outcomes = ['done, moving to Done', 'turn failed: quota exceeded'].map((text) => {
      const fixture = new SchedulerFixture().start().list(a);
      fixture.agent('a', { type: 'activity', kind: 'message', text });
      fixture.turn('a', 1, current(a)).end('a', { kind: 'completed' }, 1, { newCommits: 1 });
      return fixture.state.claims.get('a');
    });
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});
