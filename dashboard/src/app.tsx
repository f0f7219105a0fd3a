import { lazy, Suspense, useEffect } from 'react';
import { useAccessCheck } from './access/use-access.ts';
import { Board } from './board/board.tsx';
import type { StateFeed } from './feed/state-feed.ts';
import { useFeed, useNow } from './feed/use-feed.ts';
import { useNotices } from './notify/browser-notifier.ts';
import { NotifyNote } from './notify/notify-button.tsx';
import { Banners } from './parts/banners.tsx';
import { Header } from './parts/header.tsx';
import { LookingOnly } from './parts/looking-only.tsx';
import { Skeleton } from './parts/skeleton.tsx';
import type { Place } from './place/place.ts';
import { followHere, usePlace } from './place/use-place.ts';
import { deriveAlerts } from './view/derive-alerts.ts';
import { deriveConnection, isFresh } from './view/derive-connection.ts';
import { describeCounts, describeTab } from './view/derive-overview.ts';
import { WorkerTabs } from './workers/worker-tabs.tsx';

const HistoryPage = lazy(async () => ({ default: (await import('./history/history-page.tsx')).HistoryPage }));
const IssuesPage = lazy(async () => ({ default: (await import('./issues/issues-page.tsx')).IssuesPage }));
const RunPage = lazy(async () => ({ default: (await import('./run/run-page.tsx')).RunPage }));

export function App({ stateFeed }: { stateFeed: StateFeed }) {
  const feed = useFeed(stateFeed);
  const place = usePlace();
  const connection = deriveConnection(feed, useNow());
  const snapshot = feed.latest?.snapshot ?? null;
  const tab = describeTab(snapshot, isFresh(connection));
  useNotices(snapshot);
  useAccessCheck(snapshot?.started_at ?? null);
  useEffect(() => {
    document.title = place.view === 'run' ? `Run · ${tab}` : tab;
  }, [tab, place.view]);
  return (
    <div className={`page page-${connection.kind}`}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header
        connection={connection}
        view={place.view}
        hasIssues={snapshot?.tracker.editable === true}
        version={snapshot?.version ?? null}
        workflow={snapshot?.config.workflow_path ?? null}
        paused={snapshot?.paused ?? null}
      />
      <main id="main" tabIndex={-1}>
        <WorkerTabs snapshot={snapshot} />
        <Banners
          connection={connection}
          alerts={snapshot === null ? [] : deriveAlerts(snapshot, connection.workerNow)}
        />
        <NotifyNote />
        {snapshot !== null && isFresh(connection) && <LookingOnly />}
        <View place={place} stateFeed={stateFeed} snapshot={snapshot} connection={connection} />
      </main>
      <p className="visually-hidden" role="status">
        {snapshot === null ? connection.label : `${connection.label}: ${describeCounts(snapshot)}`}
      </p>
    </div>
  );
}

interface ViewProps {
  readonly place: Place;
  readonly stateFeed: StateFeed;
  readonly snapshot: Parameters<typeof describeTab>[0];
  readonly connection: ReturnType<typeof deriveConnection>;
}

function View({ place, stateFeed, snapshot, connection }: ViewProps) {
  switch (place.view) {
    case 'run':
      return (
        <Suspense fallback={<Skeleton />}>
          <RunPage
            key={place.run}
            run={place.run}
            query={place.query}
            stateFeed={stateFeed}
            snapshot={snapshot}
            connection={connection}
          />
        </Suspense>
      );
    case 'history':
      return (
        <Suspense fallback={<Skeleton />}>
          <HistoryPage query={place.query} workerNow={connection.workerNow} />
        </Suspense>
      );
    case 'issues':
      if (snapshot === null) return connection.kind === 'connecting' ? <Skeleton /> : null;
      return (
        <Suspense fallback={<Skeleton />}>
          <IssuesPage query={place.query} snapshot={snapshot} />
        </Suspense>
      );
    case 'nowhere':
      return <Nowhere />;
    case 'board':
      if (snapshot !== null) return <Board snapshot={snapshot} connection={connection} query={place.query} />;
      return connection.kind === 'connecting' ? <Skeleton /> : null;
  }
}

function Nowhere() {
  return (
    <section className="nothing" aria-labelledby="nowhere-title">
      <h2 id="nowhere-title">There is nothing at this address</h2>
      <p>
        <a href="/" onClick={followHere}>
          To the board
        </a>
      </p>
    </section>
  );
}
