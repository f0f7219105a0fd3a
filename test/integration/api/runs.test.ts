import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { timelineEntrySchema } from '../../../src/contract/runs.ts';
import { HourlyTotals } from '../../../src/orchestrator/history/hourly-totals.ts';
import { RecentHistory } from '../../../src/orchestrator/history/recent-history.ts';
import { listRuns } from '../../../src/orchestrator/snapshot/run-pages.ts';
import { timelineRow } from '../../../src/orchestrator/snapshot/timeline.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { createMemoryJournal } from '../../../src/store/memory/memory-journal.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';
import { ask } from '../server/ask.ts';
import { EVERY_RUN_EVENT, sampleRun, T0 } from '../store/record-fixtures.ts';
import { sourceOf } from './simulated-source.ts';

const HOUR = 3_600_000;
const ALL = { limit: 100, before: null, issue: null, outcome: null };

function filled(count: number) {
  const journal = createMemoryJournal();
  for (let n = 1; n <= count; n += 1) {
    journal.recordRun(
      sampleRun({
        runId: `run-${n}`,
        identifier: `ENG-${n % 3}`,
        issueId: `id-${n % 3}`,
        startedAt: T0 + n * HOUR - 60_000,
        endedAt: T0 + n * HOUR,
        outcome: { kind: n % 2 === 0 ? 'delivered' : 'failed', summary: 's' },
      }),
    );
  }
  return { journal, history: new RecentHistory(journal.recentRuns(1000)) };
}

describe('listing runs', () => {
  it('pages through them, newest first, without repeats', () => {
    const { history, journal } = filled(25);
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; page < 10; page += 1) {
      const list = listRuns(history, journal, { ...ALL, limit: 10, before });
      seen.push(...list.runs.map((run) => run.run_id));
      before = list.next;
      if (before === null) break;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `run-${25 - n}`));
  });

  it('keeps to an issue, in any case, and to an outcome', () => {
    const { history, journal } = filled(9);
    const ofIssue = listRuns(history, journal, { ...ALL, issue: 'eng-1' });
    expect(ofIssue.runs.map((run) => run.run_id)).toEqual(['run-7', 'run-4', 'run-1']);
    const failed = listRuns(history, journal, { ...ALL, outcome: 'failed', limit: 2 });
    expect(failed.runs.map((run) => run.run_id)).toEqual(['run-9', 'run-7']);
    expect(failed.next).toBe('run-7');
  });

  it('refuses a page that begins nowhere', () => {
    const { history, journal } = filled(3);
    expect(() => listRuns(history, journal, { ...ALL, before: 'nobody' })).toThrow(/no run of this list/);
  });
});

describe('history', () => {
  it('sums runs up by the hour and the day, those that end later too', () => {
    const { history, journal } = filled(25);
    const hourly = new HourlyTotals(history, journal);
    const now = T0 + 25 * HOUR + 1;
    const hours = hourly.read('hour', 25, now);
    expect(hours.points).toHaveLength(25);
    expect(hours.points.every((point) => point.runs === 1)).toBe(true);
    expect(hours.points.at(-1)).toMatchObject({
      at: new Date(T0 + 25 * HOUR).toISOString(),
      outcomes: { failed: 1 },
    });
    history.addRun(sampleRun({ runId: 'later', endedAt: now, startedAt: now - 1000, costUsd: 2 }));
    const later = hourly.read('hour', 1, now).points[0];
    expect(later?.runs).toBe(2);
    const days = hourly.read('day', 3, now);
    expect(days.points.reduce((sum, point) => sum + point.runs, 0)).toBe(26);
    expect(hourly.read('hour', 2, now + 10 * HOUR).points.map((point) => point.runs)).toEqual([0, 0]);
  });
});

describe('the timeline', () => {
  it('has words and facts for every kind of event', () => {
    for (const [index, event] of EVERY_RUN_EVENT.entries()) {
      const row = timelineRow(index + 1, T0, event);
      expect(timelineEntrySchema.parse(row)).toEqual(row);
      expect(row.message).not.toBe('');
      expect(Object.keys(row.detail).join()).toMatch(/^[a-z_,]*$/);
    }
    expect(EVERY_RUN_EVENT.length).toBeGreaterThan(15);
  });
});

describe('the routes of runs', () => {
  let app: App;
  let simulated: SimulatedWorker;
  beforeEach(async () => {
    simulated = new SimulatedWorker(new Random(4), { maxConcurrentAgents: 1 });
    simulated.tracker.add('a', {});
    simulated.agents.plans.set('a', { nature: 'finishes', work: 2, turnsDone: 0, asked: false });
    app = createApp(sourceOf(simulated));
    await simulated.start();
    await simulated.pass(5_000);
  });
  afterEach(() => app.endStreams());

  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const response = await ask(app, path);
    expect(response.status).toBe(200);
    return schema.parse(await response.json());
  }

  it('follow a run from its beginning to its end', async () => {
    const [live] = [...simulated.orchestrator.state.live.keys()];
    const detail = await get(`/api/v1/runs/${live}`, API_ROUTES.run.result);
    expect(detail).toMatchObject({ run_id: live, status: 'live', ended: null });
    const first = await get(`/api/v1/runs/${live}/events?limit=1`, API_ROUTES.runEvents.result);
    expect(first).toMatchObject({ live: true, next: 1, events: [{ seq: 1, kind: 'phase' }] });
    await simulated.pass(10 * HOUR);
    const ended = await get(`/api/v1/runs/${live}`, API_ROUTES.run.result);
    expect(ended).toMatchObject({ status: 'ended', running: null, ended: { run_id: live } });
    const rest = await get(`/api/v1/runs/${live}/events?after=1`, API_ROUTES.runEvents.result);
    expect(rest.events[0]?.seq).toBe(2);
    expect(rest).toMatchObject({ live: false, next: null });
    const { runs } = await get('/api/v1/runs', API_ROUTES.runs.result);
    expect(runs.map((run) => run.run_id)).toContain(live);
  });

  it.each([
    ['/api/v1/runs/nobody', 404],
    ['/api/v1/runs/nobody/events', 404],
    ['/api/v1/runs/nobody/diff', 404],
    ['/api/v1/runs/', 404],
    ['/api/v1/runs/a/b', 404],
    ['/api/v1/runs/a/events/c', 404],
    ['/api/v1/runs?limit=0', 400],
    ['/api/v1/runs?outcome=great', 400],
    ['/api/v1/runs?before=nobody', 400],
    ['/api/v1/history?bucket=week', 400],
    ['/api/v1/history?points=751', 400],
    ['/api/v1/runs/%FF', 400],
  ])('refuse %s with %i', async (path, status) => {
    expect((await ask(app, path)).status).toBe(status);
  });

  it('show numbers to a monitor', async () => {
    await simulated.pass(10 * HOUR);
    const response = await ask(app, '/metrics');
    expect(response.headers.get('content-type')).toContain('version=0.0.4');
    const text = await response.text();
    expect(text).toMatch(/^aiops_runs_total\{outcome="delivered"\} 1$/m);
    expect(text).toMatch(/^aiops_run_seconds_bucket\{le="\+Inf"\} \d+$/m);
    expect(text).toMatch(/^aiops_issues\{status="running"\} 0$/m);
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?[\d.e+-]+)$/,
      );
  });
});
