import type { Issue } from '../domain/issue.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { type Notice, noticeOfEvent, noticeOfRun } from './notice.ts';

/** Calls `onNotice` for whatever happens from now on that a person should hear about; the returned function ends it. */
export function watchHistory(orchestrator: Orchestrator, onNotice: (notice: Notice) => void): () => void {
  const { history } = orchestrator;
  let events = history.eventCount;
  let runs = history.runCount;
  return orchestrator.observe(() => {
    if (history.eventCount === events && history.runCount === runs) return;
    const newEvents = history.events.slice(0, history.eventCount - events).toReversed();
    const newRuns = history.runs.slice(0, history.runCount - runs).toReversed();
    events = history.eventCount;
    runs = history.runCount;
    for (const event of newEvents) {
      const notice = noticeOfEvent(
        event,
        event.issueId === null ? null : issueOf(orchestrator, event.issueId),
      );
      if (notice !== null) onNotice(notice);
    }
    for (const run of newRuns) {
      const notice = noticeOfRun(run);
      if (notice !== null) onNotice(notice);
    }
  });
}

function issueOf({ state }: Orchestrator, issueId: string): Issue | null {
  const claim = state.claims.get(issueId);
  const claimed = claim?.phase === 'running' ? state.live.get(claim.runId)?.issue : claim?.issue;
  return claimed ?? state.candidates.get(issueId) ?? null;
}
