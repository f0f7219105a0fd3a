import { useEffect, useState } from 'react';
import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import { formatAge, formatCost, formatCount, formatDuration } from '../../../src/contract/format.ts';
import { client } from '../access/browser-access.ts';
import { runAddress } from '../place/place.ts';
import { followHere } from '../place/use-place.ts';
import { OUTCOMES } from '../view/derive-ended.ts';

const MAX_RUNS = 100;

/** The other runs of the issue, newest first. */
export function EarlierRuns({
  issue,
  current,
  workerNow,
}: {
  issue: string;
  current: string;
  workerNow: number;
}) {
  const [runs, setRuns] = useState<readonly EndedRun[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run may have ended when this one is looked at.
  useEffect(() => {
    const gone = new AbortController();
    client
      .runs({ issue, limit: MAX_RUNS }, gone.signal)
      .then((list) => setRuns(list.runs))
      .catch(() => setRuns((before) => before ?? []));
    return () => gone.abort();
  }, [issue, current]);
  const others = runs?.filter(({ run_id: id }) => id !== current) ?? [];
  return (
    <section className="section" aria-labelledby="earlier-title">
      <h3 id="earlier-title" className="section-heading">
        Other runs of this issue
      </h3>
      {others.length === 0 ? (
        <p className="empty">{runs === null ? 'Reading…' : 'There are none.'}</p>
      ) : (
        <ul className="lines">
          {others.map((run) => (
            <li key={run.run_id} className="line">
              <div className="line-main">
                <p>
                  <a href={runAddress(run.run_id)} onClick={followHere}>
                    {OUTCOMES[run.outcome].label}
                  </a>{' '}
                  <span className="muted">{formatAge((workerNow - Date.parse(run.ended_at)) / 1000)}</span>
                </p>
                <p className="line-detail">
                  <bdi>{run.summary}</bdi>
                </p>
              </div>
              <div className="line-side muted">
                <span>{formatDuration(run.runtime_seconds)}</span>
                <span>{formatCount(run.tokens.total_tokens)} tokens</span>
                {run.cost_usd !== undefined && <span>{formatCost(run.cost_usd)}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
