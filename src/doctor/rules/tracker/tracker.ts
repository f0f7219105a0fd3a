import type { Config } from '../../../config/config.ts';
import { nearest } from '../../../domain/nearest.ts';
import { ok, skip, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

const MAX_WARNINGS = 5;
export const OFFLINE = 'not asked: --offline';

export function credentialCheck({ tracker }: Config): Check {
  const { kind, apiKey, apiKeyVariable } = tracker;
  return {
    id: 'tracker-credential',
    title: 'Tracker credential',
    needs: 'config',
    doctorOnly: true,
    async run() {
      if (apiKey === null) return ok(`tracker ${kind} needs none`);
      if (apiKeyVariable !== null) return ok(`taken from $${apiKeyVariable}`);
      return warn(
        'written into the workflow file itself',
        'Put it into a variable of the worker and write tracker.api_key: $NAME_OF_THE_VARIABLE.',
        'tracker.api_key',
      );
    },
  };
}

/** Asks for what every poll asks for. */
export function trackerCheck(
  { tracker }: Config,
  offline: boolean,
  { askTracker }: Pick<Effects, 'askTracker'>,
): Check {
  const { kind, activeStates, isFolder } = tracker;
  return {
    id: 'tracker',
    title: 'Tracker',
    needs: 'tracker',
    async run(signal) {
      if (offline && !isFolder) return skip(OFFLINE);
      const { issues, warnings } = await askTracker(activeStates, signal);
      const count = `${issues} issue${issues === 1 ? '' : 's'} in ${activeStates.join(', ')}`;
      if (warnings.length === 0) return ok(`${kind} answers: ${count}`);
      const shown = warnings.slice(0, MAX_WARNINGS);
      const more = warnings.length > shown.length ? [`and ${warnings.length - shown.length} more`] : [];
      return warn(
        [`${kind} answers: ${count}, but:`, ...shown, ...more].join('\n'),
        'Correct what is named above; `aiops issues --explain` shows what the worker makes of each issue.',
      );
    },
  };
}

/** An agent cannot move an issue to a state whose label does not exist. */
export function labelsCheck(offline: boolean, { readLabels }: Pick<Effects, 'readLabels'>): Check {
  return {
    id: 'tracker-labels',
    title: 'State labels',
    needs: 'tracker',
    async run(signal) {
      if (offline) return skip(OFFLINE);
      const labels = await readLabels(signal);
      if (labels === null) return skip('states are no labels in this tracker');
      const { missing, existing } = labels;
      if (missing.length === 0) return ok('all are there');
      const guesses = missing.flatMap((name) => {
        const meant = nearest(name, existing);
        return meant === null ? [] : [` For ${name}, did you mean its label ${meant}?`];
      });
      return warn(
        `the repository lacks: ${missing.join(', ')}`,
        `Run \`aiops labels sync\` to create them.${guesses.join('')}`,
      );
    },
  };
}
