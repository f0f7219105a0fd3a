import { includesState, sameState } from '../../domain/state-name.ts';
import { createLabelStates, type LabelStates } from '../forge/states/label-states.ts';

const NATIVE = ['open', 'closed', 'all'];

export interface ConfiguredStates {
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
}

/** `open`, `closed` and `all` are GitHub's own states; every other name is a label of that name. */
export function githubStates(configured: ConfiguredStates): LabelStates {
  const { activeStates: active, terminalStates: terminal, inactiveStates: inactive } = configured;
  const names = [...active, ...terminal, ...inactive];
  const spelled = (name: string): string | undefined => names.find((state) => sameState(state, name));
  const all = spelled('all');
  const closedState = spelled('closed') ?? all;
  return createLabelStates({
    active,
    terminal,
    inactive,
    labels: names
      .filter((name) => !includesState(NATIVE, name))
      .map((name) => ({ label: name, state: name })),
    openState: spelled('open') ?? all ?? 'open',
    ...(closedState === undefined ? {} : { closedState }),
  });
}
