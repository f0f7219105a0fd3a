import type { IssueId, RefreshOutcome } from '../../domain/issue.ts';
import { addSpend, ZERO_SPEND } from '../../domain/spend.ts';
import type { Draft } from '../core/draft.ts';
import type { SchedulerEvent } from '../core/events.ts';
import { interruptedRun } from '../core/under-way.ts';
import { standingOf } from '../rules/eligibility.ts';
import { dayOf, spentToday } from '../rules/spending.ts';
import { retryTimerKey } from './claims.ts';
import { boundWait } from './clock-moved.ts';
import { inspectUnpushed } from './push.ts';
import { requestRefresh } from './refresh.ts';
import { beginTick } from './tick.ts';

/** Takes up what the last life left behind: waits and blocks are restored, workspaces on disk are checked, then a poll. */
export function onStarted(draft: Draft, event: Extract<SchedulerEvent, { type: 'started' }>): void {
  draft.intake = event.intake ?? 'open';
  let restored = 0;
  let today = ZERO_SPEND;
  for (const record of event.records) {
    draft.records.set(record.issueId, { ...record, savedAt: record.savedAt ?? draft.now });
    today = addSpend(today, spentToday(record, draft.now));
    if (record.claim === null) continue;
    restored += 1;
    const claim =
      record.claim.phase === 'retrying'
        ? boundWait(record.claim, draft.now, draft.settings.maxRetryBackoffMs)
        : record.claim;
    draft.claims.set(record.issueId, claim);
    if (claim.phase === 'retrying')
      draft.emit({ type: 'set_timer', key: retryTimerKey(record.issueId), at: claim.dueAt });
  }
  draft.spent = { ...draft.spent, day: dayOf(draft.now), today };
  if (event.records.length === 0 && event.workspaces.length > 0) {
    const found = `${event.workspaces.length} workspaces are on disk`;
    draft.publish('memory_lost', `nothing is remembered, yet ${found}: budgets and waits begin anew`);
  }
  if (restored > 0)
    draft.publish(
      'recovered',
      `${restored} waiting or blocked ${restored === 1 ? 'issue' : 'issues'} restored`,
    );
  const unclaimed = event.workspaces.filter(({ issueId }) => !draft.claims.has(issueId));
  for (const { issueId, identifier } of unclaimed) draft.held.set(issueId, identifier);
  if (unclaimed.length > 0)
    requestRefresh(
      draft,
      unclaimed.map(({ issueId }) => issueId),
      { kind: 'sweep' },
    );
  inspectUnpushed(draft);
  draft.tick = { ...draft.tick, heldCheckedAt: draft.now };
  beginTick(draft, false);
}

/** A workspace found at start-up goes when its issue is definitely terminal and nobody works on it. */
export function onSweepChecked(draft: Draft, issueId: IssueId, outcome: RefreshOutcome): void {
  if (outcome.kind !== 'current' || draft.claims.has(issueId) || draft.cleaning.has(issueId)) return;
  if (interruptedRun(draft, issueId) !== null) return;
  if (standingOf(outcome.issue.state, draft.settings) !== 'terminal') return;
  draft.cleaning.set(issueId, { identifier: outcome.issue.identifier, attempts: 0 });
  draft.emit({ type: 'remove_workspace', issueId, identifier: outcome.issue.identifier });
}
