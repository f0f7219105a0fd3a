import type { Config } from '../../../config/config.ts';
import { fail, ok } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** Two workers on the same issues would work on each of them twice. Only those of this user on this machine are seen. */
export function scopeLease({ workflowPath }: Config, effects: Pick<Effects, 'findScopeHolder'>): Check {
  return {
    id: 'scope-lease',
    title: 'Other workers',
    needs: 'machine',
    async run() {
      const other = await effects.findScopeHolder();
      if (other === null) return ok('no other worker of this user works on these issues');
      if (other.workflowPath === workflowPath)
        return ok(`the worker of this workflow (pid ${other.pid}) works on these issues`);
      return fail(other.text, other.fix, 'tracker');
    },
  };
}
