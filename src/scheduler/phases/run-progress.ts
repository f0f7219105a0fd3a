import type { RefreshOutcome } from '../../domain/issue.ts';
import type { TurnDecision } from '../../domain/run-event.ts';
import type { RunEvidence } from '../../domain/run-outcome.ts';
import { type FollowUps, NO_FOLLOW_UPS, type ToolEffect } from '../../domain/tool.ts';
import { addUsage, growUsage, subtractUsage } from '../../domain/usage.ts';
import type { Draft } from '../core/draft.ts';
import type { AgentFact, RunFact } from '../core/events.ts';
import type { LiveRun } from '../core/state.ts';
import { rememberHandOver } from '../core/under-way.ts';
import { exhaustedBudget, exhaustedForAll } from '../rules/budgets.ts';
import { decideHandOver, withHandOver, withIssue, withMove } from '../rules/hand-over.ts';
import { handedOffAt } from '../rules/outcome.ts';
import { settleRun } from '../rules/spending.ts';
import { rememberUnpushed } from './not-pushed.ts';
import { considerStop, stopRun, whyStop } from './reconcile.ts';
import { requestRefresh } from './refresh.ts';

/** Follows a run's own report. Nothing here decides more than the guardrails. */
export function onRunFact(draft: Draft, runId: string, fact: RunFact): void {
  const run = draft.live.get(runId);
  if (run === undefined) return;
  if (fact.type === 'phase') draft.live.set(runId, { ...run, phase: fact.phase });
  else if (fact.type === 'workspace')
    draft.live.set(runId, { ...run, workspacePath: fact.path, branch: fact.branch });
  else onAgentFact(draft, { ...run, lastAgentEventAt: draft.now }, fact.event);
}

/** Agents that reported something no decision depends on: all it says is that they are alive. */
export function onAgentsHeard(draft: Draft, heard: ReadonlyMap<string, number>): void {
  for (const [runId, at] of heard) {
    const run = draft.live.get(runId);
    if (run !== undefined)
      draft.live.set(runId, { ...run, lastAgentEventAt: Math.max(run.lastAgentEventAt ?? 0, at) });
  }
}

function onAgentFact(draft: Draft, run: LiveRun, event: AgentFact): void {
  switch (event.type) {
    case 'session_started': {
      const { runner, profile } = run.agent;
      const { sessionId, model } = event;
      draft.saveRecord({ ...draft.record(run.issue), session: { runner, profile, sessionId } });
      draft.live.set(run.runId, { ...run, sessionId, model });
      return;
    }
    case 'turn_started':
      settleRun(draft, { ...run, turnsStarted: run.turnsStarted + 1 }, 1);
      return;
    case 'model_changed':
      draft.live.set(run.runId, { ...run, model: event.model });
      return;
    case 'usage':
      onUsage(draft, run, event);
  }
}

function onUsage(draft: Draft, run: LiveRun, event: Extract<AgentFact, { type: 'usage' }>): void {
  const usage = growUsage(run.usage, event.usage);
  const costUsd = event.costUsd === null ? run.costUsd : Math.max(run.costUsd ?? 0, event.costUsd);
  const updated: LiveRun = { ...run, usage, costUsd };
  draft.live.set(run.runId, updated);
  draft.totals = {
    ...draft.totals,
    usage: addUsage(draft.totals.usage, subtractUsage(usage, run.usage)),
    costUsd: draft.totals.costUsd + ((costUsd ?? 0) - (run.costUsd ?? 0)),
  };
  const spent = exhaustedBudget(draft, draft.record(run.issue), updated);
  if (spent !== null) stopRun(draft, updated, { kind: 'budget', scope: spent.scope, detail: spent.detail });
}

export function onToolStarted(draft: Draft, runId: string): void {
  const run = draft.live.get(runId);
  if (run === undefined) return;
  draft.live.set(runId, { ...run, toolCalls: { open: run.toolCalls.open + 1, since: draft.now } });
}

