import { includesState } from '../../../domain/state-name.ts';
import type { LabelStates } from './label-states.ts';

/** What `aiops labels sync` needs of a forge. */
export interface LabelSetup {
  /** Labels the configured states need, in the order of the configuration. */
  readonly wanted: readonly WantedLabel[];
  /** Names of the labels that can be put on an issue now. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  create(label: WantedLabel, signal: AbortSignal): Promise<void>;
}

export interface WantedLabel {
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
}

const COLORS = { active: '0e8a16', inactive: 'fbca04', terminal: '6e7781' } as const;

export function wantedLabels(states: LabelStates): readonly WantedLabel[] {
  return states.known().flatMap((state) => {
    const name = states.labelOf(state);
    if (name === null) return [];
    const kind = standing(states, state);
    return [{ name, color: COLORS[kind], description: `State ${state} (${kind})` }];
  });
}

function standing(states: LabelStates, state: string): keyof typeof COLORS {
  if (includesState(states.terminal, state)) return 'terminal';
  return includesState(states.active, state) ? 'active' : 'inactive';
}

/** The labels that are not there yet. */
export async function missingLabels(setup: LabelSetup, signal: AbortSignal): Promise<readonly WantedLabel[]> {
  return labelsMissing(setup, await setup.list(signal));
}

export function labelsMissing(
  { wanted }: Pick<LabelSetup, 'wanted'>,
  existing: readonly string[],
): readonly WantedLabel[] {
  return wanted.filter(({ name }) => !includesState(existing, name));
}
