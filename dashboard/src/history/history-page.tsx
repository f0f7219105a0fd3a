import '../styles/history.css';
import { useMemo } from 'react';
import { formatCost, formatCount, formatDuration, formatPlural } from '../../../src/contract/format.ts';
import type { WireOutcome } from '../../../src/contract/wire.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Query } from '../place/place.ts';
import { OUTCOMES } from '../view/derive-ended.ts';
import { AgentTable } from './agent-table.tsx';
import { BarChart } from './bar-chart.tsx';
import { type DayTotals, deriveHistory, type HistoryView, quantile, readFilter } from './derive-history.ts';
import { HistoryFilters } from './history-filters.tsx';
import { useRuns } from './use-runs.ts';

const NAMES = Object.keys(OUTCOMES) as readonly WireOutcome[];
const SERIES = NAMES.map((name) => ({ name: OUTCOMES[name].label, tone: name }));

/** What the runs of the last weeks came to. */
export function HistoryPage({ query, workerNow }: { query: Query; workerNow: number }) {
  const filter = readFilter(query);
  const { runs, problem, complete } = useRuns(filter.days, workerNow);
  const { days, agent, profile, outcome } = filter;
  // The minute will do: sums need not be made anew with every tick.
  const minute = Math.floor(workerNow / 60_000) * 60_000;
  const view = useMemo(
    () => (runs === null ? null : deriveHistory(runs, { days, agent, profile, outcome }, minute)),
    [runs, days, agent, profile, outcome, minute],
  );
  if (view === null) return problem === null ? <Skeleton /> : <p className="empty">{problem}</p>;
  return (
    <section className="history" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <HistoryFilters filter={filter} view={view} />
      {!complete && <p className="muted">Older runs than the worker lists are not counted.</p>}
      {view.runs.length === 0 ? (
        <p className="empty">No run ended in these {days} days that fits the filters.</p>
      ) : (
        <Charts view={view} />
      )}
    </section>
  );
}

function Charts({ view }: { view: HistoryView }) {
  const { days, runs } = view;
  const tokens = days.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0);
  const cost = days.reduce((sum, day) => sum + day.costUsd, 0);
  const delivered = runs.filter(({ outcome }) => outcome === 'delivered').length;
  return (
    <>
      <div className="charts">
        <BarChart
          title="Runs by outcome"
          series={SERIES}
          summary={`${formatPlural(runs.length, 'run')}, ${delivered} delivered`}
          format={String}
          bars={days.map((day) => ({
            label: day.day,
            values: NAMES.map((name) => day.outcomes[name] ?? 0),
            told: `${day.day}: ${describeDay(day)}`,
          }))}
        />
        <BarChart
          title="Tokens"
          series={[
            { name: 'In', tone: 'input' },
            { name: 'Out', tone: 'output' },
          ]}
          summary={`${formatCount(tokens)} in all`}
          format={formatCount}
          bars={days.map(({ day, inputTokens, outputTokens }) => ({
            label: day,
            values: [inputTokens, outputTokens],
            told: `${day}: ${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`,
          }))}
        />
        <BarChart
          title="Cost"
          series={[{ name: 'Cost', tone: 'cost' }]}
          summary={cost === 0 ? 'the agents did not tell' : `${formatCost(cost)} in all`}
          format={formatCost}
          bars={days.map(({ day, costUsd }) => ({
            label: day,
            values: [costUsd],
            told: `${day}: ${formatCost(costUsd)}`,
          }))}
        />
        <Delivery times={view.deliveryTimes} />
        <Failures view={view} />
      </div>
      <AgentTable agents={view.agents} />
    </>
  );
}

function describeDay({ outcomes, runs }: DayTotals): string {
  if (runs === 0) return 'no runs';
  return NAMES.flatMap((name) =>
    outcomes[name] ? [`${outcomes[name]} ${OUTCOMES[name].label.toLowerCase()}`] : [],
  ).join(', ');
}

const STEPS: readonly (readonly [label: string, seconds: number])[] = [
  ['under 10 minutes', 600],
  ['under 30 minutes', 1800],
  ['under an hour', 3600],
  ['under 4 hours', 14_400],
  ['under a day', 86_400],
  ['a day or more', Number.POSITIVE_INFINITY],
];

function Delivery({ times }: { times: readonly number[] }) {
  const [median, slow] = [quantile(times, 0.5), quantile(times, 0.9)];
  let from = 0;
  const rows = STEPS.map(([name, below]) => {
    const count = times.filter((time) => time >= from && time < below).length;
    from = below;
    return { name, count };
  });
  const summary =
    median === null || slow === null
      ? 'nothing was delivered'
      : `half within ${formatDuration(median)}, nine of ten within ${formatDuration(slow)}`;
  return <ShareList title="Time to delivery" summary={summary} rows={rows} tone="delivered" />;
}

function Failures({ view }: { view: HistoryView }) {
  const summary = view.failures.length === 0 ? 'nothing went wrong' : 'by reason, most frequent first';
  return (
    <ShareList title="What went wrong" summary={summary} rows={view.failures.slice(0, 12)} tone="failed" />
  );
}

interface ShareListProps {
  readonly title: string;
  readonly summary: string;
  readonly rows: readonly { readonly name: string; readonly count: number }[];
  readonly tone: string;
}

/** A table whose numbers have bars beside them. */
function ShareList({ title, summary, rows, tone }: ShareListProps) {
  const highest = Math.max(...rows.map(({ count }) => count), 1);
  return (
    <figure className="chart">
      <figcaption className="chart-title">
        {title} <span className="chart-told">{summary}</span>
      </figcaption>
      <table className="shares">
        <caption className="visually-hidden">{title}</caption>
        <tbody>
          {rows.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td className="share-count">{count}</td>
              <td className="share-bar" aria-hidden="true">
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect className={`bar bar-${tone}`} width={(count / highest) * 100} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
