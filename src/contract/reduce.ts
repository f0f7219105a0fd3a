import { LIST_LIMITS } from './limits.ts';
import type { StateSnapshot } from './state.ts';
import type { PatchMessage, StreamMessage } from './stream.ts';

/**
 * The state after a message; both dashboards use this one. Null until the first `state` message: a patch alone says
 * nothing.
 */
export function reduce(state: StateSnapshot | null, message: StreamMessage): StateSnapshot | null {
  switch (message.type) {
    case 'state':
      return message.state;
    case 'patch':
      return state === null ? null : applyPatch(state, message);
    case 'run':
    case 'heartbeat':
      return state;
  }
}

function applyPatch(state: StateSnapshot, { set, add }: PatchMessage): StateSnapshot {
  return {
    ...state,
    codex_totals: totalsAt(state, set.generated_at),
    ...withoutUndefined(set),
    ended: newestFirst(state.ended, add.ended, LIST_LIMITS.ended),
    recent_events: newestFirst(state.recent_events, add.recent_events, LIST_LIMITS.recent_events),
    completed_session_usage:
      add.completed_session_usage === undefined
        ? state.completed_session_usage
        : [...state.completed_session_usage, ...add.completed_session_usage].slice(
            -LIST_LIMITS.completed_session_usage,
          ),
  };
}

/** Sums hold as of `generated_at`, which goes on with every patch; of what only time has changed a patch says nothing. */
function totalsAt(state: StateSnapshot, at: string): StateSnapshot['codex_totals'] {
  const { codex_totals: totals, running, generated_at: before } = state;
  const passed = (Date.parse(at) - Date.parse(before)) / 1000;
  if (!(passed > 0) || running.length === 0) return totals;
  return { ...totals, seconds_running: totals.seconds_running + passed * running.length };
}

function newestFirst<T>(rows: T[], added: readonly T[] | undefined, limit: number): T[] {
  return added === undefined ? rows : [...added.toReversed(), ...rows].slice(0, limit);
}

/** A key that is there without a value must not wipe out what is known. */
function withoutUndefined(set: PatchMessage['set']): Partial<StateSnapshot> {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}
