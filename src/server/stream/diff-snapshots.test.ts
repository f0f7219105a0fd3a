import { describe, expect, it } from 'vitest';
import { emptyState, richState } from '../../../test/integration/server/state-fixture.ts';
import { reduce } from '../../contract/reduce.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { diffSnapshots } from './diff-snapshots.ts';

const NOW = Date.parse('2026-07-01T09:30:00Z');

function patchOf(before: StateSnapshot, after: StateSnapshot) {
  const patch = diffSnapshots(before, after);
  if (patch === null || patch === 'everything') throw new Error(`no patch but ${patch}`);
  return patch;
}

describe('diffSnapshots', () => {
  const before = richState(NOW);

  it('says nothing when only time has passed, unless asked', () => {
    const running = before.running.map((row) => ({ ...row, runtime_seconds: row.runtime_seconds + 1 }));
    const after = { ...before, generated_at: new Date(NOW + 1000).toISOString(), running };
    expect(diffSnapshots(before, after)).toBeNull();
    expect(diffSnapshots(before, after, true)).toMatchObject({ set: { running } });
  });

  it('names only the parts that changed', () => {
    const after = { ...before, paused: true, counts: { ...before.counts } };
    expect(patchOf(before, after)).toEqual({
      type: 'patch',
      set: { generated_at: before.generated_at, paused: true },
      add: {},
    });
  });

  it('adds rows to the lists that grow, and the reducer puts them where they belong', () => {
    const [ended, event, usage] = [
      before.ended[0],
      before.recent_events[0],
      before.completed_session_usage[0],
    ];
    if (ended === undefined || event === undefined || usage === undefined) throw new Error('no rows');
    const after: StateSnapshot = {
      ...before,
      ended: [{ ...ended, run_id: 'newest' }, { ...ended, run_id: 'newer' }, ...before.ended],
      recent_events: [{ ...event, message: 'new' }, ...before.recent_events],
      completed_session_usage: [...before.completed_session_usage, { ...usage, outcome: 'failed' }],
    };
    const patch = patchOf(before, after);
    expect(patch.add.ended?.map((row) => row.run_id)).toEqual(['newer', 'newest']);
    expect(Object.keys(patch.set)).toEqual(['generated_at']);
    expect(reduce(before, patch)).toEqual(after);
  });

  it('grows lists from nothing', () => {
    const empty = emptyState(NOW);
    expect(reduce(empty, patchOf(empty, before))).toEqual(before);
  });

  it('gives up when a list was not just added to', () => {
    expect(diffSnapshots(before, { ...before, ended: before.ended.map((row) => ({ ...row })) })).toBe(
      'everything',
    );
  });
});

describe('reduce', () => {
  it('knows nothing before the first state', () => {
    const state = emptyState(NOW);
    const patch = patchOf(state, { ...state, paused: true });
    expect(reduce(null, patch)).toBeNull();
    expect(reduce(null, { type: 'state', state })).toBe(state);
    expect(reduce(state, { type: 'heartbeat', at: state.generated_at })).toBe(state);
    expect(reduce(reduce(null, { type: 'state', state }), patch)?.paused).toBe(true);
  });

  it('keeps the time of live agents as of the moment that it shows', () => {
    const state = richState(NOW);
    const later = { ...state, paused: true, generated_at: new Date(NOW + 10_000).toISOString() };
    const { codex_totals: shown } = reduce(state, patchOf(state, later)) ?? state;
    const passed = 10 * state.running.length;
    expect(passed).toBeGreaterThan(0);
    expect(shown).toEqual({
      ...state.codex_totals,
      seconds_running: state.codex_totals.seconds_running + passed,
    });
  });
});
