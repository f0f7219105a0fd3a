import { ok, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** Saved work that only a person may let go: it is beyond the limits, and the last copy of somebody's commits. */
export function keptRescues(root: string, effects: Pick<Effects, 'keptRescues'>): Check {
  return {
    id: 'kept-rescues',
    title: 'Rescued work',
    needs: 'machine',
    optional: true,
    watched: true,
    async run() {
      const kept = await effects.keptRescues(root);
      const [first] = kept;
      if (first === undefined) return ok('nothing is kept beyond rescue.keep_days and rescue.max_mb');
      const issues = kept
        .slice(0, 5)
        .map(({ identifier }) => identifier)
        .join(', ');
      const what = kept.length === 1 ? 'one rescue is' : `${kept.length} rescues are`;
      const more = kept.length > 5 ? ', …' : '';
      return warn(
        `${what} beyond rescue.keep_days or rescue.max_mb and kept, with commits that are nowhere else (${issues}${more})`,
        kept.length === 1
          ? `Run \`aiops rescue restore ${first.id}\` and push the work, or drop it with \`${first.dropCommand}\`.`
          : 'Run `aiops rescues`: it names the commands to restore or drop each.',
        'rescue',
      );
    },
  };
}
