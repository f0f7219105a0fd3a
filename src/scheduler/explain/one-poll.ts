import type { SchedulerState } from '../core/state.ts';

/** True once a worker that was asked for one poll has nothing more to do: what waits for later is not waited for. */
export function isOnePollOver({ intake, live, cleaning, pushing, claims, pending }: SchedulerState): boolean {
  if (intake !== 'closed' || live.size > 0 || cleaning.size > 0 || pushing.size > 0) return false;
  for (const claim of claims.values()) if (claim.phase === 'checking') return false;
  for (const { purpose } of pending.values()) if (purpose.kind !== 'reconcile') return false;
  return true;
}
