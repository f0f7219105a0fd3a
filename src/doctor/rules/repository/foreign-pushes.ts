import { ok, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** Nothing marks a commit of another worker, so what is said is what is known: it did not come through this one. */
export function foreignPushes(root: string, effects: Pick<Effects, 'foreignPushes'>): Check {
  return {
    id: 'foreign-pushes',
    title: 'Pushes from elsewhere',
    needs: 'machine',
    optional: true,
    watched: true,
    async run() {
      const pushes = await effects.foreignPushes(root);
      const [last] = pushes;
      if (last === undefined)
        return ok('nobody else pushed to the branch of an issue after its run had begun');
      const issues = new Set(pushes.map(({ identifier }) => identifier)).size;
      const more = issues === 1 ? '' : `; the same for ${issues - 1} more`;
      const by = last.author === null ? '' : ` by ${last.author}`;
      return warn(
        `${last.branch} got commit ${last.commit.slice(0, 12)}${by} after the last run of ${last.identifier} had begun, and not through ` +
          `this worker${more}. Another worker, on another machine perhaps, may work on the same issues`,
        'If it is another worker, stop one of the two, or let them have no issue in common: a label of its own in ' +
          'tracker.required_labels of each, or another tracker.assignee, team_key or tracker.active_states. If it was a person, ' +
          'nothing is to be done: this is forgotten after a day, or when the workspace goes.',
        'tracker',
      );
    },
  };
}
