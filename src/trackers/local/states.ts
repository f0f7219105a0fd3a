import { includesState, normaliseState, sameState } from '../../domain/state-name.ts';

export interface LocalStates {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
  /** Where work waits for a person: neither active nor terminal. */
  readonly inactive: readonly string[];
}

const DEFAULT_INACTIVE = ['Backlog', 'Human Review'];
const NOT_STARTED = ['todo', 'to do', 'to-do', 'open', 'new', 'ready', 'backlog', 'triage', 'unstarted'];

export function localStates(
  active: readonly string[],
  terminal: readonly string[],
  inactive: readonly string[] = [],
): LocalStates {
  const waiting = inactive.length > 0 ? inactive : DEFAULT_INACTIVE;
  const taken = [...active, ...terminal];
  return { active, terminal, inactive: waiting.filter((state) => !includesState(taken, state)) };
}

/**
 * True for the active states in which work has not begun; only there do blockers hold an issue back.
 * They are known by name (`Todo`, `Open`, `team:todo` …); if none has such a name, it is the first active state.
 */
export function isNotStarted(state: string, active: readonly string[]): boolean {
  const named = active.filter(hasNotStartedName);
  return includesState(named.length > 0 ? named : active.slice(0, 1), state);
}

function hasNotStartedName(state: string): boolean {
  const name = normaliseState(state).split(/[:/]/).at(-1) ?? '';
  return NOT_STARTED.includes(name.trim());
}

/** The known spelling of a state; null when nobody knows it. */
export function knownState(states: LocalStates, inUse: readonly string[], wanted: string): string | null {
  return allStates(states, inUse).find((state) => sameState(state, wanted)) ?? null;
}

/** Configured states first, then others that issues are in. */
export function allStates(states: LocalStates, inUse: readonly string[]): readonly string[] {
  const spellings = new Map<string, string>();
  for (const state of [...states.active, ...states.inactive, ...states.terminal, ...inUse]) {
    if (!spellings.has(normaliseState(state))) spellings.set(normaliseState(state), state);
  }
  return [...spellings.values()];
}
