import type { Config } from '../../../config/config.ts';
import type { Provenance } from '../../../config/resolve/provenance.ts';
import { nearest } from '../../../domain/nearest.ts';
import { sameState } from '../../../domain/state-name.ts';
import { fail, ok, type Verdict, warn } from '../../../domain/verdict.ts';
import { type Check, problemsOr } from '../../check.ts';
import type { StateLabelFacts } from '../../effects.ts';

const LISTS = [
  ['tracker.active_states', 'activeStates'],
  ['tracker.inactive_states', 'inactiveStates'],
  ['tracker.terminal_states', 'terminalStates'],
] as const;

/** On a forge an issue is in a state because it carries the state's label: without one, no issue ever is. */
export function labelStates(
  { tracker }: Config,
  provenance: Provenance,
  stateLabels: () => StateLabelFacts | null,
): Check {
  return {
    id: 'label-states',
    title: 'States and labels',
    needs: 'config',
    async run() {
      const facts = stateLabels();
      if (facts === null) return ok('each state is the label of its name');
      const stands = (state: string): boolean =>
        sameState(state, 'closed') || facts.labels.some((entry) => sameState(entry.state, state));
      const problems = LISTS.flatMap(([key, name]): readonly Verdict[] => {
        const lost = tracker[name].filter((state) => !stands(state));
        const written = provenance.get(key)?.source === 'workflow';
        if (lost.length === 0 || (!written && name !== 'activeStates')) return [];
        const judge = name === 'activeStates' && lost.length === tracker[name].length ? fail : warn;
        return [judge(messageOf(key, lost), fixOf(key, lost, facts), key)];
      });
      return problemsOr(problems, 'a label stands for each state');
    },
  };
}

function messageOf(key: string, lost: readonly string[]): string {
  const names = lost.map((state) => JSON.stringify(state)).join(', ');
  return lost.length === 1
    ? `${key}: no label stands for the state ${names}, so no issue is ever in it`
    : `${key}: no label stands for the states ${names}, so no issue is ever in them`;
}

/** People often write the label where the state is meant. */
function fixOf(key: string, lost: readonly string[], { labels }: StateLabelFacts): string {
  const [first = ''] = lost;
  const byLabel = labels.find(({ label }) => sameState(label, first));
  const table = labels.map(({ label, state }) => `${state} (${label})`).join(', ');
  const example = `{${JSON.stringify(first)}: Todo}`;
  if (byLabel !== undefined)
    return `Write the state: ${byLabel.state}. The label ${byLabel.label} stands for it.`;
  const meant = nearest(
    first,
    labels.map(({ state }) => state),
  );
  const guess = meant === null ? '' : `Did you mean ${meant}? `;
  return `${guess}Use states that have a label: ${table}. Or let a label of your own stand for one: tracker.provider.state_labels: ${example}, and write ${key}: [Todo].`;
}
