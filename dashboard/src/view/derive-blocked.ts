import type { BlockedRow } from '../../../src/contract/claim-rows.ts';
import { formatAge, formatCount, formatDuration } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveIssue, type IssueView, lastRunOf } from './derive-issue.ts';

export interface BlockedView {
  readonly key: string;
  readonly issue: IssueView;
  readonly state: string;
  readonly heading: string;
  /** Null when the question says it all. */
  readonly reason: string | null;
  readonly question: string | null;
  /** What to answer to allow exactly what the agent asked for; null when it asked for nothing of the kind. */
  readonly approval: string | null;
  /** Trying again as it is would block it again at once. */
  readonly outOfBudget: boolean;
  /** Its work waits for a push; it is not run again. */
  readonly notPushed: boolean;
  readonly todo: string;
  readonly age: string;
  readonly branch: string | null;
  readonly spent: string;
}

interface Advice {
  readonly heading: string;
  readonly todo: string;
}

const ADVICE: Readonly<Record<string, Advice>> = {
  continuation_budget: {
    heading: 'Used up its turns',
    todo: 'Look at what the branch holds. To let it go on, try again with fresh budgets, or raise agent.budgets.issue.turns in the workflow.',
  },
  budget_exceeded: {
    heading: 'Used up its budget',
    todo: 'Look at what the branch holds. To let it go on, try again with fresh budgets, or raise the limit in the workflow.',
  },
  no_progress: {
    heading: 'Runs change nothing',
    todo: 'Say in the issue what is missing or already done, then press “Try again”.',
  },
  not_pushed: {
    heading: 'Not pushed',
    todo: 'Press “Push it” to put the branch where others can see it. If that is refused, mend what the remote names, or move the issue back to an active state so that its agent does.',
  },
  operator: {
    heading: 'Stopped by hand',
    todo: 'To let it go on, press “Try again”.',
  },
};

const QUESTION: Advice = {
  heading: 'Asks a question',
  todo: 'Answer it here; the agent goes on with your answer.',
};

const UNKNOWN: Advice = {
  heading: 'Needs a decision',
  todo: 'Decide in the issue, then press “Try again”.',
};

/** The one that waits longest comes first. */
export function deriveBlocked(snapshot: StateSnapshot, workerNow: number): readonly BlockedView[] {
  return snapshot.blocked
    .toSorted((a, b) => Date.parse(a.blocked_at) - Date.parse(b.blocked_at))
    .map((row) => ({
      key: row.issue_id,
      issue: deriveIssue(row, lastRunOf(snapshot, row.issue_id)),
      state: row.state,
      ...adviceFor(row),
      reason: reasonBeside(row),
      question: row.question ?? null,
      approval: approvalIn(row.question),
      outOfBudget: row.method === 'continuation_budget' || row.method === 'budget_exceeded',
      notPushed: row.method === 'not_pushed',
      age: formatAge((workerNow - Date.parse(row.blocked_at)) / 1000),
      branch: row.branch,
      spent: `${formatCount(row.tokens.total_tokens)} tokens, ${formatDuration(row.runtime_seconds)}`,
    }));
}

/** What it waits for and what to do about it. */
export function adviceFor(row: BlockedRow): Advice {
  const known = Object.hasOwn(ADVICE, row.method) ? ADVICE[row.method] : undefined;
  return known ?? (row.question === undefined ? UNKNOWN : QUESTION);
}

function reasonBeside({ error, question }: BlockedRow): string | null {
  return error === '' || (question !== undefined && error.includes(question)) ? null : error;
}

/**
 * A request for approval ends with the words that grant it, with a code that stands for exactly that request. Only the
 * end is the worker's: before it the agent may have written anything.
 */
function approvalIn(question: string | undefined): string | null {
  const words = /\nAnswer "(approve [0-9a-f]{8})" to allow exactly this, or say what to do instead\.$/;
  return words.exec(question ?? '')?.[1] ?? null;
}
