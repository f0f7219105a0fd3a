import { Draft } from '../../src/scheduler/core/draft.ts';
import type { SchedulerSettings } from '../../src/scheduler/core/settings.ts';
import type { SchedulerState } from '../../src/scheduler/core/state.ts';
import { NOT_PUSHED } from '../../src/scheduler/phases/not-pushed.ts';
import { standingOf, whyIneligible } from '../../src/scheduler/rules/eligibility.ts';
import { SlotCount } from '../../src/scheduler/rules/slots.ts';
import { whyNobodyMayStart } from '../../src/scheduler/rules/wait-rules.ts';

/** What must hold after every event, whatever happened. Returns what does not. */
export function brokenInvariants(state: SchedulerState, settings: SchedulerSettings, now: number): string[] {
  return [
    ...claimProblems(state),
    ...slotProblems(state, settings, now),
    ...waitProblems(state, now),
    ...recordProblems(state),
  ];
}

function claimProblems(state: SchedulerState): string[] {
  const problems: string[] = [];
  const runsByIssue = new Map<string, string>();
  for (const run of state.live.values()) {
    const other = runsByIssue.get(run.issue.id);
    if (other !== undefined) problems.push(`${run.issue.id} has two live runs: ${other} and ${run.runId}`);
    runsByIssue.set(run.issue.id, run.runId);
    const claim = state.claims.get(run.issue.id);
    if (claim?.phase !== 'running' || claim.runId !== run.runId)
      problems.push(`${run.runId} runs without its claim`);
  }
  for (const [id, claim] of state.claims) {
    if (claim.phase === 'running' && !state.live.has(claim.runId))
      problems.push(`${id} is claimed by a run that is gone`);
  }
  return problems;
}

/** A free slot never stands beside somebody who could use it. */
function slotProblems(state: SchedulerState, settings: SchedulerSettings, now: number): string[] {
  const draft = new Draft(state, now, settings);
  if (whyNobodyMayStart(draft) !== null) return [];
  const slots = new SlotCount(draft);
  const idle: string[] = [];
  for (const [id, claim] of state.claims) {
    if (claim.phase === 'retrying' && claim.dueAt < now && slots.refusal(claim.issue) === null) idle.push(id);
  }
  for (const issue of state.candidates.values()) {
    if (state.claims.has(issue.id) || state.cleaning.has(issue.id)) continue;
    if (state.records.get(issue.id)?.operatorStop?.latched === true) continue;
    if (whyIneligible(issue, settings) === null && slots.refusal(issue) === null) idle.push(issue.id);
  }
  return idle.map((id) => `${id} waits although a slot is free`);
}

/** Whatever the clock was set to: nobody waits longer than was meant. */
function waitProblems(state: SchedulerState, now: number): string[] {
  const problems: string[] = [];
  for (const [id, claim] of state.claims) {
    if (claim.phase !== 'retrying') continue;
    const left = claim.dueAt - now;
    if (left > (claim.delayMs ?? 0)) problems.push(`${id} waits ${left} ms more of ${claim.delayMs}`);
  }
  return problems;
}

function recordProblems(state: SchedulerState): string[] {
  const problems: string[] = [];
  for (const record of state.records.values()) {
    if (record.lifetime.runs < record.runs) problems.push(`${record.issueId} forgot runs`);
    if (record.lifetime.usage.totalTokens < record.usage.totalTokens)
      problems.push(`${record.issueId} forgot tokens`);
  }
  return problems;
}

/**
 * Claims of issues that left the active states must be gone once the tracker has said so. Only work that nobody else can
 * see is held longer.
 */
export function leakedClaims(
  state: SchedulerState,
  settings: SchedulerSettings,
  stateOf: (id: string) => string | null,
  isUnpushed: (id: string) => boolean,
): string[] {
  const leaks: string[] = [];
  for (const [id, claim] of state.claims) {
    const name = stateOf(id);
    const active = name !== null && standingOf(name, settings) === 'active';
    const notPushed = claim.phase === 'blocked' && claim.method === NOT_PUSHED;
    if (notPushed && name !== null && !active && isUnpushed(id)) continue;
    if (notPushed && active) leaks.push(`${id} is held for a push although it is ${name}`);
    if (!active) leaks.push(`${id} is still claimed (${claim.phase}) although it is ${name ?? 'gone'}`);
  }
  return leaks;
}
