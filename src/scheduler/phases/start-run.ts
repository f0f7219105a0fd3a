import type { Issue } from '../../domain/issue.ts';
import type { Draft } from '../core/draft.ts';
import { freshRecord } from '../core/initial-state.ts';
import { attemptOf, newLiveRun } from '../core/live-run.ts';
import { describeChoice } from '../core/profile.ts';
import { agentFor } from '../core/settings.ts';
import type { IssueRecord, RetryingClaim } from '../core/state.ts';
import { underWayOf } from '../core/under-way.ts';
import { exhaustedBudget, remainingTurns } from '../rules/budgets.ts';
import { aboutAgent, sessionToResume } from '../rules/sessions.ts';
import { blockIssue, budgetBlock, retryTimerKey } from './claims.ts';
import { endKilled } from './interrupted.ts';

/** A run without a turn limit of its own still ends some time. */
const MAX_TURNS = 1_000_000;

/** Starts a run, or blocks the issue when its budget is already spent. True when a slot was taken. */
export function startRun(draft: Draft, issue: Issue, retry: RetryingClaim | null): boolean {
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
