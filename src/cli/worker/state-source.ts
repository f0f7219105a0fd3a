import type { Clock } from '../../domain/clock.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { buildIssueDetail } from '../../orchestrator/snapshot/issue-detail.ts';
import { buildStateSnapshot, type SnapshotInput } from '../../orchestrator/snapshot/state-snapshot.ts';
import type { StateSource } from '../../server/state-source.ts';

/** The orchestrator as the HTTP surface sees it. */
export function createStateSource(
  orchestrator: Orchestrator,
  clock: Clock,
  version: string,
  reloadError: () => string | null,
): StateSource {
  const input = (): SnapshotInput => ({
    state: orchestrator.state,
    workflow: orchestrator.workflow,
    story: orchestrator.story,
    now: clock.now(),
    startedAt: orchestrator.startedAt,
    version,
    reloadError: reloadError(),
    journal: orchestrator.journalStatus,
  });
  return {
    snapshot: () => buildStateSnapshot(input()),
    issue: (name) => buildIssueDetail(input(), name),
    requestRefresh: () => ({ coalesced: orchestrator.requestPoll() }),
    readiness: () =>
      orchestrator.ready
        ? { ready: true, reason: 'ok' }
        : { ready: false, reason: 'the worker is reading its workspaces' },
  };
}
