import { includesState, sameState } from '../../../domain/state-name.ts';
import type { LabelStates } from '../states/label-states.ts';

/** One listing of the forge. */
export interface ListQuery {
  /** Null lists issues whatever their labels. */
  readonly label: string | null;
  readonly state: 'open' | 'closed' | 'all';
}

/** The fewest listings that hold every issue in the wanted states; states that no issue can be in need none. */
export function planQueries(wanted: readonly string[], states: LabelStates): readonly ListQuery[] {
  const queries = new Map<string, ListQuery>();
  for (const name of wanted) {
    const query = queryFor(name, states);
    if (query !== null) queries.set(describeQuery(query), query);
  }
  const all = [...queries.values()];
  const wide = all.filter((query) => query.label === null).map((query) => query.state);
  const isCovered = ({ label, state }: ListQuery): boolean =>
    (label !== null && wide.includes(state)) || (wide.includes('all') && (label !== null || state !== 'all'));
  return all.filter((query) => !isCovered(query));
}

function queryFor(name: string, states: LabelStates): ListQuery | null {
  const label = states.labelOf(name);
  if (label !== null) return { label, state: includesState(states.terminal, name) ? 'all' : 'open' };
  const open = states.openState !== null && sameState(name, states.openState);
  const closed = sameState(name, states.closedState);
  if (open && closed) return { label: null, state: 'all' };
  if (open) return { label: null, state: 'open' };
  return closed ? { label: null, state: 'closed' } : null;
}

export function describeQuery({ label, state }: ListQuery): string {
  const issues = state === 'all' ? 'issues' : `${state} issues`;
  return label === null ? issues : `${issues} labelled ${JSON.stringify(label)}`;
}
