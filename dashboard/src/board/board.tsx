import type { StateSnapshot } from '../../../src/contract/state.ts';
import { BlockedList } from '../parts/blocked-list.tsx';
import { EndedList } from '../parts/ended-list.tsx';
import { EventList } from '../parts/event-list.tsx';
import { IgnoredList } from '../parts/ignored-list.tsx';
import { Overview } from '../parts/overview.tsx';
import { RetryList } from '../parts/retry-list.tsx';
import { RunningList } from '../parts/running-list.tsx';
import { WaitingList } from '../parts/waiting-list.tsx';
import { deriveBlocked } from '../view/derive-blocked.ts';
import type { ConnectionView } from '../view/derive-connection.ts';
import { deriveEnded } from '../view/derive-ended.ts';
import { deriveEvents } from '../view/derive-events.ts';
import { deriveFacts, deriveKpis } from '../view/derive-overview.ts';
import { deriveIgnored, deriveQueue, deriveRetrying, deriveWaiting } from '../view/derive-queue.ts';
import { deriveRunning } from '../view/derive-running.ts';

/** The worker's state: on the left what happens and what is due, on the right what has happened. */
export function Board({ snapshot, connection }: { snapshot: StateSnapshot; connection: ConnectionView }) {
  const now = connection.workerNow;
  return (
    <>
      <Overview kpis={deriveKpis(snapshot, now)} facts={deriveFacts(snapshot, now)} />
      <div className="columns">
        <div className="column">
          <RunningList rows={deriveRunning(snapshot, now)} pollIntervalMs={snapshot.poll_interval_ms} />
          <BlockedList rows={deriveBlocked(snapshot, now)} />
          <RetryList rows={deriveRetrying(snapshot, now)} />
          <WaitingList rows={deriveWaiting(snapshot)} queue={deriveQueue(snapshot)} />
          <IgnoredList rows={deriveIgnored(snapshot)} />
        </div>
        <div className="column">
          <EndedList rows={deriveEnded(snapshot, now)} />
          <EventList rows={deriveEvents(snapshot)} />
        </div>
      </div>
    </>
  );
}
