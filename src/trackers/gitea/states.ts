import { z } from 'zod';
import { includesState } from '../../domain/state-name.ts';
import { AppError } from '../../errors/app-error.ts';
import { createLabelStates, type LabelStates, type StateLabel } from '../forge/states/label-states.ts';

/** The labels of the flow, in order of precedence when an issue carries several. */
export const DEFAULT_STATE_LABELS: readonly StateLabel[] = [
  { label: 'aiops/rework', state: 'Rework' },
  { label: 'aiops/in-progress', state: 'In Progress' },
  { label: 'aiops/merging', state: 'Merging' },
  { label: 'aiops/human-review', state: 'Human Review' },
  { label: 'aiops/todo', state: 'Todo' },
  { label: 'aiops/done', state: 'Done' },
  { label: 'aiops/canceled', state: 'Canceled' },
];
const PREFIX = 'aiops/';

const Table = z.record(z.string().trim().min(1).max(50), z.string().trim().min(1).max(100));

/** The table of `tracker.provider.state_labels` (label: state), or the default one. */
export function parseStateLabels(written: unknown): readonly StateLabel[] {
  if (written === undefined || written === null) return DEFAULT_STATE_LABELS;
  const parsed = Table.safeParse(written);
  const entries = parsed.success ? Object.entries(parsed.data) : [];
  const labels = entries.map(([label, state]) => ({ label: label.trim(), state: state.trim() }));
  const repeated = labels.filter(
    ({ label, state }, index) =>
      includesState(
        labels.slice(0, index).map((entry) => entry.label),
        label,
      ) ||
      includesState(
        labels.slice(0, index).map((entry) => entry.state),
        state,
      ),
  );
  if (labels.length > 0 && repeated.length === 0) return labels;
  throw new AppError(
    'invalid_tracker_config',
    'tracker.provider.state_labels must give each label a state, and no state or label twice.',
    { hint: 'Write it as a map, for example {"aiops/todo": Todo, "aiops/done": Done}.' },
  );
}

export interface GiteaStatesOptions {
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  readonly labels: readonly StateLabel[];
}

/** A state is exactly one label of the table; without one an open issue is no part of the flow. */
export function giteaStates(options: GiteaStatesOptions): LabelStates {
  const { labels } = options;
  const shared = labels.every(({ label }) => label.startsWith(PREFIX)) ? { prefix: PREFIX } : {};
  const states = createLabelStates({
    active: options.activeStates,
    terminal: options.terminalStates,
    inactive: options.inactiveStates,
    labels,
    openState: null,
    ...shared,
  });
  const unreachable = options.activeStates.filter((state) => states.labelOf(state) === null);
  if (unreachable.length < options.activeStates.length) return states;
  throw new AppError(
    'invalid_tracker_config',
    `No label stands for any of tracker.active_states (${unreachable.join(', ')}).`,
    {
      hint: `Use states of the table (${labels.map((entry) => entry.state).join(', ')}), or set tracker.provider.state_labels.`,
    },
  );
}
