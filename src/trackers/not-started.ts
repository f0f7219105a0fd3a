import { includesState, normaliseState } from '../domain/state-name.ts';

const NOT_STARTED = ['todo', 'to do', 'to-do', 'open', 'new', 'ready', 'backlog', 'triage', 'unstarted'];

/**
 * True for the active states in which work has not begun: only there do blockers and pull requests hold an issue
 * back. They are known by name (`todo`, `open`, `status: ready`, `team/todo` …); if none has such a name, it is the first
 * active state.
 */
export function isNotStarted(state: string, active: readonly string[]): boolean {
  const named = active.filter(hasNotStartedName);
  return includesState(named.length > 0 ? named : active.slice(0, 1), state);
}

function hasNotStartedName(state: string): boolean {
  const name = normaliseState(state).split(/[:/]/).at(-1) ?? '';
  return NOT_STARTED.includes(name.trim());
}
