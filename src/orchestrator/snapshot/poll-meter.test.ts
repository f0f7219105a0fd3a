import { describe, expect, it } from 'vitest';
import { initialState } from '../../scheduler/core/initial-state.ts';
import type { LastPoll, SchedulerState } from '../../scheduler/core/state.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { PollMeter } from './poll-meter.ts';

const poll = (at: number): LastPoll => ({
  at,
  durationMs: 1,
  ok: true,
  error: null,
  candidates: 0,
  failingSince: null,
});

function trackerCounting(count: { requests: number; notModified: number } | null): Tracker {
  const reading = {
    remaining: null,
    limit: null,
    resetAt: null,
    pausedUntil: null,
    slowedUntil: null,
    allowances: [],
  };
  return {
    kind: 'fake',
    fetchIssuesByStates: async () => [],
    fetchIssuesByIds: async () => new Map(),
    tools: { specs: [], secretEnvironmentNames: [], execute: async () => ({ success: true, output: null }) },
    changes: null,
    budget: count === null ? null : { read: () => ({ ...reading, ...count }) },
  };
}

function stateIn(phase: SchedulerState['tick']['phase'], lastPoll: LastPoll | null): SchedulerState {
  const state = initialState('t');
  return { ...state, lastPoll, tick: { ...state.tick, phase } };
}

describe('PollMeter', () => {
  it('counts from the beginning of a poll to its end', () => {
    const count = { requests: 10, notModified: 4 };
    const tracker = trackerCounting(count);
    const meter = new PollMeter();
    meter.note(stateIn('idle', null), tracker);
    expect(meter.last).toBeNull();
    meter.note(stateIn('refreshing', null), tracker);
    count.requests = 13;
    meter.note(stateIn('listing', null), tracker);
    count.requests = 15;
    count.notModified = 7;
    const first = poll(1);
    meter.note(stateIn('idle', first), tracker);
    expect(meter.last).toEqual({ requests: 5, notModified: 3 });
    count.requests = 20;
    meter.note(stateIn('idle', first), tracker);
    meter.note(stateIn('listing', first), tracker);
    count.requests = 22;
    meter.note(stateIn('idle', poll(2)), tracker);
    expect(meter.last).toEqual({ requests: 2, notModified: 0 });
  });

  it('knows nothing of a tracker that does not count, or of another one', () => {
    const meter = new PollMeter();
    const counting = trackerCounting({ requests: 3, notModified: 0 });
    meter.note(stateIn('idle', null), counting);
    meter.note(stateIn('idle', poll(1)), counting);
    expect(meter.last).toEqual({ requests: 0, notModified: 0 });
    meter.note(stateIn('idle', poll(1)), trackerCounting(null));
    expect(meter.last).toBeNull();
  });
});
