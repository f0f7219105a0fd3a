import { describe, expect, it } from 'vitest';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveMeters } from './derive-meters.ts';
import { filterState, sortState } from './filter-state.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');
const rich = richState(NOW);
const later = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

describe('the board', () => {
  it('finds rows by all words, in any case, in every list', () => {
    const found = filterState(rich, 'DEMO-11 durations');
    expect(found.running.map(({ issue_identifier: id }) => id)).toEqual(['DEMO-11']);
    expect([found.waiting, found.retrying, found.blocked, found.ended].flat()).toEqual([]);
    expect(found.counts).toEqual(rich.counts);
    expect(filterState(rich, '  ')).toBe(rich);
  });

  it('sorts what can be sorted that way', () => {
    const tokens = sortState(rich, 'tokens').running.map((row) => row.tokens.total_tokens);
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a));
    const ids = sortState(rich, 'issue').ended.map((row) => row.issue_identifier);
    expect(ids[0]).toBe('DEMO-3');
    expect(sortState(rich, 'nonsense')).toBe(rich);
  });
});

describe('what runs out', () => {
  it('is nothing that nobody limits', () => {
    expect(deriveMeters(emptyState(NOW), NOW)).toEqual([]);
  });

  it('is told with how much is left and when it is whole again', () => {
    const state = {
      ...rich,
      rate_limits: {
        primary: { used_percent: 41, resets_at: NOW / 1000 + 90 },
        secondary: { usedPercent: 97 },
        credits: 'x',
        five_hour: { remaining: 5, limit: 20, reset_in_seconds: 60 },
      },
      spending: {
        ...rich.spending,
        today: { turns: 1, tokens: 850, cost_usd: 0.5, runtime_seconds: 1 },
        day_limits: { tokens: 1000, cost_usd: 2 },
      },
      tracker: {
        ...rich.tracker,
        allowances: [{ name: 'core', limit: 5000, remaining: 4000, reset_at: later(60) }],
      },
    };
    expect(deriveMeters(state, NOW).map(({ label, text, tone }) => [label, text, tone])).toEqual([
      ['Tokens today', '850 of 1k', 'attention'],
      ['Cost today', '$0.50 of $2.00', 'good'],
      ['Agent: short window', '41 % used, whole again in 1m 30s', 'good'],
      ['Agent: long window', '97 % used', 'bad'],
      ['Agent: five hours', '5 of 20 left, whole again in 1m 00s', 'good'],
      ['Tracker: core', '4k of 5k left, whole again in 1m 00s', 'good'],
    ]);
  });

  it.each([{ primary: null }, { primary: { used_percent: 'x' } }, { used_percent: Number.NaN }])(
    'bears %j',
    (limits) => {
      expect(() => deriveMeters({ ...rich, rate_limits: limits }, NOW)).not.toThrow();
    },
  );
});
