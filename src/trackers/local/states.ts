import { includesState, normaliseState, sameState } from '../../domain/state-name.ts';

export interface LocalStates {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
  /** Where work waits for a person: neither active nor terminal. */
  readonly inactive: readonly string[];
}

const DEFAULT_INACTIVE = ['Backlog', 'Human Review'];

export function localStates(
  active: readonly string[],
  terminal: readonly string[],
  inactive: readonly string[] = [],
): LocalStates {
  const waiting = inactive.length > 0 ? inactive : DEFAULT_INACTIVE;
  const taken = [...active, ...terminal];
  return { active, terminal, inactive: waiting.filter((state) => !includesState(taken, state)) };
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
