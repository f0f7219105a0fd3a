import type { Config } from '../../../config/config.ts';
import { nearest } from '../../../domain/nearest.ts';
import { includesState } from '../../../domain/state-name.ts';
import { fail, skip, type Verdict, warn } from '../../../domain/verdict.ts';
import { type Check, problemsOr } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import { OFFLINE } from './tracker.ts';

/** Linear's states are what its teams have made: a name that none of them has matches nothing. */
export function trackerStates(
  { tracker }: Config,
  offline: boolean,
  { workflowStates }: Pick<Effects, 'workflowStates'>,
): Check {
  return {
    id: 'tracker-states',
    title: 'States of the tracker',
    needs: 'tracker',
    async run(signal) {
      if (offline) return skip(OFFLINE);
      const there = await workflowStates(signal);
      if (there === null) return skip('the tracker does not tell');
      const lost = tracker.activeStates.filter((state) => !includesState(there, state));
      const judge = lost.length === tracker.activeStates.length ? fail : warn;
      const problems = lost.map(
        (state): Verdict =>
          judge(
            `tracker.active_states: ${tracker.kind} has no state ${JSON.stringify(state)}`,
            `${didYouMean(state, there)}It has ${there.join(', ')}.`,
            'tracker.active_states',
          ),
      );
      return problemsOr(problems, `all active states are there: ${tracker.activeStates.join(', ')}`);
    },
  };
}

function didYouMean(state: string, there: readonly string[]): string {
  const meant = nearest(state, there);
  return meant === null ? '' : `Did you mean ${meant}? `;
}
