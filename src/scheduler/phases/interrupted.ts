import type { Issue, RefreshOutcome } from '../../domain/issue.ts';
import {
  type BranchStanding,
  NO_EVIDENCE,
  type Outcome,
  type RunEvidence,
} from '../../domain/run-outcome.ts';
import type { EndedRun } from '../core/commands.ts';
import type { Draft } from '../core/draft.ts';
import type { IssueRecord, RunUnderWay } from '../core/state.ts';
import { interruptedRun } from '../core/under-way.ts';
import { standingOf } from '../rules/eligibility.ts';
import { END_EVENTS } from '../rules/end-events.ts';
import { beginCleanup } from './cleanup.ts';

/** Looks that found nothing out before it is decided without. */
const MAX_INSPECTIONS = 3;

/** What the tracker says of such an issue ends its run, or has the branch looked at first. */
export function onInterruptedChecked(draft: Draft, issueId: string, outcome: RefreshOutcome): void {
  const run = interruptedRun(draft, issueId);
  const record = draft.records.get(issueId);
  if (run === null || record === undefined || outcome.kind === 'unknown') return;
  if (outcome.kind === 'absent') {
    endInterrupted(draft, record, run, {
      kind: 'canceled',
      summary: 'the worker was killed, and the issue is no longer in the tracker',
    });
    return;
  }
  const { issue } = outcome;
  if (standingOf(issue.state, draft.settings) === 'active') {
    endKilled(draft, issue);
    return;
  }
  draft.records.set(issueId, { ...record, underWay: { ...run, foundIn: issue } });
  draft.emit({ type: 'inspect_branch', issueId, identifier: issue.identifier });
}

/** The issue is still to be worked on: the run was cut off, and that is all. */
export function endKilled(draft: Draft, issue: Issue): void {
  const run = interruptedRun(draft, issue.id);
  const record = draft.records.get(issue.id);
  if (run === null || record === undefined) return;
  endInterrupted(draft, record, { ...run, foundIn: issue }, KILLED);
}

const KILLED: Outcome = { kind: 'canceled', summary: 'the worker was killed' };

/** What git says completes what the journal missed. */
export function onInterruptedInspected(draft: Draft, issueId: string, branch: BranchStanding): void {
  const run = interruptedRun(draft, issueId);
  const record = draft.records.get(issueId);
  if (run === null || record === undefined) return;
  const issue = run.foundIn ?? blockedIssue(record);
  if (issue === null) return;
  const looks = (run.looks ?? 0) + 1;
  if (branch.pushed === null && looks < MAX_INSPECTIONS) {
    draft.records.set(issueId, { ...record, underWay: { ...run, looks } });
    return;
  }
  endInterrupted(draft, record, { ...run, foundIn: issue }, outcomeOf(run, issue.state, branch), branch);
  if (standingOf(issue.state, draft.settings) === 'terminal' && !draft.claims.has(issueId))
    beginCleanup(draft, issue);
}

function blockedIssue({ claim }: IssueRecord): Issue | null {
  return claim?.phase === 'blocked' ? claim.issue : null;
}

/**
 * Delivered is what the agent handed over, or what left the active states with commits that others can see. An issue
 * that left them without any was closed by somebody else.
 */
function outcomeOf({ handOver }: RunUnderWay, state: string, branch: BranchStanding): Outcome {
  const { pushed, commitsAhead } = branch;
  const count = commitsAhead ?? 0;
  const commits = count === 0 ? '' : ` with ${count} commit${count === 1 ? '' : 's'}`;
  const where = count === 0 || pushed === null ? '' : pushed ? ', pushed' : ', not pushed';
  const seen = '; the worker was killed before it saw the end';
  const summary = `${handOver === null ? `the issue reached ${state}` : `handed over in ${handOver.state}`}${commits}${where}${seen}`;
  if (pushed === false && count > 0) return { kind: handOver === null ? 'canceled' : 'blocked', summary };
  const delivered = handOver !== null || (pushed === true && count > 0);
  return delivered
    ? { kind: 'delivered', summary }
    : { kind: 'canceled', summary: `the worker was killed, and the issue moved to ${state}` };
}

function endInterrupted(
  draft: Draft,
  record: IssueRecord,
  run: RunUnderWay,
  outcome: Outcome,
  branch: BranchStanding | null = null,
): void {
  const state = run.foundIn?.state ?? run.stateBefore;
  const leftActive = record.leftActive || standingOf(state, draft.settings) !== 'active';
  draft.emit({ type: 'record_run', run: endedRun(record, run, outcome, state, branch) });
  draft.saveRecord({ ...record, underWay: null, lastOutcome: outcome, leftActive });
  const about = { id: record.issueId, identifier: record.identifier };
  draft.publish(END_EVENTS[outcome.kind], `${outcome.kind}: ${outcome.summary}`, about, run);
}

function endedRun(
  { issueId, identifier }: IssueRecord,
  run: RunUnderWay,
  outcome: Outcome,
  stateAfter: string,
  branch: BranchStanding | null,
): EndedRun {
  const { seenAt, turns, handOver, foundIn: _issue, looks: _looks, ...facts } = run;
  const evidence: RunEvidence = { ...NO_EVIDENCE, ...branch };
  const completed = outcome.kind === 'delivered';
  return {
    ...facts,
    issueId,
    identifier,
    endedAt: Math.max(run.startedAt, seenAt),
    stateAfter,
    outcome,
    result: {
      end: completed ? { kind: 'completed' } : { kind: 'stopped', reason: { kind: 'shutdown' } },
      turns,
      evidence,
    },
    handedOff: handOver?.byTool === true,
  };
}
