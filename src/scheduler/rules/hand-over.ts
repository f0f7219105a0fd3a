import type { Issue } from '../../domain/issue.ts';
import type { TurnDecision } from '../../domain/run-event.ts';
import { hasEditsOnly, hasUnpushedCommits, type RunEvidence } from '../../domain/run-outcome.ts';
import { sameState } from '../../domain/state-name.ts';
import type { ToolEffect } from '../../domain/tool.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { LiveRun } from '../core/state.ts';
import { standingOf } from './eligibility.ts';

/** An issue that the agent gave out of its hands. */
export interface HandOver {
  /** Where it was handed over; what the tracker was last heard to say may be older. */
  readonly state: string;
  /** The agent moved it through a tool; otherwise the end of a turn found it there. */
  readonly byTool: boolean;
  /** Somebody has since moved it to another state outside the active ones. */
  readonly movedOn: boolean;
}

/** The hand-over that stands, or null: an issue that was seen active again is in the agent's hands. */
export function handOverOf(run: LiveRun, settings: SchedulerSettings): HandOver | null {
  if (run.handOver === null) return null;
  const { state, byTool } = run.handOver;
  const heard = run.issue.state;
  return { state, byTool, movedOn: !sameState(state, heard) && standingOf(heard, settings) !== 'active' };
}

/** The run with what the tracker says of its issue now. */
export function withIssue(run: LiveRun, issue: Issue, settings: SchedulerSettings): LiveRun {
  const active = standingOf(issue.state, settings) === 'active';
  return { ...run, issue, handOver: active ? null : run.handOver };
}

/** Follows the agent's own moves of its issue. */
export function withMove(run: LiveRun, effect: ToolEffect | null, settings: SchedulerSettings): LiveRun {
  if (effect?.kind !== 'state_changed') return run;
  const active = standingOf(effect.to, settings) === 'active';
  return { ...run, handOver: active ? null : { state: effect.to, byTool: true } };
}

/** The run as the end of a turn found its issue, outside the active states. */
export function withHandOver(run: LiveRun, state: string): LiveRun {
  const byTool = run.handOver?.byTool === true && sameState(run.handOver.state, state);
  return { ...run, handOver: { state, byTool } };
}

/** True while the run looks at or mends what it handed over, and nobody has moved the issue meanwhile. */
export function isCompletingHandOver({ decision, issue }: LiveRun): boolean {
  if (decision?.kind === 'finish') return decision.why === 'left_active';
  if (decision?.kind !== 'inspect' && decision?.kind !== 'push_first') return false;
  return sameState(decision.state, issue.state);
}

/**
 * What becomes of a run whose issue was handed over. Commits that nobody else can see, or edits of which nothing was ever
 * committed, are worth one more turn; `mayTakeTurn` says whether the limits allow it.
 */
export function decideHandOver(
  run: LiveRun,
  state: string,
  evidence: RunEvidence | null,
  mayTakeTurn: boolean,
): TurnDecision {
  if (evidence === null) return { kind: 'inspect', state };
  const unseen = hasUnpushedCommits(evidence) || hasEditsOnly(evidence);
  if (unseen && !run.pushAsked && mayTakeTurn) return { kind: 'push_first', state };
  return { kind: 'finish', why: 'left_active' };
}
