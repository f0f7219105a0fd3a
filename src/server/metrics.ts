import type { StateSnapshot } from '../contract/state.ts';
import type { Histogram } from '../orchestrator/history/recent-history.ts';

/** What the metrics page is made of, besides the snapshot. Counters are since the worker started. */
export interface MetricsInput {
  readonly snapshot: StateSnapshot;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly runSeconds: Histogram;
  /** Webhooks by what became of them; left out when there are none. */
  readonly webhooks?: ReadonlyMap<string, number>;
}

export interface ProcessMetrics {
  /** Seconds. */
  readonly eventLoopLagP50: number;
  readonly eventLoopLagP99: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly streamClients: number;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** The Prometheus text format, version 0.0.4. */
export function formatMetrics(input: MetricsInput, own: ProcessMetrics): string {
  return [...workFamilies(input), ...trackerFamilies(input), ...processFamilies(own)].join('');
}

function workFamilies({ snapshot, outcomes, runSeconds }: MetricsInput): string[] {
  const { counts, spending, codex_totals: totals } = snapshot;
  const startedAt = Date.parse(snapshot.started_at) / 1000;
  return [
    gauge('aiops_info', 'Version of the worker.', [[{ version: snapshot.version }, 1]]),
    gauge('aiops_start_time_seconds', 'When the worker started.', one(startedAt)),
    gauge('aiops_issues', 'Issues by what the worker does with them.', [
      [{ status: 'running' }, counts.running],
      [{ status: 'waiting' }, counts.waiting],
      [{ status: 'retrying' }, counts.retrying],
      [{ status: 'blocked' }, counts.blocked],
    ]),
    gauge('aiops_live_runs', 'Live runs by agent and profile.', liveRuns(snapshot)),
    gauge('aiops_agent_slots', 'Runs that may be live at once.', one(snapshot.max_concurrent_agents)),
    gauge('aiops_paused', '1 while an operator keeps new runs from starting.', flag(snapshot.paused)),
    gauge('aiops_dispatch_ready', '1 while the configuration lets runs start.', flag(snapshot.preflight.ok)),
    gauge('aiops_journal_ok', '1 while what is saved reaches the disk.', flag(snapshot.journal.ok)),
    counter('aiops_runs_total', 'Finished runs by outcome.', labelled('outcome', outcomes)),
    histogram('aiops_run_seconds', 'How long finished runs took.', runSeconds),
    counter('aiops_tokens_total', 'Tokens of all sessions, live ones included.', [
      [{ direction: 'input' }, totals.input_tokens],
      [{ direction: 'output' }, totals.output_tokens],
    ]),
    counter('aiops_cost_usd_total', 'What agents say they cost.', one(spending.worker.cost_usd)),
    counter('aiops_agent_seconds_total', 'Time agents have worked.', one(totals.seconds_running)),
    counter('aiops_delivered_total', 'Issues delivered.', one(counts.delivered_total)),
  ];
}

/** The default agent has the empty profile. */
function liveRuns({ running }: Pick<StateSnapshot, 'running'>): Sample[] {
  const counts = new Map<string, [Record<string, string>, number]>();
  for (const { agent_provider: agent = '', agent_profile: profile = '' } of running) {
    const key = `${agent} ${profile}`;
    counts.set(key, [{ agent, profile }, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return [...counts.values()];
}

function trackerFamilies({ snapshot: { last_poll: poll, tracker }, webhooks }: MetricsInput): string[] {
  return [
    gauge('aiops_last_poll_ok', '1 when the last poll succeeded.', poll === null ? [] : flag(poll.ok)),
    gauge(
      'aiops_last_poll_seconds',
      'How long the last poll took.',
      maybe(poll === null ? null : poll.duration_ms / 1000),
    ),
    gauge('aiops_candidates', 'Issues the tracker listed.', maybe(poll?.candidates ?? null)),
    counter('aiops_tracker_requests_total', 'Requests sent to the tracker.', maybe(tracker.requests_total)),
    gauge(
      'aiops_tracker_budget_remaining',
      'Requests the tracker still grants.',
      maybe(tracker.budget?.remaining ?? null),
    ),
    counter(
      'aiops_webhooks_total',
      'Webhooks of the tracker by what became of them.',
      labelled('result', webhooks ?? new Map()),
    ),
  ];
}

function processFamilies(own: ProcessMetrics): string[] {
  return [
    gauge('aiops_event_loop_lag_seconds', 'Delay of the event loop.', [
      [{ quantile: '0.5' }, own.eventLoopLagP50],
      [{ quantile: '0.99' }, own.eventLoopLagP99],
    ]),
    gauge('aiops_stream_clients', 'Clients that follow the events.', one(own.streamClients)),
    gauge('process_resident_memory_bytes', 'Resident memory.', one(own.residentBytes)),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', one(own.heapBytes)),
  ];
}

function flag(value: boolean): Sample[] {
  return one(Number(value));
}

function one(value: number): Sample[] {
  return [[{}, value]];
}

function maybe(value: number | null): Sample[] {
  return value === null ? [] : one(value);
}

function labelled(name: string, counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([value, count]) => [{ [name]: value }, count]);
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  return family(name, help, 'gauge', samples);
}

function counter(name: string, help: string, samples: readonly Sample[]): string {
  return family(name, help, 'counter', samples);
}

function family(name: string, help: string, type: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${formatLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function histogram(name: string, help: string, data: Histogram): string {
  const buckets = data.bounds.map(
    (bound, index) => `${name}_bucket{le="${bound}"} ${data.counts[index] ?? 0}\n`,
  );
  const totals = `${name}_bucket{le="+Inf"} ${data.count}\n${name}_sum ${data.sum}\n${name}_count ${data.count}\n`;
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${buckets.join('')}${totals}`;
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
