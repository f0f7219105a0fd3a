import type { Clock } from '../../domain/clock.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { buildIssueDetail } from '../../orchestrator/snapshot/issue-detail.ts';
import { SnapshotCache } from '../../orchestrator/snapshot/snapshot-cache.ts';
import { SnapshotBuilder, type SnapshotInput } from '../../orchestrator/snapshot/state-snapshot.ts';
import type { StateSource } from '../../server/state-source.ts';

/** The orchestrator as the HTTP surface sees it. */
export function createStateSource(
  orchestrator: Orchestrator,
  clock: Clock,
  version: string,
  reloadError: () => string | null,
): StateSource {
  const { story, journal } = orchestrator;
  const builder = new SnapshotBuilder(story);
  const input = (): SnapshotInput => ({
    state: orchestrator.state,
    workflow: orchestrator.workflow,
    story,
    now: clock.now(),
    startedAt: orchestrator.startedAt,
    version,
    reloadError: reloadError(),
    journal: journal.status,
  });
  const cache = new SnapshotCache(builder, input);
  return {
    snapshot: () => cache.get(),
    snapshotBody: () => cache.body(),
    issue: (name) => buildIssueDetail(input(), name, builder, journal),
    requestRefresh() {
      cache.invalidate();
      return { coalesced: orchestrator.requestPoll() };
    },
    readiness: () =>
      orchestrator.ready
        ? { ready: true, reason: 'ok' }
        : { ready: false, reason: 'the worker is reading its workspaces' },
  };
}
