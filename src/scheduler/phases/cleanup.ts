import type { Issue, RefreshOutcome } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import { interruptedRun } from '../core/under-way.ts';
import { failureDelay } from '../rules/backoff.ts';
import { standingOf } from '../rules/eligibility.ts';
import { requestRefresh } from './refresh.ts';

const MAX_ATTEMPTS = 8;

export function cleanupTimerKey(issueId: string): string {
  return `cleanup:${issueId}`;
}

/** Begins the removal of a terminal issue's workspace: first the tracker is asked once more. */
export function beginCleanup(draft: Draft, issue: Pick<Issue, 'id' | 'identifier'>): void {
  // Its branch is looked at first: what the run left behind decides its outcome.
  if (draft.cleaning.has(issue.id) || interruptedRun(draft, issue.id) !== null) return;
  draft.cleaning.set(issue.id, { identifier: issue.identifier, attempts: 0 });
  requestRefresh(draft, [issue.id], { kind: 'cleanup' }, 'patient');
}

/** The fresh check: only a definite terminal state deletes anything. */
export function continueCleanup(draft: Draft, issueId: string, outcome: RefreshOutcome): void {
  const cleaning = draft.cleaning.get(issueId);
  if (cleaning === undefined) return;
  const about = { id: issueId, identifier: cleaning.identifier };
  switch (outcome.kind) {
    case 'current':
      if (standingOf(outcome.issue.state, draft.settings) === 'terminal') {
        draft.emit({ type: 'remove_workspace', issueId, identifier: cleaning.identifier });
      } else {
        endCleanup(draft, issueId);
      }
      return;
    case 'absent':
      endCleanup(draft, issueId);
      return;
    case 'unknown':
      if (draft.intake === 'closed' || cleaning.attempts + 1 >= MAX_ATTEMPTS) {
        draft.publish(
          'workspace_cleanup_failed',
          `kept: the tracker did not confirm the state (${outcome.reason})`,
          about,
        );
        endCleanup(draft, issueId);
        return;
      }
      draft.cleaning.set(issueId, { ...cleaning, attempts: cleaning.attempts + 1 });
      draft.emit({
        type: 'set_timer',
        key: cleanupTimerKey(issueId),
        at: draft.now + failureDelay(cleaning.attempts + 1, draft.settings.maxRetryBackoffMs),
      });
  }
}

export function retryCleanup(draft: Draft, issueId: string): void {
  if (draft.cleaning.has(issueId)) requestRefresh(draft, [issueId], { kind: 'cleanup' }, 'patient');
}

export function onWorkspaceRemoved(draft: Draft, issueId: string, error: string | null): void {
  const cleaning = draft.cleaning.get(issueId);
  const about = { id: issueId, identifier: cleaning?.identifier ?? issueId };
  draft.cleaning.delete(issueId);
  if (error === null) {
    draft.held.delete(issueId);
    draft.publish('workspace_removed', 'the issue is terminal', about);
  } else {
    draft.publish('workspace_cleanup_failed', error, about);
  }
}

function endCleanup(draft: Draft, issueId: string): void {
  draft.cleaning.delete(issueId);
}
