import { type FollowUps, NO_FOLLOW_UPS } from '../../src/domain/tool.ts';
import type { FollowUpLedger } from '../../src/tools/run-tools.ts';

/** What a worker remembers of the follow-ups of one issue, for calling tools without a worker. */
export function rememberFollowUps(before: FollowUps = NO_FOLLOW_UPS): FollowUpLedger {
  let filed = before;
  return {
    read: () => filed,
    add: ({ count, names }) => {
      filed = { count: filed.count + count, names: [...filed.names, ...names] };
    },
  };
}
