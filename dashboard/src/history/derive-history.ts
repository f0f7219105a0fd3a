import type { EndedRun } from '../../../src/contract/ended-rows.ts';
import type { WireOutcome } from '../../../src/contract/wire.ts';

const DAY_MS = 86_400_000;

/** What is looked at; '' is everything. */
export interface HistoryFilter {
  readonly days: number;
  readonly agent: string;
  readonly profile: string;
  readonly outcome: string;
}

export interface DayTotals {
  /** `2026-07-01`, in UTC, as the worker counts its days. */
  readonly day: string;
  readonly runs: number;
  readonly outcomes: Readonly<Partial<Record<WireOutcome, number>>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

export interface Share {
  readonly name: string;
  readonly count: number;
}

export interface AgentTotals {
  readonly agent: string;
  readonly profile: string;
  readonly runs: number;
  readonly delivered: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly seconds: number;
}

export interface HistoryView {
  readonly runs: readonly EndedRun[];
  readonly days: readonly DayTotals[];
  /** From the begin of an issue's first run to its delivery, in seconds, shortest first. */
  readonly deliveryTimes: readonly number[];
  /** Why runs ended badly, the most frequent first. */
  readonly failures: readonly Share[];
  readonly agents: readonly AgentTotals[];
  /** What can be chosen in the filters. */
  readonly choices: { readonly agents: readonly string[]; readonly profiles: readonly string[] };
}

const BAD: ReadonlySet<WireOutcome> = new Set(['failed', 'timed_out', 'stalled', 'no_progress', 'blocked']);

export function readFilter(query: Readonly<Record<string, string>>): HistoryFilter {
  const days = Number(query['days']);
  return {
    days: [7, 30, 90].includes(days) ? days : 30,
    agent: query['agent'] ?? '',
    profile: query['profile'] ?? '',
    outcome: query['outcome'] ?? '',
  };
}

/** When the first day that is looked at begins. */
export function firstDay(days: number, now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
}

/** Sums over finished runs, newest first as the worker lists them. */
export function deriveHistory(all: readonly EndedRun[], filter: HistoryFilter, now: number): HistoryView {
  const since = firstDay(filter.days, now);
  const recent = all.filter((run) => Date.parse(run.ended_at) >= since);
  const runs = recent.filter((run) => fits(run, filter));
  return {
    runs,
    days: daysOf(runs, filter.days, since),
    deliveryTimes: deliveryTimes(all, runs),
    failures: failuresOf(runs),
    agents: agentsOf(runs),
    choices: {
      agents: distinct(recent.map(agentName)),
      profiles: distinct(recent.map(({ agent_profile: profile }) => profile ?? '')),
    },
  };
}

function fits(run: EndedRun, { agent, profile, outcome }: HistoryFilter): boolean {
  return (
    (agent === '' || agentName(run) === agent) &&
    (profile === '' || run.agent_profile === profile) &&
    (outcome === '' || run.outcome === outcome)
  );
}

function daysOf(runs: readonly EndedRun[], count: number, since: number): readonly DayTotals[] {
  const byDay = groupBy(runs, ({ ended_at: ended }) => ended.slice(0, 10));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(since + index * DAY_MS).toISOString().slice(0, 10);
    const own = byDay.get(day) ?? [];
    const outcomes: Partial<Record<WireOutcome, number>> = {};
    for (const { outcome } of own) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return {
      day,
      runs: own.length,
      outcomes,
      inputTokens: sum(own, ({ tokens }) => tokens.input_tokens),
      outputTokens: sum(own, ({ tokens }) => tokens.output_tokens),
      costUsd: sum(own, ({ cost_usd: cost }) => cost ?? 0),
    };
  });
}

function deliveryTimes(all: readonly EndedRun[], runs: readonly EndedRun[]): readonly number[] {
  const begins = new Map<string, number>();
  for (const run of all) {
    const begin = Date.parse(run.started_at ?? '') || Date.parse(run.ended_at) - run.runtime_seconds * 1000;
    begins.set(run.issue_id, Math.min(begin, begins.get(run.issue_id) ?? begin));
  }
  return runs
    .filter(({ outcome }) => outcome === 'delivered')
    .map((run) => (Date.parse(run.ended_at) - (begins.get(run.issue_id) ?? 0)) / 1000)
    .sort((a, b) => a - b);
}

function failuresOf(runs: readonly EndedRun[]): readonly Share[] {
  const bad = runs.filter(({ outcome }) => BAD.has(outcome));
  const groups = groupBy(bad, (run) => (run.reason ?? run.outcome).replaceAll('_', ' '));
  return [...groups].map(([name, own]) => ({ name, count: own.length })).sort((a, b) => b.count - a.count);
}

function agentsOf(runs: readonly EndedRun[]): readonly AgentTotals[] {
  const groups = groupBy(runs, (run) => JSON.stringify([agentName(run), run.agent_profile ?? '']));
  return [...groups.values()]
    .map((own) => ({
      agent: own[0] === undefined ? '' : agentName(own[0]),
      profile: own[0]?.agent_profile ?? '',
      runs: own.length,
      delivered: own.filter(({ outcome }) => outcome === 'delivered').length,
      tokens: sum(own, ({ tokens }) => tokens.total_tokens),
      costUsd: sum(own, ({ cost_usd: cost }) => cost ?? 0),
      seconds: sum(own, ({ runtime_seconds: seconds }) => seconds),
    }))
    .sort((a, b) => b.runs - a.runs);
}

function agentName({ agent_provider: agent }: EndedRun): string {
  return agent ?? 'unknown';
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

/** The value below which the given part of the sorted values lies; null without any. */
export function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
}

function groupBy<T>(rows: readonly T[], nameOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(nameOf(row));
    if (group === undefined) groups.set(nameOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