/** The call's effect is known now, so a stop that waited for it can be decided. */
export function onToolFinished(draft: Draft, runId: string, effect: ToolEffect | null): void {
  const run = draft.live.get(runId);
  if (run === undefined) return;
  const effects = effect === null ? run.effects : [...run.effects.slice(-49), { effect, at: draft.now }];
  const open = Math.max(0, run.toolCalls.open - 1);
  const moved = withMove(run, effect, draft.settings);
  const updated: LiveRun = { ...moved, effects, toolCalls: { ...run.toolCalls, open } };
  draft.live.set(runId, updated);
  rememberHandOver(draft, run, updated);
  considerStop(draft, updated);
}

/** Saved at once: the limit on them holds for the issue, whatever becomes of the run or the worker. */
export function onFollowUpsFiled(draft: Draft, runId: string, filed: FollowUps): void {
  const run = draft.live.get(runId);
  if (run === undefined) return;
  const record = draft.record(run.issue);
  const { count, names } = record.followUps ?? NO_FOLLOW_UPS;
  const followUps = { count: count + filed.count, names: [...new Set([...names, ...filed.names])] };
  draft.saveRecord({ ...record, followUps });
}

/** A turn is over: its cost is booked, then the tracker is asked before the next one. Evidence is judged at once. */
export function onTurnEnded(draft: Draft, runId: string, turn: number, evidence: RunEvidence | null): void {
  const run = draft.live.get(runId);
  if (run === undefined || run.stopping !== null) return;
  if (evidence !== null && run.decision?.kind === 'inspect') {
    answerTurn(draft, run, decideTurn(draft, run, turn, true, evidence), evidence);
    return;
  }
  settleRun(draft, { ...run, turnsCompleted: turn });
  requestRefresh(draft, [run.issue.id], { kind: 'turn', runId, turn });
}

/** Answers "may I go on?". A tracker that cannot tell never ends a healthy run. */
export function onTurnChecked(draft: Draft, runId: string, turn: number, outcome: RefreshOutcome): void {
  const run = draft.live.get(runId);
  if (run === undefined || run.stopping !== null) return;
  if (outcome.kind === 'absent') {
    answerTurn(draft, run, { kind: 'finish', why: 'missing' }, null);
    return;
  }
  const heard = outcome.kind === 'current';
  const updated = heard ? withIssue(run, outcome.issue, draft.settings) : run;
  // After the turn for pushing, the issue was last heard of outside the active states.
  const known = heard || run.decision?.kind === 'push_first';
  answerTurn(draft, updated, decideTurn(draft, updated, turn, known, null), null);
}

function answerTurn(draft: Draft, run: LiveRun, decision: TurnDecision, evidence: RunEvidence | null): void {
  const asks = decision.kind === 'push_first';
  const updated = decision.kind === 'inspect' ? withHandOver(run, decision.state) : run;
  draft.live.set(run.runId, { ...updated, decision, pushAsked: run.pushAsked || asks });
  rememberHandOver(draft, run, updated);
  if (asks && evidence !== null) rememberUnpushed(draft, run, evidence);
  draft.emit({ type: 'answer_turn', runId: run.runId, decision });
}

function decideTurn(
  draft: Draft,
  run: LiveRun,
  turn: number,
  known: boolean,
  evidence: RunEvidence | null,
): TurnDecision {
  const refusal = whyNoTurn(draft, run, turn);
  const reason = known ? whyStop(draft, run.issue) : null;
  if (reason === null) return refusal ?? { kind: 'continue', state: run.issue.state };
  if (reason.kind === 'unroutable') return { kind: 'finish', why: 'unroutable' };
  // Closed by somebody else: that is no hand-over.
  if (reason.kind === 'terminal' && handedOffAt(run) === null) return { kind: 'finish', why: 'left_active' };
  return decideHandOver(run, run.issue.state, evidence, refusal === null);
}

function whyNoTurn(draft: Draft, run: LiveRun, turn: number): TurnDecision | null {
  if (turn >= run.maxTurns) return { kind: 'finish', why: 'turn_limit' };
  const spent = exhaustedBudget(draft, draft.record(run.issue), run) ?? exhaustedForAll(draft, true);
  return spent === null ? null : { kind: 'finish', why: 'budget' };
}
