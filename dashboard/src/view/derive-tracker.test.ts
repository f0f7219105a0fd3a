import { describe, expect, it } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { deriveAlerts } from './derive-alerts.ts';
import { deriveTrackerFacts } from './derive-tracker.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');
const later = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const rich = richState(NOW);

function withTracker(tracker: Partial<StateSnapshot['tracker']>): StateSnapshot {
  return { ...rich, tracker: { ...rich.tracker, ...tracker } };
}

describe('deriveTrackerFacts', () => {
  it('shows what each allowance has left to the last request, and when it is whole again', () => {
    const state = withTracker({
      allowances: [
        { name: 'graphql', limit: 5000, remaining: 1, reset_at: later(90) },
        { name: 'core', limit: 5000, remaining: 4988, reset_at: later(1200) },
      ],
    });
    expect(deriveTrackerFacts(state, NOW).slice(2)).toEqual([
      { label: 'Graphql left', value: '1 of 5,000, whole again in 1m 30s' },
      { label: 'Core left', value: '4,988 of 5,000, whole again in 20m 00s' },
    ]);
  });

  it('shows the last webhook where there are any', () => {
    const labels = deriveTrackerFacts(rich, NOW).map(({ label }) => label);
    expect(labels).toEqual(['Last poll', 'Next poll']);
    const status = { received_total: 0, last: null, last_wake_at: null };
    expect(deriveTrackerFacts({ ...rich, webhooks: status }, NOW).at(-1)).toEqual({
      label: 'Last webhook',
      value: 'none yet',
    });
    const last = { at: later(-7), result: 'bad_signature' as const };
    expect(deriveTrackerFacts({ ...rich, webhooks: { ...status, last } }, NOW).at(-1)?.value).toBe(
      '7s ago, bad signature',
    );
  });

  it('does not count what a tracker does not', () => {
    const poll = {
      at: later(-1),
      duration_ms: 1,
      ok: true,
      candidates: 1,
      requests: null,
      not_modified: null,
    };
    const [last] = deriveTrackerFacts({ ...emptyState(NOW), last_poll: poll }, NOW);
    expect(last?.value).toBe('1s ago, 1 candidate');
  });
});

describe('deriveAlerts', () => {
  it('tells of a tracker that wants to be left alone, once', () => {
    const paused = withTracker({ paused_until: later(60), slowed_until: later(60) });
    expect(deriveAlerts(paused, NOW).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
      'The tracker asked for silence: Nothing is sent to it for now; the next request is in 1m 00s. Running agents go on.',
    ]);
    expect(deriveAlerts(withTracker({ slowed_until: later(61) }), NOW)[0]).toMatchObject({
      severity: 'warning',
      title: 'The tracker is asked less often',
      detail: expect.stringContaining('looked for in 1m 01s'),
    });
  });
});
