import { describe, expect, it } from 'vitest';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveHistory, quantile, readFilter } from './derive-history.ts';
import { toCsv } from './export.ts';

const NOW = Date.parse('2026-07-10T12:00:00Z');
const [sample] = richState(NOW).ended;
if (sample === undefined) throw new Error('the sample has no finished run');
const run = (over: Partial<EndedRun>): EndedRun => ({ ...sample, agent_provider: 'mock', ...over });
const EVERYTHING = readFilter({ days: '7' });

describe('deriveHistory', () => {
  const runs = [
    run({
      run_id: 'd',
      issue_id: 'a',
      outcome: 'delivered',
      ended_at: '2026-07-10T10:00:00.000Z',
      cost_usd: 0.5,
    }),
    run({
      run_id: 'c',
      issue_id: 'b',
      outcome: 'failed',
      reason: 'hook_failed',
      ended_at: '2026-07-09T23:59:59.000Z',
    }),
    run({
      run_id: 'b',
      issue_id: 'a',
      outcome: 'progressed',
      agent_provider: 'other',
      started_at: '2026-07-09T08:00:00.000Z',
      ended_at: '2026-07-09T09:00:00.000Z',
    }),
    run({ run_id: 'a', issue_id: 'c', ended_at: '2026-07-01T09:00:00.000Z' }),
  ];

  it('counts by day in UTC, empty days included, and leaves out what is older', () => {
    const { days } = deriveHistory(runs, EVERYTHING, NOW);
    expect(days.map(({ day, runs: count }) => [day, count])).toEqual([
      ['2026-07-04', 0],
      ['2026-07-05', 0],
      ['2026-07-06', 0],
      ['2026-07-07', 0],
      ['2026-07-08', 0],
      ['2026-07-09', 2],
      ['2026-07-10', 1],
    ]);
    expect(days.at(-1)).toMatchObject({ outcomes: { delivered: 1 }, costUsd: 0.5 });
  });

  it('measures a delivery from the begin of the issue’s first run', () => {
    expect(deriveHistory(runs, EVERYTHING, NOW).deliveryTimes).toEqual([26 * 3600]);
  });

  it('tells why runs failed and what each agent did', () => {
    const view = deriveHistory(runs, EVERYTHING, NOW);
    expect(view.failures).toEqual([{ name: 'hook failed', count: 1 }]);
    expect(view.agents.map(({ agent, runs: count, delivered }) => [agent, count, delivered])).toEqual([
      ['mock', 2, 1],
      ['other', 1, 0],
    ]);
  });

  it('filters, and still offers every choice', () => {
    const view = deriveHistory(runs, { ...EVERYTHING, agent: 'other' }, NOW);
    expect(view.runs.map(({ run_id: id }) => id)).toEqual(['b']);
    expect(view.choices.agents).toEqual(['mock', 'other']);
  });
});

it.each([
  [{}, 30],
  [{ days: '7' }, 7],
  [{ days: '1e9' }, 30],
])('reads the days of %j', (query, days) => {
  expect(readFilter(query).days).toBe(days);
});

it('finds quantiles', () => {
  expect([quantile([], 0.5), quantile([1, 2, 3], 0.5), quantile([1, 2, 3, 4], 0.9)]).toEqual([null, 2, 4]);
});

it('writes CSV that no spreadsheet takes for a formula', () => {
  const text = toCsv([run({ run_id: 'r', title: '=HYPERLINK("x","y")', summary: 'a, "b"\nc' })]);
  const lines = text.split('\r\n');
  expect(lines[0]).toMatch(/^run,issue,title,outcome/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""x"",""y"")"`);
  expect(text).toContain('"a, ""b""\nc"');
});
