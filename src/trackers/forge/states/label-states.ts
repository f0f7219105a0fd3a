import { includesState, normaliseState, sameState } from '../../../domain/state-name.ts';

/** A label that puts an issue into a state. */
export interface StateLabel {
  readonly label: string;
  readonly state: string;
}

export interface LabelStatesOptions {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
  readonly inactive: readonly string[];
  /** In order of precedence when an issue carries several. */
  readonly labels: readonly StateLabel[];
  /** The state of an open issue without such a label; null when it is no part of the flow. */
  readonly openState: string | null;
  /** The state of a closed issue without a terminal label. Default: `closed`, as the configuration spells it. */
  readonly closedState?: string;
  /** Every label that starts like this is meant to be one of `labels`. */
  readonly prefix?: string;
}

export type StateProblem = 'missing_state_label' | 'unknown_state_label' | 'conflicting_state_labels';

export interface StateReading {
  /** Null when the labels name no state. */
  readonly state: string | null;
  readonly problem: StateProblem | null;
  /** The labels the problem is about. */
  readonly labels: readonly string[];
}

/** How labels and open/closed make one state, and back. */
export interface LabelStates {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
  readonly inactive: readonly string[];
  readonly labels: readonly StateLabel[];
  /** The state of every closed issue without a terminal label. */
  readonly closedState: string;
  readonly openState: string | null;
  read(issue: { readonly closed: boolean; readonly labels: readonly string[] }): StateReading;
  /** The label that stands for a state; null when none does. */
  labelOf(state: string): string | null;
  isStateLabel(label: string): boolean;
  /** Configured states that an issue can be put into, in the order of the configuration. */
  known(): readonly string[];
}

export function createLabelStates(options: LabelStatesOptions): LabelStates {
  const { active, terminal, inactive, labels, openState, prefix } = options;
  const configured = [...active, ...inactive, ...terminal];
  const closedState =
    options.closedState ?? configured.find((state) => sameState(state, 'closed')) ?? 'closed';
  const labelOf = (state: string): string | null =>
    labels.find((entry) => sameState(entry.state, state))?.label ?? null;
  const isReachable = (state: string): boolean =>
    labelOf(state) !== null ||
    sameState(state, closedState) ||
    (openState !== null && sameState(state, openState));

  function read(issue: { readonly closed: boolean; readonly labels: readonly string[] }): StateReading {
    const matches = labels.filter((entry) => includesState(issue.labels, entry.label));
    const carried = matches.map((entry) => entry.label);
    if (issue.closed) {
      const final = matches.find((entry) => includesState(terminal, entry.state));
      return {
        state: final === undefined ? closedState : spell(final, issue.labels),
        problem: null,
        labels: carried,
      };
    }
    const [first] = matches;
    if (first !== undefined) {
      const problem = matches.length > 1 ? 'conflicting_state_labels' : null;
      return { state: spell(first, issue.labels), problem, labels: carried };
    }
    const unknown = prefix === undefined ? [] : issue.labels.filter((label) => hasPrefix(label, prefix));
    if (openState !== null) return { state: openState, problem: null, labels: [] };
    const problem = unknown.length > 0 ? 'unknown_state_label' : 'missing_state_label';
    return { state: null, problem, labels: unknown };
  }

  return {
    active,
    terminal,
    inactive,
    labels,
    closedState,
    openState,
    read,
    labelOf,
    isStateLabel: (label) =>
      labels.some((entry) => sameState(entry.label, label)) ||
      (prefix !== undefined && hasPrefix(label, prefix)),
    known: () => distinct(configured.filter(isReachable)),
  };
}

/** A label that is itself the state keeps the spelling of the forge. */
function spell({ label, state }: StateLabel, carried: readonly string[]): string {
  if (!sameState(label, state)) return state;
  return carried.find((name) => sameState(name, label))?.trim() ?? state;
}

function hasPrefix(label: string, prefix: string): boolean {
  return normaliseState(label).startsWith(normaliseState(prefix));
}

function distinct(states: readonly string[]): readonly string[] {
  const spellings = new Map<string, string>();
  for (const state of states) {
    if (!spellings.has(normaliseState(state))) spellings.set(normaliseState(state), state);
  }
  return [...spellings.values()];
}
