import { useEffect } from 'react';
import type { StateSnapshot } from '../../src/contract/state.ts';
import { useAccessCheck } from './access/use-access.ts';
import type { StateFeed } from './feed/state-feed.ts';
import { useFeed, useNow } from './feed/use-feed.ts';
import { Banners } from './parts/banners.tsx';
import { BlockedList } from './parts/blocked-list.tsx';
import { EndedList } from './parts/ended-list.tsx';
import { EventList } from './parts/event-list.tsx';
import { Header } from './parts/header.tsx';
import { IgnoredList } from './parts/ignored-list.tsx';
import { LookingOnly } from './parts/looking-only.tsx';
import { Overview } from './parts/overview.tsx';
import { RetryList } from './parts/retry-list.tsx';
import { RunningList } from './parts/running-list.tsx';
import { Skeleton } from './parts/skeleton.tsx';
import { WaitingList } from './parts/waiting-list.tsx';
import { deriveAlerts } from './view/derive-alerts.ts';
import { deriveBlocked } from './view/derive-blocked.ts';
import { type ConnectionView, deriveConnection, isFresh } from './view/derive-connection.ts';
import { deriveEnded } from './view/derive-ended.ts';
import { deriveEvents } from './view/derive-events.ts';
import { deriveFacts, deriveKpis, describeCounts, describeTab } from './view/derive-overview.ts';
import { deriveIgnored, deriveQueue, deriveRetrying, deriveWaiting } from './view/derive-queue.ts';
import { deriveRunning } from './view/derive-running.ts';

export function App({ stateFeed }: { stateFeed: StateFeed }) {
  const feed = useFeed(stateFeed);
  const connection = deriveConnection(feed, useNow());
  const snapshot = feed.latest?.snapshot ?? null;
  const tab = describeTab(snapshot, isFresh(connection));
  useAccessCheck(snapshot?.started_at ?? null);
  useEffect(() => {
    document.title = tab;
  }, [tab]);

  return (
    <div className={`page page-${connection.kind}`}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header
        connection={connection}
        version={snapshot?.version ?? null}
        workflow={snapshot?.config.workflow_path ?? null}
        paused={snapshot?.paused ?? null}
      />
      <main id="main" tabIndex={-1}>
        <Banners
          connection={connection}
          alerts={snapshot === null ? [] : deriveAlerts(snapshot, connection.workerNow)}
        />
        {snapshot !== null && isFresh(connection) && <LookingOnly />}
        {snapshot !== null && <Board snapshot={snapshot} connection={connection} />}
        {snapshot === null && connection.kind === 'connecting' && <Skeleton />}
      </main>
      <p className="visually-hidden" role="status">
        {snapshot === null ? connection.label : `${connection.label}: ${describeCounts(snapshot)}`}
      </p>
    </div>
  );
}

/** The worker's state: on the left what happens and what is due, on the right what has happened. */
function Board({ snapshot, connection }: { snapshot: StateSnapshot; connection: ConnectionView }) {
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
