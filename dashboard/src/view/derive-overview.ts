import { formatCount, formatDuration, formatPlural } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveRetrying } from './derive-queue.ts';
import { deriveTrackerFacts } from './derive-tracker.ts';

export interface KpiView {
  /** Also the id of the section it leads to. */
  readonly id: 'running' | 'waiting' | 'retrying' | 'blocked' | 'finished';
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly isZero: boolean;
  /** True when the number asks for a look. */
  readonly calls: boolean;
}

export interface FactView {
  readonly label: string;
  readonly value: string;
}

export function deriveKpis(snapshot: StateSnapshot, workerNow: number): readonly KpiView[] {
  const { counts } = snapshot;
  const next = deriveRetrying(snapshot, workerNow)[0];
  const tile = (id: KpiView['id'], label: string, value: number, note: string, calls = false): KpiView => ({
    id,
    label,
    value: formatCount(value),
    note,
    isZero: value === 0,
    calls: calls && value > 0,
  });
  return [
    tile('running', 'Running', counts.running, `of ${formatPlural(snapshot.max_concurrent_agents, 'slot')}`),
    tile('waiting', 'Waiting', counts.waiting, snapshot.waiting[0]?.reason ?? 'queue empty'),
    tile('retrying', 'Retrying', counts.retrying, next === undefined ? 'none due' : `next ${next.due}`),
    tile(
      'blocked',
      'Blocked',
      counts.blocked,
      counts.blocked === 0 ? 'nothing needs you' : 'needs you',
      true,
    ),
    tile('finished', 'Delivered', counts.delivered_total, 'since the worker started'),
  ];
}

/** The line of small facts about the worker as a whole. */
export function deriveFacts(snapshot: StateSnapshot, workerNow: number): readonly FactView[] {
  const totals = snapshot.codex_totals;
  const sinceSnapshot = (workerNow - Date.parse(snapshot.generated_at)) / 1000;
  const agentTime = totals.seconds_running + sinceSnapshot * snapshot.running.length;
  return [
    { label: 'Up', value: formatDuration((workerNow - Date.parse(snapshot.started_at)) / 1000) },
    { label: 'Agent', value: snapshot.agent_default },
    { label: 'Agent time', value: formatDuration(agentTime) },
    {
      label: 'Tokens',
      value: `${formatCount(totals.total_tokens)} (${formatCount(totals.input_tokens)} in, ${formatCount(totals.output_tokens)} out)`,
    },
    ...deriveTrackerFacts(snapshot, workerNow),
  ];
}

/** One sentence for screen readers; it changes only when a count does. */
export function describeCounts(snapshot: StateSnapshot): string {
  const { running, waiting, retrying, blocked, delivered_total } = snapshot.counts;
  return `${running} running, ${waiting} waiting, ${retrying} retrying, ${blocked} blocked, ${delivered_total} delivered`;
}

/** What the browser tab says: the part one wants to see from elsewhere. */
export function describeTab(snapshot: StateSnapshot | null, live: boolean): string {
  if (snapshot === null || !live) return 'aiops: disconnected';
  const { running, blocked } = snapshot.counts;
  const parts = [`${running} running`];
  if (blocked > 0) parts.push(`${blocked} blocked`);
  return `${parts.join(', ')} · aiops`;
}
