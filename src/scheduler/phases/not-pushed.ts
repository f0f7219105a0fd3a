import type { Issue } from '../../domain/issue.ts';
import { hasUnpushedCommits, type RunEvidence, type RunResult } from '../../domain/run-outcome.ts';
import { sameState } from '../../domain/state-name.ts';
import type { Draft } from '../core/draft.ts';
import type { BlockedClaim, IssueRecord, LiveRun } from '../core/state.ts';
import { standingOf } from '../rules/eligibility.ts';
import { handOverOf } from '../rules/hand-over.ts';
import { blockIssue, releaseClaim } from './claims.ts';
import { beginCleanup } from './cleanup.ts';

/** The block of an issue that was handed over with commits which only its workspace has. */
export const NOT_PUSHED = 'not_pushed';

/** The issue as it was handed over, when its commits are known to be nowhere but in its workspace; else null. */
export function unpushedHandOver(draft: Draft, run: LiveRun, { evidence }: RunResult): Issue | null {
  const over = handOverOf(run, draft.settings);
  if (over === null || over.movedOn || !hasUnpushedCommits(evidence)) return null;
  return { ...run.issue, state: over.state };
}

/** Keeps the issue in sight although it is in no active state: its work waits for a push. */
export function blockNotPushed(
  draft: Draft,
  run: LiveRun,
  issue: Issue,
  evidence: RunEvidence,
  record: IssueRecord,
): void {
  const block = {
    method: NOT_PUSHED,
    error: describeUnpushed(issue, evidence),
    question: null,
    runId: run.runId,
    commit: headElsewhere(run, evidence),
    kind: 'not_pushed_blocked',
  } as const;
  blockIssue(draft, issue, block, { ...record, leftActive: true });
}

/** Written down as soon as it is known, so that a worker that is killed in the extra turn does not forget it. */
export function rememberUnpushed(draft: Draft, run: LiveRun, evidence: RunEvidence): void {
  if (!hasUnpushedCommits(evidence)) return;
  const claim: BlockedClaim = {
    phase: 'blocked',
    issue: run.issue,
    method: NOT_PUSHED,
    error: describeUnpushed(run.issue, evidence),
    question: null,
    blockedAt: draft.now,
    runId: run.runId,
    commit: headElsewhere(run, evidence),
  };
  draft.saveRecord({ ...draft.record(run.issue), claim });
}

/** An agent that left the work branch has its commits on another, or on none. */
function headElsewhere(run: LiveRun, { branch, headCommit }: RunEvidence): string | null {
  return branch === run.branch ? null : headCommit;
}

function describeUnpushed({ identifier, state }: Issue, { branch, commitsAhead }: RunEvidence): string {
  const commits = commitsAhead === 1 ? '1 commit' : `${commitsAhead} commits`;
  const where = branch === null ? '' : ` on ${branch}`;
  const verb = commitsAhead === 1 ? 'is' : 'are';
  return `handed over in ${state}, but ${commits}${where} ${verb} not pushed: nobody else can see the work; push it with \`aiops push ${identifier}\``;
}

/**
 * Such an issue is held in the state it was handed over in, also a terminal one: the workspace is all there is. A move to
 * a terminal state is a person's word, and removal saves the work; active again, it is simply worked on.
 */
export function reconcileNotPushed(draft: Draft, claim: BlockedClaim, issue: Issue): void {
  const standing = standingOf(issue.state, draft.settings);
  if (draft.pushing.has(issue.id)) {
    draft.claims.set(issue.id, { ...claim, issue: { ...issue, state: claim.issue.state } });
  } else if (standing === 'active') {
    releaseClaim(draft, issue, true, `the issue is ${issue.state} again`);
  } else if (standing === 'terminal' && !sameState(claim.issue.state, issue.state)) {
    releaseClaim(draft, issue, true, `the issue is now ${issue.state}`);
    beginCleanup(draft, issue);
  } else {
    draft.claims.set(issue.id, { ...claim, issue });
  }
}

/** A person wants no push. The commits stay in the workspace, and are saved before that is removed. */
export function letGo(draft: Draft, issue: Issue): void {
  draft.publish('operator_action', 'let go without a push', issue);
  releaseClaim(draft, issue, true);
  if (standingOf(issue.state, draft.settings) === 'terminal') beginCleanup(draft, issue);
}
