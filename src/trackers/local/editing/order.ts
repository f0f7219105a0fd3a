import type { Issue } from '../../../domain/issue.ts';
import { compareNaturally } from '../../../domain/natural-order.ts';
import { normaliseState } from '../../../domain/state-name.ts';
import { allStates, type LocalStates } from '../states.ts';

/** What is worked on first comes first: by state, then priority, then number. */
export function byStateAndPriority(states: LocalStates): (a: Issue, b: Issue) => number {
  const order = allStates({ ...states, terminal: [] }, []).map(normaliseState);
  const terminal = states.terminal.map(normaliseState);
  const rank = (issue: Issue): number => {
    const name = normaliseState(issue.state);
    const known = order.indexOf(name);
    if (known !== -1) return known;
    return order.length + 1 + terminal.indexOf(name);
  };
  const priority = (issue: Issue): number => issue.priority ?? Number.MAX_SAFE_INTEGER;
  return (a, b) =>
    rank(a) - rank(b) || priority(a) - priority(b) || compareNaturally(a.identifier, b.identifier);
}
