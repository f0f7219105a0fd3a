import { lazy, Suspense, useMemo } from 'react';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { StateFeed } from '../feed/state-feed.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { Tabs } from '../parts/tabs.tsx';
import type { Query } from '../place/place.ts';
import { choose, followHere } from '../place/use-place.ts';
import type { ConnectionView } from '../view/derive-connection.ts';
import { EarlierRuns } from './earlier-runs.tsx';
import { deriveRun } from './facts/derive-run.ts';
import { FactList } from './facts/fact-list.tsx';
import { PromptView } from './prompt-view.tsx';
import { RunActions } from './run-actions.tsx';
import { RunHeader } from './run-header.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useRun } from './use-run.ts';

const DiffPage = lazy(async () => ({ default: (await import('./diff/diff-page.tsx')).DiffPage }));

const TABS = [
  { id: '', label: 'Timeline' },
  { id: 'diff', label: 'Changes' },
  { id: 'prompt', label: 'Prompt' },
  { id: 'facts', label: 'Facts' },
] as const;

export interface RunPageProps {
  readonly run: string;
  readonly query: Query;
  readonly stateFeed: StateFeed;
  readonly snapshot: StateSnapshot | null;
  readonly connection: ConnectionView;
}

/** Everything about one run: what it did, what it changed, what it cost. */
export function RunPage({ run, query, stateFeed, snapshot, connection }: RunPageProps) {
  const data = useRun(run, stateFeed, stampOf(run, snapshot));
  useKeys(
    useMemo(
      () => Object.fromEntries(TABS.map(({ id }, index) => [String(index + 1), () => choose({ tab: id })])),
      [],
    ),
  );
  const { tab = '' } = query;
  if (data.detail === null) {
    if (data.problem === null) return <Skeleton />;
    return <NoRun run={run} code={data.problem.code} message={data.problem.message} />;
  }
  const view = deriveRun(data.detail, snapshot, connection.workerNow);
  return (
    <article className="run" aria-labelledby="run-title">
      <RunHeader view={view} />
      {snapshot !== null && <RunActions view={view} snapshot={snapshot} workerNow={connection.workerNow} />}
      <Tabs label="Parts of the run" tabs={TABS} chosen={tab} onChoose={(id) => choose({ tab: id })}>
        {tab === '' && <Timeline data={data} live={view.live} query={query} />}
        {tab === 'diff' && (
          <Suspense fallback={<Skeleton />}>
            <DiffPage run={view.runId} live={view.live} pullRequestUrl={view.pullRequestUrl} />
          </Suspense>
        )}
        {tab === 'prompt' && <PromptView entries={data.entries} complete={data.complete} />}
        {tab === 'facts' && (
          <>
            <FactList facts={view.facts} />
            <EarlierRuns
              issue={view.issueId ?? view.identifier}
              current={view.runId}
              workerNow={connection.workerNow}
            />
          </>
        )}
      </Tabs>
    </article>
  );
}

function NoRun({ run, code, message }: { run: string; code: string; message: string }) {
  const unknown = code === 'run_not_found' || code === 'not_found';
  return (
    <section className="nothing" aria-labelledby="run-title">
      <h2 id="run-title">{unknown ? 'There is no such run' : 'This run cannot be shown now'}</h2>
      <p>
        <bdi>
          {unknown
            ? `The worker knows no run ${run}. Its record may have been let go, or it belongs to another worker.`
            : message}
        </bdi>
      </p>
      <p>
        <a href="/" onClick={followHere}>
          To the board
        </a>
      </p>
    </section>
  );
}

/** Changes when the run begins, ends, or the worker starts again. */
function stampOf(run: string, snapshot: StateSnapshot | null): string {
  if (snapshot === null) return '';
  const live = snapshot.running.some(({ run_id: id }) => id === run);
  const ended = snapshot.ended.some(({ run_id: id }) => id === run);
  return `${snapshot.started_at} ${live} ${ended}`;
}
