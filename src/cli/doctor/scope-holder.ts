import type { Config } from '../../config/config.ts';
import type { Environment } from '../../config/read/environment.ts';
import { scopeUseOf } from '../../config/roots/tracker-scope.ts';
import type { Effects } from '../../doctor/effects.ts';
import { describeScopeHolder, findScopeHolder } from '../../store/locks/scope-lease.ts';
import { leaseFolder } from '../compose/worker-locks.ts';

/** Takes no lease: a look beside the workers that hold them. */
export async function readScopeHolder(
  { tracker, workflowPath }: Config,
  environment: Environment,
): ReturnType<Effects['findScopeHolder']> {
  const use = await scopeUseOf(tracker);
  const other = await findScopeHolder({ folder: leaseFolder(environment), use, workflowPath });
  if (other === null) return null;
  return {
    pid: other.holder.pid,
    workflowPath: other.workflowPath,
    ...describeScopeHolder(other, use.place),
  };
}
