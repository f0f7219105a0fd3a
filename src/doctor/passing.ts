import { AppError } from '../errors/app-error.ts';

/** Names of errors that tell of a network or a server, not of the set-up. */
const PASSING = new Set(['tracker_request', 'tracker_rate_limited', 'tracker_pagination', 'disk_full']);

const GIT_CANNOT_REACH =
  /could not resolve|name or service not known|temporary failure in name resolution|connection (refused|timed out|reset|closed)|operation timed out|(failed|unable|could not|couldn't) (to )?connect|no route to host|unreachable|did not finish within|early EOF|returned error: 5\d\d|hung up unexpectedly/i;

/** Whether trying again later may be all that is needed. */
export function mayHeal(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (PASSING.has(error.code)) return true;
  const status = error.context['status'];
  if (error.code === 'tracker_status') return typeof status === 'number' && (status >= 500 || status === 408);
  return error.code === 'git_failed' && GIT_CANNOT_REACH.test(error.message);
}
