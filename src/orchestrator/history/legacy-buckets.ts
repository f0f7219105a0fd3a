import type { SessionUsage } from '../../contract/ended-rows.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import { seconds, tokens, utc } from '../wire-values.ts';

/** The Go worker's overlapping buckets, derived from the one outcome and its evidence. */
export type LegacyBucket =
  | 'completed'
  | 'reconcile_stopped_with_progress'
  | 'agent_handoff_reconcile_stopped'
  | 'active_success_no_handoff';

export function legacyBuckets(run: EndedRun): readonly LegacyBucket[] {
  const { end, turns } = run.result;
  if (end.kind === 'completed') {
    return isHandedOver(run) ? ['completed'] : ['completed', 'active_success_no_handoff'];
  }
  if (end.kind !== 'stopped' || !['terminal', 'inactive', 'unroutable'].includes(end.reason.kind)) return [];
  if (run.handedOff) return ['agent_handoff_reconcile_stopped'];
  return turns > 0 ? ['reconcile_stopped_with_progress'] : [];
}

function legacyOutcome(run: EndedRun): string {
  const { end } = run.result;
  if (end.kind === 'stopped') return 'reconcile_ineligible';
  if (end.kind !== 'completed') return 'failed';
  return isHandedOver(run) ? 'completed' : 'active_success_no_handoff';
}

/** The Go worker does not look at pushes: a hand-over is one, also when its commits wait to be pushed. */
function isHandedOver({ outcome }: EndedRun): boolean {
  return outcome.kind === 'delivered' || outcome.kind === 'blocked';
}

/** `provider` is the agent of runs from before it was kept. */
export function sessionUsageRow(run: EndedRun, provider: string, workflowPath: string): SessionUsage {
  return {
    issue_id: run.issueId,
    issue_identifier: run.identifier,
    issue_url: run.url,
    state: run.stateAfter,
    ...(run.sessionId === null ? {} : { session_id: run.sessionId }),
    workflow_source: 'file',
    workflow_path: workflowPath,
    agent_provider: run.runner ?? provider,
    ...(run.profile === null ? {} : { agent_profile: run.profile }),
    ...(run.model === null ? {} : { agent_model: run.model }),
    tokens: tokens(run.usage),
    runtime_seconds: seconds(runtimeOfEnded(run)),
    completed_at: utc(run.endedAt),
    outcome: legacyOutcome(run),
  };
}

/** Issue ids per bucket, newest first, without repeats. */
export function bucketIds(runs: readonly EndedRun[], bucket: LegacyBucket): string[] {
  const ids = new Set<string>();
  for (const run of runs) if (legacyBuckets(run).includes(bucket)) ids.add(run.issueId);
  return [...ids];
}
