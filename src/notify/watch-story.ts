import type { Issue } from '../domain/issue.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { type Notice, noticeOfEvent, noticeOfRun } from './notice.ts';

/** Calls `onNotice` for whatever happens from now on that a person should hear about; the returned function ends it. */
export function watchStory(orchestrator: Orchestrator, onNotice: (notice: Notice) => void): () => void {
  const { story } = orchestrator;
  let events = story.eventCount;
  let runs = story.runCount;
  return orchestrator.observe(() => {
    if (story.eventCount === events && story.runCount === runs) return;
    const newEvents = story.events.slice(0, story.eventCount - events).toReversed();
    const newRuns = story.runs.slice(0, story.runCount - runs).toReversed();
    events = story.eventCount;
    runs = story.runCount;
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
