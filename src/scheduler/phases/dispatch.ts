import type { Issue, IssueId, RefreshOutcome } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import type { CheckingClaim, RetryingClaim } from '../core/state.ts';
import { standingOf, whyIneligible } from '../rules/eligibility.ts';
import { isFresh } from '../rules/freshness.ts';
import { compareForDispatch } from '../rules/order.ts';
import { SlotCount } from '../rules/slots.ts';
import { WaitRules, whyHeld, whyNobodyMayStart } from '../rules/wait-rules.ts';
import { forgetCandidate, releaseClaim, retryTimerKey } from './claims.ts';
import { beginCleanup } from './cleanup.ts';
import { requestRefresh } from './refresh.ts';
import { startRun } from './start-run.ts';

interface Contender {
  readonly issue: Issue;
  readonly retry: RetryingClaim | null;
}

/**
 * Gives free slots to due retries and waiting candidates, best first.
 * `listedNow` says that the candidates were listed in this very tick: those start at once, and those that were read a
 * moment ago; everything else is read once more before it starts, together with some of those next in line.
 */
export function fillSlots(draft: Draft, listedNow: boolean): void {
  const rules = new WaitRules(draft);
  if (!rules.anybodyMayStart) return;
  const contenders = collectContenders(draft, rules).sort((a, b) => compareForDispatch(a.issue, b.issue));
  const checked: IssueId[] = [];
  for (const { issue, retry } of contenders) {
    if (!rules.slots.anyFree) break;
    // Those before it may have taken the slot of its state or agent.
    if (rules.ofRetry(issue) !== null) continue;
    if (retry === null && (listedNow || wasJustRead(draft, issue.id))) {
      if (startRun(draft, issue, null)) rules.slots.take(issue);
    } else {
      draft.claims.set(issue.id, { phase: 'checking', issue, retry });
      rules.slots.take(issue);
      checked.push(issue.id);
    }
  }
  if (checked.length === 0) return;
  const next = contenders.filter(({ issue, retry }) => retry === null && !draft.claims.has(issue.id));
  const ahead = next.slice(0, draft.settings.readAhead ?? 0).map(({ issue }) => issue.id);
  requestRefresh(draft, [...checked, ...ahead], { kind: 'dispatch' });
}

function wasJustRead({ justRead, now }: Draft, issueId: IssueId): boolean {
  return justRead.ids.has(issueId) && isFresh(justRead.at, now);
}

/** The answer to a look before a start: for those who hold a slot for it, and for those next in line. */
export function onDispatchAnswered(
  draft: Draft,
  ids: readonly IssueId[],
  outcomeOf: (id: IssueId) => RefreshOutcome,
): void {
  const isChecking = (id: IssueId): boolean => draft.claims.get(id)?.phase === 'checking';
  const ahead = ids.filter((id) => !isChecking(id));
  for (const id of ids) if (isChecking(id)) onDispatchChecked(draft, id, outcomeOf(id));
  onReadAhead(draft, ahead, outcomeOf);
}

/** Takes over what was told of candidates whose turn it is not yet. */
function onReadAhead(
  draft: Draft,
  ids: readonly IssueId[],
  outcomeOf: (id: IssueId) => RefreshOutcome,
): void {
  if (ids.length === 0) return;
  const candidates = new Map(draft.candidates);
  const read = new Set<IssueId>();
  for (const id of ids) {
    const outcome = outcomeOf(id);
    if (outcome.kind === 'unknown' || draft.claims.has(id) || !candidates.has(id)) continue;
    const isActive =
      outcome.kind === 'current' && standingOf(outcome.issue.state, draft.settings) === 'active';
    if (!isActive) candidates.delete(id);
    else candidates.set(id, outcome.issue);
    if (isActive) read.add(id);
  }
  draft.candidates = candidates;
  draft.justRead = { at: draft.now, ids: read };
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
function onDispatchChecked(draft: Draft, issueId: string, outcome: RefreshOutcome): void {
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
