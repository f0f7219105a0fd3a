import type { PushResult } from '../../domain/push.ts';
import type { BranchStanding } from '../../domain/run-outcome.ts';
import type { Draft } from '../core/draft.ts';
import type { BlockedClaim, PushUnderWay } from '../core/state.ts';
import { standingOf } from '../rules/eligibility.ts';
import { releaseClaim } from './claims.ts';
import { beginCleanup } from './cleanup.ts';
import { onInterruptedInspected } from './interrupted.ts';
import { NOT_PUSHED } from './not-pushed.ts';

const MAX_MESSAGE_LENGTH = 600;

/** Why an operator cannot have this issue's branch pushed now, or null. */
export function whyNoPush({ claims, held, records }: Draft, issueId: string): string | null {
  const phase = claims.get(issueId)?.phase;
  if (phase === 'running' || phase === 'checking')
    return 'is being worked on, and its agent pushes its branch';
  if (phase !== undefined || held.has(issueId)) return null;
  return records.has(issueId) ? 'has no workspace any more' : 'has no workspace yet';
}

/** An operator wants the branch on the remote, as the workspace has it; `whyNoPush` has no objection. */
export function startPush(draft: Draft, issueId: string, by: string): void {
  const claim = draft.claims.get(issueId);
  const identifier = (claim?.phase === 'running' ? null : claim?.issue.identifier) ?? draft.held.get(issueId);
  if (identifier === undefined) return;
  draft.pushing.set(issueId, { identifier, by });
  const commit = claim?.phase === 'blocked' ? (claim.commit ?? null) : null;
  draft.emit({ type: 'push_branch', issueId, identifier, commit });
  draft.publish('operator_action', 'push asked for', { id: issueId, identifier });
}

/** The remote's answer ends the block, or stands in it for the person who looks at it. */
export function onPushEnded(draft: Draft, issueId: string, result: PushResult): void {
  const push = draft.pushing.get(issueId);
  if (push === undefined) return;
  draft.pushing.delete(issueId);
  const about = { id: issueId, identifier: push.identifier };
  const claim = draft.claims.get(issueId);
  const held = claim?.phase === 'blocked' && claim.method === NOT_PUSHED ? claim : null;
  if (result.ok) {
    const summary = describePush(result, push);
    draft.publish(held === null ? 'operator_action' : 'pushed', summary, about);
    if (held !== null) deliver(draft, held, summary);
    return;
  }
  const error = describeRefusal(result);
  draft.publish('push_failed', error, about);
  if (held !== null) keepHeld(draft, held, error);
}

/** Asks for every hand-over that waits for a push whether somebody has pushed it meanwhile. */
export function inspectUnpushed(draft: Draft): void {
  for (const [issueId, claim] of draft.claims.entries()) {
    if (claim.phase !== 'blocked' || claim.method !== NOT_PUSHED || draft.pushing.has(issueId)) continue;
    draft.emit({ type: 'inspect_branch', issueId, identifier: claim.issue.identifier });
  }
}

/** Only a definite answer ends the block. */
export function onBranchInspected(draft: Draft, issueId: string, branch: BranchStanding): void {
  onInterruptedInspected(draft, issueId, branch);
  const { pushed } = branch;
  const claim = draft.claims.get(issueId);
  if (claim?.phase !== 'blocked' || claim.method !== NOT_PUSHED || pushed !== true) return;
  if (draft.pushing.has(issueId)) return;
  const summary = 'its commits are on the remote now';
  draft.publish('pushed', summary, claim.issue);
  deliver(draft, claim, summary);
}

/** The run's own record stays as it ended; the issue is delivered from now on. */
function deliver(draft: Draft, { issue }: BlockedClaim, summary: string): void {
  draft.saveRecord({ ...draft.record(issue), lastOutcome: { kind: 'delivered', summary } });
  releaseClaim(draft, issue, true);
  if (standingOf(issue.state, draft.settings) === 'terminal') beginCleanup(draft, issue);
}

function keepHeld(draft: Draft, claim: BlockedClaim, error: string): void {
  const updated: BlockedClaim = { ...claim, error };
  draft.claims.set(claim.issue.id, updated);
  draft.saveRecord({ ...draft.record(claim.issue), claim: updated });
}

function describePush(
  { branch, commit, changed }: Extract<PushResult, { ok: true }>,
  { by }: PushUnderWay,
): string {
  const what = `${branch} at ${commit.slice(0, 12)}`;
  return changed ? `${by} had ${what} pushed` : `${what} was on the remote already`;
}

/** With the remote's own words, where it said something. */
export function describeRefusal({ message, remoteLines }: Extract<PushResult, { ok: false }>): string {
  const said = remoteLines.filter((line) => !message.includes(line)).join(' ');
  const text = said === '' ? message : `${message} (the remote says: ${said})`;
  return `not pushed: ${text}`.slice(0, MAX_MESSAGE_LENGTH);
}
