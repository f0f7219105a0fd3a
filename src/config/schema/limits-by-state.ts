import { normaliseState } from '../../domain/state-name.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from '../resolve/context.ts';
import type { Place } from './key.ts';

/** By normalised state name; a bad entry is an error, and in the Symphony dialect no limit. */
export function readLimitsByState(
  written: Readonly<Record<string, unknown>>,
  { at, key: block }: Place,
): Readonly<Record<string, number>> {
  const result = new Map<string, number>();
  for (const [name, value] of Object.entries(written)) {
    const key = `${block}.${name}`;
    const state = stateNamed(at, name);
    const bad = state === '' || typeof value !== 'number' || !Number.isInteger(value) || value < 1;
    if (bad && at.dialect === 'symphony') {
      at.warn(
        key,
        `${key} is not a whole number above 0, so it is ignored`,
        'Write a number, or remove the entry.',
      );
    } else if (bad) {
      at.problem(key, `${key} must be a whole number above 0`, 'Write a number, or remove the entry.');
    } else if (result.has(state)) {
      at.problem(
        key,
        `${key} names the state ${quote(state)} a second time`,
        'Keep one entry for each state.',
      );
    } else {
      result.set(state, value);
    }
  }
  return Object.fromEntries(result);
}

/** The normalised name; `in_progress` is `in progress` when the tracker settings name a state so. */
export function stateNamed(at: Resolution, name: string): string {
  const wanted = normaliseState(name);
  const known = at.stateNames.map(normaliseState).find((state) => {
    return state.replaceAll(' ', '_') === wanted.replaceAll(' ', '_');
  });
  return known ?? wanted;
}
