import type { Issue, RefreshOutcome } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import { freshRecord } from '../core/initial-state.ts';
import { attemptOf, newLiveRun } from '../core/live-run.ts';
import { describeChoice } from '../core/profile.ts';
import { agentFor } from '../core/settings.ts';
import type { CheckingClaim, IssueRecord, RetryingClaim } from '../core/state.ts';
import { underWayOf } from '../core/under-way.ts';
import { exhaustedBudget, remainingTurns } from '../rules/budgets.ts';
import { standingOf, whyIneligible } from '../rules/eligibility.ts';
import { compareForDispatch } from '../rules/order.ts';
import { aboutAgent, sessionToResume } from '../rules/sessions.ts';
import { SlotCount } from '../rules/slots.ts';
import { WaitRules, whyHeld, whyNobodyMayStart } from '../rules/wait-rules.ts';
import { blockIssue, budgetBlock, forgetCandidate, releaseClaim, retryTimerKey } from './claims.ts';
import { beginCleanup } from './cleanup.ts';
import { endKilled } from './interrupted.ts';
import { requestRefresh } from './refresh.ts';

/** A run without a turn limit of its own still ends some time. */
const MAX_TURNS = 1_000_000;

interface Contender {
  readonly issue: Issue;
  readonly retry: RetryingClaim | null;
}

/**
 * Gives free slots to due retries and waiting candidates, best first.
 * `listedNow` says that the candidates were listed in this very tick: those start at once; everything else is
 * read once more before it starts.
 */
export function fillSlots(draft: Draft, listedNow: boolean): void {
  const rules = new WaitRules(draft);
  if (!rules.anybodyMayStart) return;
  const contenders = collectContenders(draft, rules).sort((a, b) => compareForDispatch(a.issue, b.issue));
  for (const { issue, retry } of contenders) {
    if (!rules.slots.anyFree) return;
    // Those before it may have taken the slot of its state or agent.
    if (rules.ofRetry(issue) !== null) continue;
    if (retry === null && listedNow) {
      if (startRun(draft, issue, null)) rules.slots.take(issue);
    } else {
      draft.claims.set(issue.id, { phase: 'checking', issue, retry });
      rules.slots.take(issue);
      requestRefresh(draft, [issue.id], { kind: 'dispatch' });
    }
  }
}

/** True when every slot is taken and some candidate is known that could take the next one. */
export function isSupplied(draft: Draft): boolean {
  if (new SlotCount(draft).anyFree) return false;
  for (const issue of draft.candidates.values())
    if (!draft.claims.has(issue.id) && whyHeld(draft, issue) === null) return true;
  return false;
}

function collectContenders(draft: Draft, rules: WaitRules): Contender[] {
  const contenders: Contender[] = [];
  for (const [, claim] of draft.claims.entries()) {
    if (claim.phase === 'retrying' && claim.dueAt <= draft.now && rules.ofRetry(claim.issue) === null)
      contenders.push({ issue: claim.issue, retry: claim });
  }
  for (const issue of draft.candidates.values()) {
    if (!draft.claims.has(issue.id) && rules.ofCandidate(issue) === null)
      contenders.push({ issue, retry: null });
  }
  return contenders;
}

/** The answer to the last look before a start. A failed look puts a retry back and forgets a candidate until the next poll. */
export function onDispatchChecked(draft: Draft, issueId: string, outcome: RefreshOutcome): void {
  const claim = draft.claims.get(issueId);
  if (claim?.phase !== 'checking') return;
  if (outcome.kind === 'unknown') {
    draft.claims.delete(issueId);
    forgetCandidate(draft, issueId);
    if (claim.retry !== null) {
      const delayMs = Math.min(draft.settings.pollIntervalMs, 30_000);
      const again: RetryingClaim = {
        ...claim.retry,
        delayMs,
        dueAt: draft.now + delayMs,
        error: `retry refresh failed: ${outcome.reason}`,
      };
      draft.claims.set(issueId, again);
      draft.emit({ type: 'set_timer', key: retryTimerKey(issueId), at: again.dueAt });
    }
    return;
  }
  if (outcome.kind === 'absent') {
    releaseClaim(draft, claim.issue, false, 'the issue is no longer in the tracker');
    return;
  }
  const why = whyIneligible(outcome.issue, draft.settings);
  if (why === null) {
    giveBack(draft, claim);
    if (mayStart(draft, outcome.issue)) startRun(draft, outcome.issue, claim.retry);
    return;
  }
  const standing = standingOf(outcome.issue.state, draft.settings);
  releaseClaim(draft, outcome.issue, standing !== 'active', why);
  if (standing === 'terminal') beginCleanup(draft, outcome.issue);
}

/** Ends the reservation: the issue is a waiting retry or an unclaimed candidate again. */
function giveBack(draft: Draft, claim: CheckingClaim): void {
  if (claim.retry === null) draft.claims.delete(claim.issue.id);
  else draft.claims.set(claim.issue.id, claim.retry);
}

/** Whether a slot may still be taken: limits, pauses and states can change while an issue is looked at. */
function mayStart(draft: Draft, issue: Issue): boolean {
  if (whyNobodyMayStart(draft) !== null) return false;
  return new SlotCount(draft).refusal(issue) === null;
}

/** Starts a run, or blocks the issue when its budget is already spent. True when a slot was taken. */
function startRun(draft: Draft, issue: Issue, retry: RetryingClaim | null): boolean {
  endKilled(draft, issue);
  const record = beginEpisode(draft, issue);
  const spent = exhaustedBudget(draft, record, null);
  if (spent !== null) {
    const [method, kind] = budgetBlock(spent);
    blockIssue(draft, issue, { method, kind, error: spent.detail, question: null, runId: null }, record);
    return false;
  }
  const choice = agentFor(issue, draft.settings);
  const turns = Math.min(choice.agent.maxTurns ?? MAX_TURNS, remainingTurns(record, draft.settings));
  const run = newLiveRun(draft, issue, attemptOf(record, retry), turns);
  draft.live.set(run.runId, run);
  draft.claims.set(issue.id, { phase: 'running', runId: run.runId });
  draft.held.delete(issue.id);
  draft.emit({ type: 'clear_timer', key: retryTimerKey(issue.id) });
  draft.saveRecord({
    ...record,
    runs: record.runs + 1,
    lifetime: { ...record.lifetime, runs: record.lifetime.runs + 1 },
    underWay: underWayOf(run, draft.now),
    claim: null,
  });
  draft.emit({
    type: 'start_run',
    run: {
      runId: run.runId,
      issue,
      attempt: run.attempt,
      retryKind: run.retryKind,
      maxTurns: turns,
      resumeSessionId: sessionToResume(record, run.agent),
      profile: run.agent.profile,
      answer: retry?.answer ?? null,
    },
  });
  const which = run.attempt === null ? 'first run' : `${run.retryKind} run (attempt ${run.attempt})`;
  draft.publish('running', `${which} started${aboutAgent(record, choice)}`, issue, run);
  if (choice.warning !== null)
    draft.publish('agent_choice', `${choice.warning}; ${describeChoice(choice)} runs`, issue, run);
  return true;
}

/** A person who moved the issue out of the active states and back starts a new episode with fresh counters. */
function beginEpisode(draft: Draft, issue: Issue): IssueRecord {
  const record = draft.record(issue);
  if (!record.leftActive) return { ...record, identifier: issue.identifier };
  return {
    ...freshRecord(issue),
    lifetime: record.lifetime,
    session: record.session,
    lastOutcome: record.lastOutcome,
    followUps: record.followUps,
  };
}
